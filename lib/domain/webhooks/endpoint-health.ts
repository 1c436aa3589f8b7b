import type { Transaction } from '@/lib/platform/db/client';
import { Prisma } from '@/lib/platform/db/generated/client';

type Ended = { endpointId: string; reason: 'endpoint_deleted' | 'endpoint_disabled'; at: Date };

const ending = (reason: Prisma.Sql, at: Prisma.Sql) => Prisma.sql`
  status = 'failed', reason = ${reason}, next_attempt_at = NULL, manual_attempt_at = NULL, settled_at = ${at}`;

const isWaiting = (at: Prisma.Sql) =>
  Prisma.sql`delivery.status = 'pending' AND (delivery.lease_until IS NULL OR delivery.lease_until < ${at})`;

/** An endpoint whose tries only fail for so long … */
const FAILING_DAYS = 5;
/** … and with so many deliveries that failed for good meanwhile, is disabled. */
const FAILED_DELIVERIES = 3;

/** What a try says of its endpoint: a failure that was its delivery's last counts towards disabling the endpoint. */
export type NotedAttempt = { endpointId: string; result: 'success' | 'failure' | 'last failure'; at: Date };

/** Tries of one endpoint, one after the other: what was before a success does not matter any more. */
type Note = { succeeded: boolean; failedAt: Date | null; lastFailures: number };

/**
 * The part of a WITH clause that notes tries, in the order in which they ended. After a success the endpoint is well,
 * whatever failed before. With a failure it is failing until a try succeeds; after 5 days without one, and at least 3
 * failed deliveries, it is disabled. The endpoints are locked in id order, so that two workers do not deadlock.
 */
export function noteAttempts(tries: NotedAttempt[]): Prisma.Sql {
  const notes = [...foldAttempts(tries)];
  const ids = notes.map(([id]) => id);
  const succeeded = notes.map(([, note]) => note.succeeded);
  const failedAt = notes.map(([, note]) => note.failedAt);
  const lastFailures = notes.map(([, note]) => note.lastFailures);
  return Prisma.sql`
    note AS (
      SELECT endpoint.id, succeeded, failed_at,
             CASE WHEN succeeded THEN 0 ELSE failed_deliveries END + last_failures AS failed,
             CASE WHEN failed_at IS NOT NULL AND enabled
                  THEN coalesce(CASE WHEN NOT succeeded THEN failing_since END, failed_at) END AS since
        FROM unnest(${ids}::text[], ${succeeded}::boolean[], ${failedAt}::timestamptz[], ${lastFailures}::int[])
             AS note (id, succeeded, failed_at, last_failures)
        JOIN webhook_endpoint AS endpoint ON endpoint.id = note.id
       WHERE (failed_at IS NOT NULL AND enabled) OR (succeeded AND failing_since IS NOT NULL)
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
        FROM verdict WHERE endpoint.id = verdict.id
      RETURNING endpoint.*, is_over
    )`;
}

/**
 * The statement that writes what members are told by e-mail of the endpoints that `noted`, of `noteAttempts`, has just
 * disabled. They are named by their description or their host: an address can be a secret.
 */
export function tellOfDisabled(): Prisma.Sql {
  return Prisma.sql`
    INSERT INTO member_notice (organization_id, kind, subject_id, subject_name, occurred_at)
    SELECT organization_id, 'webhook.disabled', id,
           coalesce(nullif(description, ''), substring(url from '^[a-zA-Z]+://([^/?#]+)'), id), auto_disabled_at
      FROM noted WHERE is_over`;
}

function foldAttempts(tries: NotedAttempt[]): Map<string, Note> {
  const notes = new Map<string, Note>();
  for (const { endpointId, result, at } of tries) {
    const before = notes.get(endpointId) ?? { succeeded: false, failedAt: null, lastFailures: 0 };
    notes.set(
      endpointId,
      result === 'success'
        ? { succeeded: true, failedAt: null, lastFailures: 0 }
        : {
            ...before,
            failedAt: at,
            lastFailures: before.lastFailures + (result === 'last failure' ? 1 : 0),
          },
    );
  }
  return notes;
}

/**
 * Ends what waits for an endpoint that takes no more, in the transaction that deletes or disables it: failed, with the
 * reason. A try that is under way is left to end by itself; if it fails, it was the last one.
 */
export async function endWaiting(tx: Transaction, { endpointId, reason, at }: Ended): Promise<void> {
  await tx.$executeRaw`
    UPDATE delivery SET ${ending(Prisma.sql`${reason}`, Prisma.sql`${at}::timestamptz`)}
     WHERE endpoint_id = ${endpointId} AND ${isWaiting(Prisma.sql`${at}::timestamptz`)}`;
}

/**
 * The same as part of a WITH clause, for the endpoints that `noted`, of `noteAttempts`, has just disabled. `except` are
 * deliveries that the statement writes elsewhere.
 */
export function endWaitingOfDisabled(except: readonly string[]): Prisma.Sql {
  return Prisma.sql`
    ended AS (
      UPDATE delivery SET ${ending(Prisma.sql`'endpoint_disabled'`, Prisma.sql`noted.auto_disabled_at`)}
        FROM noted WHERE is_over AND delivery.endpoint_id = noted.id
         AND ${isWaiting(Prisma.sql`noted.auto_disabled_at`)} AND delivery.id <> ALL(${except}::text[]))`;
}
