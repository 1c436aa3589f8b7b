import type { Logger } from '@/lib/core/logger';
import { storableJson } from '@/lib/core/storable-text';
import type { Services } from '@/lib/domain/context/services';
import { type BatchRecorder, createBatchRecorder } from '@/lib/engine/runtime/batch-recorder';
import { nextMailAttemptAt } from '@/lib/platform/mail/retry-schedule';
import type { MailOutcome } from '@/lib/platform/mail/smtp-transport';
import type { ClaimedMail } from './claim-mail';

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
