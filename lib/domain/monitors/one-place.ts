import type { Transaction } from '@/lib/platform/db/client';
import { BUILT_IN_REGION_IDS, isBuiltInRegionId } from '@/lib/schemas/regions';
import { isUnserved, UNSERVED_AFTER_MS } from '@/lib/state/silence';

/** The machine that runs the checks of all built-in regions; null while none does. */
export type OnePlace = { machine: string | null };

/** A worker or probe that was seen within 60 seconds; those of older versions do not name their machine. */
export type Serving = { machine: string | null; regions: readonly string[] };

type Evidence = {
  serving: readonly Serving[];
  /** When each region was last served, in epoch milliseconds. */
  presence: Readonly<Record<string, number>>;
  /** The regions of enabled monitors that nobody serves. */
  unserved: readonly string[];
};

/** How far apart the regions of one machine are last served. */
const TOGETHER_MS = 60_000;

/**
 * The place that is all built-in regions: one machine serves all that are served, and no region of a monitor has lost another. Null if
 * there are several places, or that is unknown. Without any worker, the regions are one place if they were last served together, or never.
 */
export function findOnePlace({ serving, presence, unserved }: Evidence): OnePlace | null {
  const machines = serving.flatMap(({ machine, regions }) =>
    regions.some(isBuiltInRegionId) ? [machine] : [],
  );
  const [machine] = machines;
  if (machine === undefined) {
    const lastServed = BUILT_IN_REGION_IDS.flatMap((region) => presence[region] ?? []);
    return Math.max(...lastServed) - Math.min(...lastServed) > TOGETHER_MS ? null : { machine: null };
  }
  const isShared = machine !== null && machines.every((each) => each === machine);
  return isShared && !unserved.some(isBuiltInRegionId) ? { machine } : null;
}

/** The same for emails, which know no single organization's monitors: a region that was served before and no longer is counts as lost. */
export async function readOnePlace(
  tx: Pick<Transaction, 'worker' | 'regionPresence'>,
  now: Date,
): Promise<OnePlace | null> {
  const seenAt = { gt: new Date(now.getTime() - UNSERVED_AFTER_MS) };
  const [serving, served] = [
    await tx.worker.findMany({ where: { seenAt }, select: { machine: true, regions: true } }),
    await tx.regionPresence.findMany(),
  ];
  const presence = Object.fromEntries(served.map(({ region, servedAt }) => [region, servedAt.getTime()]));
  const unserved = served.flatMap(({ region }) =>
    isUnserved(presence[region] ?? null, now.getTime()) ? [region] : [],
  );
  return findOnePlace({ serving, presence, unserved });
}
