import { hasReaders } from '@/lib/notify/notices';
import type { Transaction } from '@/lib/platform/db/client';
import { Prisma } from '@/lib/platform/db/generated/client';

type Ended = { endpointId: string; reason: 'endpoint_deleted' | 'endpoint_disabled'; at: Date };

const ending = (reason: Prisma.Sql, at: Prisma.Sql) => Prisma.sql`
  status = 'failed', reason = ${reason}, next_attempt_at = NULL, manual_attempt_at = NULL, settled_at = ${at}`;

const isPending = (at: Prisma.Sql) =>
  Prisma.sql`delivery.status = 'pending' AND (delivery.lease_until IS NULL OR delivery.lease_until < ${at})`;

/** An endpoint is disabled after attempts have failed for this long and this many deliveries have failed permanently. */
const FAILING_DAYS = 5;
const FAILED_DELIVERIES = 3;

/** The result of an attempt for its endpoint: only the last failure of a delivery counts toward disabling the endpoint. */
export type EndpointAttempt = {
  endpointId: string;
  result: 'success' | 'failure' | 'last failure' | 'failed replay';
  at: Date;
};

/** The attempts of one endpoint since its latest success; `hasFailures` counts those before it and replays, too. */
type Note = { succeeded: boolean; failedAt: Date | null; lastFailures: number; hasFailures: boolean };

/**
 * The part of a WITH clause that records attempts, in the order in which they ended. A success makes the endpoint active, a
 * failure makes it failing; after 5 days without a success and at least 3 failed deliveries it is disabled; a failed replay
 * changes nothing. Endpoints are locked in ID order to avoid deadlocks.
 */
export function recordAttempts(attempts: EndpointAttempt[]): Prisma.Sql {
  const notes = [...foldAttempts(attempts)];
  const ids = notes.map(([id]) => id);
  const succeeded = notes.map(([, note]) => note.succeeded);
  const failedAt = notes.map(([, note]) => note.failedAt);
  const lastFailures = notes.map(([, note]) => note.lastFailures);
  const hasFailures = notes.map(([, note]) => note.hasFailures);
  return Prisma.sql`
    note AS (
      SELECT endpoint.id, enabled AS is_enabled, succeeded, failed_at,
             CASE WHEN succeeded THEN 0 ELSE failed_deliveries END + last_failures AS failed,
             CASE WHEN failed_at IS NOT NULL AND enabled
                  THEN coalesce(CASE WHEN NOT succeeded THEN failing_since END, failed_at) END AS since
        FROM unnest(${ids}::text[], ${succeeded}::boolean[], ${failedAt}::timestamptz[], ${lastFailures}::int[],
                    ${hasFailures}::boolean[]) AS note (id, succeeded, failed_at, last_failures, has_failures)
        JOIN webhook_endpoint AS endpoint ON endpoint.id = note.id
       WHERE (has_failures AND enabled) OR (succeeded AND failing_since IS NOT NULL)
       ORDER BY endpoint.id FOR UPDATE OF endpoint
    ), verdict AS (
      SELECT *, since IS NOT NULL AND failed >= ${FAILED_DELIVERIES}::int
             AND since <= failed_at - make_interval(days => ${FAILING_DAYS}::int) AS is_over FROM note
    ), noted AS (
      UPDATE webhook_endpoint AS endpoint SET failing_since = since,
             failed_deliveries = CASE WHEN since IS NULL THEN 0 ELSE failed END, enabled = enabled AND NOT is_over,
             status = CASE WHEN is_over THEN 'disabled'::webhook_status WHEN NOT enabled THEN status
                           WHEN since IS NULL THEN 'active' ELSE 'failing' END,
             auto_disabled_at = CASE WHEN is_over THEN failed_at ELSE auto_disabled_at END,
             updated_at = CASE WHEN is_over THEN failed_at ELSE updated_at END
        FROM verdict WHERE endpoint.id = verdict.id AND (succeeded OR failed_at IS NOT NULL)
      RETURNING endpoint.*, is_over
    )`;
}

/**
 * The statement that writes member notices for the endpoints that `recordAttempts` has just disabled. They are named by their
 * description or host, because the URL can contain a secret.
 */
export function insertDisabledNotices(mail: { isOn: boolean }): Prisma.Sql {
  return Prisma.sql`
    INSERT INTO member_notice (organization_id, kind, subject_id, subject_name, occurred_at)
    SELECT organization_id, 'webhook.disabled', id,
           coalesce(nullif(description, ''), substring(url from '^[a-zA-Z]+://([^/?#]+)'), id), auto_disabled_at
      FROM noted WHERE is_over AND ${hasReaders(Prisma.sql`noted.organization_id`, mail)}`;
}

/**
 * Whether the endpoint with this ID accepts deliveries once the attempts of `recordAttempts` count, for those with a failure. It is
 * locked then: one that is being deleted or disabled does not.
 */
export const stillAccepts = (endpointId: Prisma.Sql) =>
  Prisma.sql`EXISTS (SELECT FROM verdict WHERE verdict.id = ${endpointId} AND is_enabled AND NOT is_over)`;

function foldAttempts(attempts: EndpointAttempt[]): Map<string, Note> {
  const notes = new Map<string, Note>();
  for (const { endpointId, result, at } of attempts) {
    const before = notes.get(endpointId);
    const { succeeded = false, failedAt = null, lastFailures = 0, hasFailures = false } = before ?? {};
    if (result === 'success') {
      notes.set(endpointId, { succeeded: true, failedAt: null, lastFailures: 0, hasFailures });
    } else if (result === 'failed replay') {
      notes.set(endpointId, { succeeded, failedAt, lastFailures, hasFailures: true });
    } else {
      const failures = lastFailures + (result === 'last failure' ? 1 : 0);
      notes.set(endpointId, { succeeded, failedAt: at, lastFailures: failures, hasFailures: true });
    }
  }
  return notes;
}

/**
 * Fails the pending deliveries of an endpoint in the transaction that deletes or disables it. Attempts in progress may finish;
 * if they fail, there is no retry.
 */
export async function failPending(tx: Transaction, { endpointId, reason, at }: Ended): Promise<void> {
  await tx.$executeRaw`
    UPDATE delivery SET ${ending(Prisma.sql`${reason}`, Prisma.sql`${at}::timestamptz`)}
     WHERE endpoint_id = ${endpointId} AND ${isPending(Prisma.sql`${at}::timestamptz`)}`;
}

/**
 * The same as part of a WITH clause, for the endpoints that `recordAttempts` has just disabled. `except` are deliveries that the
 * statement writes elsewhere.
 */
export function failPendingOfDisabled(except: readonly string[]): Prisma.Sql {
  return Prisma.sql`
    ended AS (
      UPDATE delivery SET ${ending(Prisma.sql`'endpoint_disabled'`, Prisma.sql`noted.auto_disabled_at`)}
        FROM noted WHERE is_over AND delivery.endpoint_id = noted.id
         AND ${isPending(Prisma.sql`noted.auto_disabled_at`)} AND delivery.id <> ALL(${except}::text[]))`;
}
