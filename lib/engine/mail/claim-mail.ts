import type { Logger } from '@/lib/core/logger';
import { storableJson } from '@/lib/core/storable-text';
import type { Services } from '@/lib/domain/context/services';
import { createBatchRecorder, type RecordingObserver } from '@/lib/engine/runtime/batch-recorder';
import { nextMailAttemptAt } from '@/lib/platform/mail/queue-mail';
import type { MailOutcome } from '@/lib/platform/mail/smtp-transport';

/** A finished attempt and the new state of its mail: sent, failed, or due again at `nextAttemptAt`. */
export type FinishedMail = {
  mail: ClaimedMail;
  sentAt: Date | null;
  failedAt: Date | null;
  nextAttemptAt: Date | null;
  failures: number;
  /** Why it was not sent; null: it was. */
  error: string | null;
};

/** A worker sends five mails concurrently. */
const MAX_PENDING = { count: 1000, bytes: 16 * 1024 * 1024 };
/** Approximate memory of an attempt, without the mail's content. */
const ATTEMPT_BYTES = 1000;

/** A mail that only this process may send. */
export type ClaimedMail = {
  id: string;
  kind: string;
  recipient: string;
  contentSealed: Uint8Array;
  /** A thread as it was queued; null: none. */
  thread: unknown;
  /** 1 for the first attempt. */
  attempt: number;
  failures: number;
  createdAt: Date;
};

/** Longer than a slow mail server takes: a mail claimed twice is sent twice. */
export const MAIL_LEASE_SECONDS = 300;

/** Claims at most `limit` due mails, bulk mail last, longest due first. */
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
    RETURNING mail.id, kind, recipient, content_sealed AS "contentSealed", thread, attempts AS attempt, failures,
              created_at AS "createdAt"`;
}

/** When the next mail is due; null if none is pending. */
export async function nextMailAt({ db, clock }: Pick<Services, 'db' | 'clock'>): Promise<Date | null> {
  const rows = await db.$queryRaw<{ dueAt: Date }[]>`
    SELECT next_attempt_at AS "dueAt" FROM mail
     WHERE next_attempt_at IS NOT NULL AND (lease_until IS NULL OR lease_until < ${clock.now()})
     ORDER BY next_attempt_at LIMIT 1`;
  return rows[0]?.dueAt ?? null;
}

/** Records attempts in batches, also if the database is unavailable for a while. */
export function createMailRecorder(
  services: Pick<Services, 'db'>,
  log: Logger,
  observer?: RecordingObserver<FinishedMail>,
) {
  return createBatchRecorder<FinishedMail>({
    kind: 'mail attempts',
    write: (finished) => writeMailAttempts(services, finished),
    replaceRefused: withoutContent,
    subjectOf: ({ mail }) => ({ mail: mail.id }),
    sizeOf: ({ mail }) => ATTEMPT_BYTES + mail.contentSealed.length,
    maxBatch: 100,
    gatherMs: 10,
    maxPending: MAX_PENDING,
    observer,
    log,
  });
}

/** An attempt at `now`: sent, to be retried on schedule, or failed if the server permanently rejects it. */
export function finishMail(mail: ClaimedMail, outcome: MailOutcome, now: Date): FinishedMail {
  if (outcome.sent) {
    return { mail, sentAt: now, failedAt: null, nextAttemptAt: null, failures: mail.failures, error: null };
  }
  const failures = mail.failures + 1;
  const nextAttemptAt = outcome.isFinal ? null : nextMailAttemptAt(failures, now);
  const failedAt = nextAttemptAt ? null : now;
  return { mail, sentAt: null, failedAt, nextAttemptAt, failures, error: outcome.error };
}

/** Keeps the outcome, without what the server sent. */
function withoutContent(finished: FinishedMail): FinishedMail {
  return {
    ...finished,
    error: finished.error === null ? null : 'not sent; the response could not be stored',
  };
}

/**
 * Writes attempts in a single statement. A mail that was sent or failed loses its content. A success always
 * counts; a late failure, after the lease expired and another worker took over, changes nothing.
 */
export async function writeMailAttempts({ db }: Pick<Services, 'db'>, finished: readonly FinishedMail[]) {
  if (finished.length === 0) return;
  const ids = finished.map(({ mail }) => mail.id);
  const rows = finished.map(({ mail: { id, attempt }, ...end }) => ({ id, attempt, ...end }));
  // The explicit ids make the planner use the primary key.
  await db.$executeRaw`
    WITH finished AS (
      SELECT DISTINCT ON (id) * FROM jsonb_to_recordset(${storableJson(rows)}::jsonb) AS finished (
             id text, attempt int, "sentAt" timestamptz, "failedAt" timestamptz, "nextAttemptAt" timestamptz,
             failures int, error text)
       ORDER BY id, "sentAt", attempt DESC
    )
    UPDATE mail SET claimed_by = NULL, lease_until = NULL, sent_at = finished."sentAt", failed_at = finished."failedAt",
           next_attempt_at = finished."nextAttemptAt", failures = finished.failures, error = finished.error,
           content_sealed = CASE WHEN finished."nextAttemptAt" IS NOT NULL THEN content_sealed END,
           thread = CASE WHEN finished."nextAttemptAt" IS NOT NULL THEN thread END
      FROM finished
     WHERE mail.id = ANY(${ids}::text[]) AND mail.id = finished.id
       AND (finished."sentAt" IS NOT NULL OR mail.attempts = finished.attempt AND mail.sent_at IS NULL)`;
}
