import type { Services } from '@/lib/context/services';
import type { ClaimedDelivery } from './claim-deliveries';

/**
 * Buries the workers that were not seen since `deadline`: their checks, deliveries and mails are due again at once. A try
 * that was cut short does not count in the retry schedule. Answers how many workers there were.
 */
export async function releaseClaimsOfDead({ db, clock }: Services, deadline: Date): Promise<number> {
  return db.$transaction(async (tx) => {
    const dead = await tx.$queryRaw<{ id: string }[]>`
      DELETE FROM worker WHERE seen_at < ${deadline} RETURNING id`;
    if (dead.length === 0) return 0;
    const ids = dead.map((worker) => worker.id);
    await tx.$executeRaw`
      UPDATE probe_schedule SET claim = NULL, claimed_by = NULL, lease_until = NULL, next_check_at = ${clock.now()}
       WHERE claimed_by = ANY(${ids})`;
    await tx.$executeRaw`
      UPDATE delivery SET claimed_by = NULL, lease_until = NULL WHERE claimed_by = ANY(${ids}) AND (status = 'pending' OR manual_attempt_at IS NOT NULL)`;
    await tx.$executeRaw`
      UPDATE mail SET claimed_by = NULL, lease_until = NULL WHERE claimed_by = ANY(${ids}) AND next_attempt_at IS NOT NULL`;
    return dead.length;
  });
}

/** Gives claims back unused, due at once: what a worker does with the checks it cannot finish before it stops. */
export async function releaseClaims({ db, clock }: Services, claims: string[]): Promise<void> {
  if (claims.length === 0) return;
  await db.$executeRaw`
    UPDATE probe_schedule SET claim = NULL, claimed_by = NULL, lease_until = NULL, next_check_at = ${clock.now()}
     WHERE claim = ANY(${claims}::uuid[])`;
}

/**
 * Gives tries back that were claimed and have not begun, due at once: they leave no attempt, and count for nothing. A
 * delivery that another worker has claimed meanwhile stays with that one.
 */
export async function releaseTries(
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
