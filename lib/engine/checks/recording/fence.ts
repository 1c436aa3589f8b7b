import type { ShardId } from '@/lib/domain/monitors/last-checks';
import type { Transaction } from '@/lib/platform/db/client';
import { Prisma } from '@/lib/platform/db/generated/client';
import type { FinishedCheck } from './store-results';

/** Results are recorded in two ways, each with the last batch that it wrote. */
export type BatchColumn = 'last_routine' | 'last_decided';

/** The shards of results. */
export function shardsOf(finished: readonly FinishedCheck[]): ShardId[] {
  const shards = new Map(
    finished.map(({ check: { monitor, lease } }) => [
      `${monitor.region} ${lease.shard}`,
      { region: monitor.region, shard: lease.shard },
    ]),
  );
  return [...shards.values()];
}

/**
 * The leases, as by `leaseKey`, under which results can be stored in this transaction: those that this worker still holds, of a batch
 * that was not written before, when only its acknowledgement was lost. Their rows stay locked, so no other worker takes a shard
 * meanwhile, and an earlier attempt at the batch has ended.
 */
export async function holdLeases(
  tx: Transaction,
  finished: readonly FinishedCheck[],
  { column, batch }: { column: BatchColumn; batch: string },
): Promise<{ held: Set<string>; isRepeated: boolean }> {
  const leases = new Map(finished.map((each) => [leaseKey(each), each.check]));
  const given = [...leases.values()].map(({ monitor, lease }) => ({ region: monitor.region, ...lease }));
  const written = Prisma.raw(column);
  const rows = await tx.$queryRaw<{ key: string; isRepeated: boolean }[]>`
    WITH owned AS MATERIALIZED (
      SELECT lease.region, lease.shard, lease.epoch, ${written} IS NOT DISTINCT FROM ${batch}::uuid AS is_repeated
        FROM raw.shard_lease AS lease
        JOIN unnest(${given.map(({ region }) => region)}::text[], ${given.map(({ shard }) => shard)}::int[],
                    ${given.map(({ epoch }) => epoch)}::bigint[]) AS given (region, shard, epoch)
          ON lease.region = given.region AND lease.shard = given.shard AND lease.epoch = given.epoch
       ORDER BY lease.region, lease.shard FOR NO KEY UPDATE OF lease
    ), marked AS (
      UPDATE raw.shard_lease AS lease SET ${written} = ${batch}::uuid FROM owned
       WHERE lease.region = owned.region AND lease.shard = owned.shard AND NOT is_repeated
    )
    SELECT concat_ws(' ', region, shard, epoch) AS key, is_repeated AS "isRepeated" FROM owned`;
  const held = rows.filter(({ isRepeated }) => !isRepeated).map(({ key }) => key);
  return { held: new Set(held), isRepeated: rows.length > held.length };
}

/** What identifies the lease of a result. */
export function leaseKey({ check: { monitor, lease } }: FinishedCheck): string {
  return `${monitor.region} ${lease.shard} ${lease.epoch}`;
}
