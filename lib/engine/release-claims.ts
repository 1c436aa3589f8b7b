import type { Services } from '@/lib/context/services';

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
