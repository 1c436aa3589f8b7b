import type { Transaction } from '@/lib/platform/db/client';
import { Prisma } from '@/lib/platform/db/generated/client';

type Ended = { endpointId: string; reason: 'endpoint_deleted' | 'endpoint_disabled'; at: Date };

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
 * The same as part of a WITH clause, for the endpoints that `noted`, of `noteTries`, has just disabled. `except` are
 * deliveries that the statement writes elsewhere.
 */
export function endWaitingOfDisabled(except: readonly string[]): Prisma.Sql {
  return Prisma.sql`
    ended AS (
      UPDATE delivery SET ${ending(Prisma.sql`'endpoint_disabled'`, Prisma.sql`noted.auto_disabled_at`)}
        FROM noted WHERE is_over AND delivery.endpoint_id = noted.id
         AND ${isWaiting(Prisma.sql`noted.auto_disabled_at`)} AND delivery.id <> ALL(${except}::text[]))`;
}

const ending = (reason: Prisma.Sql, at: Prisma.Sql) => Prisma.sql`
  status = 'failed', reason = ${reason}, next_attempt_at = NULL, manual_attempt_at = NULL, settled_at = ${at}`;

const isWaiting = (at: Prisma.Sql) =>
  Prisma.sql`delivery.status = 'pending' AND (delivery.lease_until IS NULL OR delivery.lease_until < ${at})`;
