import type { Transaction } from '@/lib/platform/db/client';
import { isOwnRegionId } from '@/lib/schemas/regions';

/** Formats a region for people: an own one by its name, also once it is deleted, any other by its ID. */
export type NameRegion = (id: string) => string;

/** Reads the names of those of the regions that are own ones, if there are any. */
export async function readRegionNames(
  tx: Pick<Transaction, 'region'>,
  ids: readonly string[],
): Promise<NameRegion> {
  const own = [...new Set(ids.filter(isOwnRegionId))];
  if (own.length === 0) return (id) => id;
  const rows = await tx.region.findMany({ where: { id: { in: own } }, select: { id: true, name: true } });
  const names = new Map(rows.map(({ id, name }) => [id, name]));
  return (id) => names.get(id) ?? id;
}
