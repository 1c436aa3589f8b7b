import type { Services } from '@/lib/domain/context/services';
import type { ClaimedDelivery } from '@/lib/engine/deliveries/claim-deliveries';
import { MAIL } from '@/lib/engine/mail/claim-mail';
import { freeClaimsOf } from '@/lib/platform/db/claims';

/**
 * Deletes workers not seen since `deadline`: their deliveries and mails are due again immediately. An
 * interrupted attempt does not count in the retry schedule. Returns how many workers there were.
 */
export async function releaseClaimsOfDeadWorkers(
  { db }: Pick<Services, 'db'>,
  deadline: Date,
): Promise<number> {
  const seen = await db.$queryRaw<unknown[]>`SELECT 1 FROM worker WHERE seen_at < ${deadline} LIMIT 1`;
  if (seen.length === 0) return 0;
  return db.$transaction(async (tx) => {
    const dead = await tx.$queryRaw<{ id: string }[]>`
      DELETE FROM worker WHERE seen_at < ${deadline} RETURNING id`;
    if (dead.length === 0) return 0;
    const ids = dead.map((worker) => worker.id);
    await tx.$executeRaw`
      UPDATE delivery SET claimed_by = NULL, lease_until = NULL
       WHERE claimed_by = ANY(${ids}) AND (status = 'pending' OR manual_attempt_at IS NOT NULL)`;
    await freeClaimsOf(tx, MAIL, ids);
    return dead.length;
  });
}

/** Releases the attempts of claims whose response was lost, if they were made: none of them has started. */
export async function releaseLostAttempts(
  { db }: Pick<Services, 'db'>,
  { workerId, attemptIds }: { workerId: string; attemptIds: string[] },
): Promise<void> {
  await db.$executeRaw`
    WITH lost AS (
      DELETE FROM delivery_attempt WHERE id = ANY(${attemptIds}::text[]) RETURNING delivery_id, number
    )
    UPDATE delivery SET attempts = attempts - 1, claimed_by = NULL, lease_until = NULL
      FROM lost
     WHERE delivery.id = lost.delivery_id AND delivery.attempts = lost.number AND claimed_by = ${workerId}`;
}

/** Puts an attempt that was claimed off until `at`: its row is deleted, and it does not count, as if it had not been claimed. */
export async function postponeAttempt(
  { db }: Pick<Services, 'db'>,
  { id, attemptId, attempt, manual }: Pick<ClaimedDelivery, 'id' | 'attemptId' | 'attempt' | 'manual'>,
  at: Date,
): Promise<void> {
  await db.$executeRaw`
    WITH unsent AS (
      DELETE FROM delivery_attempt WHERE id = ${attemptId}
    )
    UPDATE delivery SET attempts = attempts - 1, claimed_by = NULL, lease_until = NULL,
           next_attempt_at = CASE WHEN status = 'pending' AND NOT ${manual} THEN ${at} ELSE next_attempt_at END,
           manual_attempt_at = CASE WHEN ${manual} THEN ${at} ELSE manual_attempt_at END
     WHERE id = ${id} AND attempts = ${attempt}`;
}

/**
 * Releases attempts that were claimed and have not started, due immediately: their rows are deleted, and they
 * do not count. Deliveries that another worker has claimed meanwhile are left alone.
 */
export async function releaseAttempts(
  { db }: Pick<Services, 'db'>,
  unsent: Pick<ClaimedDelivery, 'id' | 'attemptId' | 'attempt'>[],
): Promise<void> {
  if (unsent.length === 0) return;
  const ids = unsent.map(({ id }) => id);
  const attempts = unsent.map(({ attempt }) => attempt);
  const attemptIds = unsent.map(({ attemptId }) => attemptId);
  await db.$executeRaw`
    WITH unsent AS (
      DELETE FROM delivery_attempt WHERE id = ANY(${attemptIds}::text[])
    )
    UPDATE delivery SET attempts = attempts - 1, claimed_by = NULL, lease_until = NULL
      FROM unnest(${ids}::text[], ${attempts}::int[]) AS given (id, attempt)
     WHERE delivery.id = given.id AND delivery.attempts = given.attempt`;
}
