import type { Logger } from '@/lib/core/logger';
import type { Services } from '@/lib/domain/context/services';
import { createBatchRecorder, type RecordingObserver } from '@/lib/engine/runtime/batch-recorder';
import {
  type AttemptEnd,
  claimWork,
  endOfFailure,
  type LeasedWork,
  nextClaimAt,
  settleClaims,
} from '@/lib/platform/db/claims';
import type { Prisma } from '@/lib/platform/db/generated/client';
import { nextMailAttemptAt } from '@/lib/platform/mail/queue-mail';
import type { MailOutcome } from '@/lib/platform/mail/smtp-transport';

type Unsent = Exclude<AttemptEnd, { end: 'done' }>;

/** A finished attempt at `at` and what became of its mail; one that was not sent has an error. */
export type FinishedMail = { mail: ClaimedMail; at: Date } & (
  | { end: { end: 'done' }; error: null }
  | { end: Unsent; error: string }
);

/** A worker sends five mails concurrently. */
const MAX_PENDING = { count: 1000, bytes: 16 * 1024 * 1024 };
/** Approximate memory of an attempt, without the mail's content. */
const ATTEMPT_BYTES = 1000;

/** A mail that only this process may send. */
export type ClaimedMail = {
  id: string;
  organizationId: string | null;
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

/** Mail to send, bulk mail last. Its lease is longer than a slow mail server takes: a mail claimed twice is sent twice. */
export const MAIL: LeasedWork<
  ClaimedMail,
  { sentAt: Date | null; failedAt: Date | null; error: string | null }
> = {
  table: 'mail',
  order: 'priority, next_attempt_at, id',
  hold: { by: 'lease', seconds: 300 },
  columns: {
    id: 'id',
    organizationId: 'organization_id',
    kind: 'kind',
    recipient: 'recipient',
    contentSealed: 'content_sealed',
    thread: 'thread',
    attempt: 'attempts',
    failures: 'failures',
    createdAt: 'created_at',
  },
  retryAt: nextMailAttemptAt,
  over: {
    columns: { sentAt: 'timestamptz', failedAt: 'timestamptz', error: 'text' },
    isDone: 'own.sent_at IS NOT NULL',
    // A mail that was sent or failed loses its content.
    set: `sent_at = "sentAt", failed_at = "failedAt", error = ended.error,
             content_sealed = CASE WHEN "end" = 'retry' THEN content_sealed END,
             thread = CASE WHEN "end" = 'retry' THEN thread END`,
  },
};

/** Claims at most `limit` due mails, bulk mail last, longest due first. */
export function claimDueMail(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  { limit, workerId, now = clock.now() }: { limit: number; workerId: string; now?: Date },
): Promise<ClaimedMail[]> {
  return claimWork(db, MAIL, { limit, now, workerId, scope: undefined });
}

/** When the next mail is due; null if none is pending. */
export function nextMailAt(now: Date): Prisma.Sql {
  return nextClaimAt(MAIL, now);
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
  if (outcome.sent) return { mail, at: now, end: { end: 'done' }, error: null };
  const scheduled = endOfFailure(MAIL, mail, now);
  const end: Unsent = outcome.isFinal ? { end: 'failed', failures: scheduled.failures } : scheduled;
  return { mail, at: now, end, error: outcome.error };
}

/** Keeps the outcome, without what the server sent. */
function withoutContent(finished: FinishedMail): FinishedMail {
  if (finished.error === null) return finished;
  return { ...finished, error: 'not sent; the response could not be stored' };
}

/** Writes attempts in a single statement; see `settleClaims`. */
export async function writeMailAttempts({ db }: Pick<Services, 'db'>, finished: readonly FinishedMail[]) {
  const settled = finished.map(({ mail: { id, attempt }, end, error, at }) => {
    const sentAt = end.end === 'done' ? at : null;
    return { id, attempt, end, error, sentAt, failedAt: end.end === 'failed' ? at : null };
  });
  await settleClaims(db, MAIL, settled);
}
