import type { Logger } from '@/lib/core/logger';
import { storableJson } from '@/lib/core/storable-text';
import type { Services } from '@/lib/domain/context/services';
import { type BatchRecorder, createBatchRecorder } from '@/lib/engine/runtime/batch-recorder';
import { nextMailAttemptAt } from '@/lib/platform/mail/queue-mail';
import type { MailOutcome } from '@/lib/platform/mail/smtp-transport';

/** An attempt that is over, and what becomes of its mail: sent, failed, or due again at `nextAttemptAt`. */
export type SettledMail = {
  mail: ClaimedMail;
  sentAt: Date | null;
  failedAt: Date | null;
  nextAttemptAt: Date | null;
  failures: number;
  /** Why it was not sent; null: it was. */
  error: string | null;
};

/** A worker sends five mails at once. */
const MAX_PENDING = { count: 1000, bytes: 16 * 1024 * 1024 };

/** About what an attempt takes in memory, beside the content of its mail. */
const ATTEMPT_BYTES = 1000;

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

/** Records attempts in batches, so that what is sent is recorded also while the database is unavailable for a while. */
export function createMailRecorder(services: Pick<Services, 'db'>, log: Logger): BatchRecorder<SettledMail> {
  return createBatchRecorder({
    kind: 'mail attempts',
    write: (settled) => writeSettledMail(services, settled),
    replaceRefused: withoutContent,
    subjectOf: ({ mail }) => ({ mail: mail.id }),
    sizeOf: ({ mail }) => ATTEMPT_BYTES + mail.contentSealed.length,
    maxBatch: 100,
    gatherMs: 10,
    maxPending: MAX_PENDING,
    log,
  });
}

/** What comes of an attempt at `now`: sent, to be retried on schedule, or failed where the server refuses it for good. */
export function settleMail(mail: ClaimedMail, outcome: MailOutcome, now: Date): SettledMail {
  if (outcome.sent) {
    return { mail, sentAt: now, failedAt: null, nextAttemptAt: null, failures: mail.failures, error: null };
  }
  const failures = mail.failures + 1;
  const nextAttemptAt = outcome.isFinal ? null : nextMailAttemptAt(failures, now);
  const failedAt = nextAttemptAt ? null : now;
  return { mail, sentAt: null, failedAt, nextAttemptAt, failures, error: outcome.error };
}

/** What became of the mail stays; what the server sent goes. */
function withoutContent(settled: SettledMail): SettledMail {
  return { ...settled, error: settled.error === null ? null : 'not sent; the response could not be stored' };
}

/**
 * Writes attempts in one statement however many. A mail that is sent or failed loses its content. That it is sent counts
 * whoever has tried since; a late failure, after the lease ran out and another worker took over, changes nothing.
 */
export async function writeSettledMail(
  { db }: Pick<Services, 'db'>,
  settled: readonly SettledMail[],
): Promise<void> {
  if (settled.length === 0) return;
  const ids = settled.map(({ mail }) => mail.id);
  const rows = settled.map(({ mail: { id, attempt }, ...end }) => ({ id, attempt, ...end }));
  // The ids stand beside the rows they are in: that is what the planner chooses the primary key for.
  await db.$executeRaw`
    WITH settled AS (
      SELECT DISTINCT ON (id) * FROM jsonb_to_recordset(${storableJson(rows)}::jsonb) AS settled (
             id text, attempt int, "sentAt" timestamptz, "failedAt" timestamptz, "nextAttemptAt" timestamptz,
             failures int, error text)
       ORDER BY id, "sentAt", attempt DESC
    )
    UPDATE mail SET claimed_by = NULL, lease_until = NULL, sent_at = settled."sentAt", failed_at = settled."failedAt",
           next_attempt_at = settled."nextAttemptAt", failures = settled.failures, error = settled.error,
           content_sealed = CASE WHEN settled."nextAttemptAt" IS NOT NULL THEN content_sealed END
      FROM settled
     WHERE mail.id = ANY(${ids}::text[]) AND mail.id = settled.id
       AND (settled."sentAt" IS NOT NULL OR mail.attempts = settled.attempt AND mail.sent_at IS NULL)`;
}
