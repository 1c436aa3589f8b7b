import type { Services } from '@/lib/domain/context/services';

/** A mail that this process alone may send. */
export type ClaimedMail = {
  id: string;
  kind: string;
  recipient: string;
  contentSealed: Uint8Array;
  /** 1 for the first try. */
  attempt: number;
  failures: number;
  createdAt: Date;
};

/**
 * Longer than a slow mail server takes, for a mail that is claimed twice is sent twice. What a worker held that died is
 * given back long before; see release-claims.ts.
 */
export const MAIL_LEASE_SECONDS = 300;

/** Claims at most `limit` due mails, those that go to many last, the longest due first. */
export function claimDueMail(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  { limit, workerId, now = clock.now() }: { limit: number; workerId: string; now?: Date },
): Promise<ClaimedMail[]> {
  return db.$queryRaw<ClaimedMail[]>`
    WITH due AS (
      SELECT id FROM mail WHERE next_attempt_at <= ${now} AND (lease_until IS NULL OR lease_until < ${now})
       ORDER BY priority, next_attempt_at, id LIMIT ${limit} FOR UPDATE SKIP LOCKED
    )
    UPDATE mail SET attempts = attempts + 1, claimed_by = ${workerId},
           lease_until = ${now}::timestamptz + make_interval(secs => ${MAIL_LEASE_SECONDS}::int)
      FROM due WHERE mail.id = due.id
    RETURNING mail.id, kind, recipient, content_sealed AS "contentSealed", attempts AS attempt, failures,
              created_at AS "createdAt"`;
}

/** When the next mail that waits is due; null when none waits. */
export async function nextMailAt({ db, clock }: Pick<Services, 'db' | 'clock'>): Promise<Date | null> {
  const rows = await db.$queryRaw<{ dueAt: Date }[]>`
    SELECT next_attempt_at AS "dueAt" FROM mail
     WHERE next_attempt_at IS NOT NULL AND (lease_until IS NULL OR lease_until < ${clock.now()})
     ORDER BY next_attempt_at LIMIT 1`;
  return rows[0]?.dueAt ?? null;
}
