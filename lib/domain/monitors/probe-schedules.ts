import { createHash } from 'node:crypto';
import type { Transaction } from '@/lib/platform/db/client';
import { notify } from '@/lib/platform/db/listen';
import type { RegionId } from '@/lib/schemas/regions';

/** How many places a region's schedule has; shards are ranges of them. */
export const SLOTS = 256;

const PHASES = 10_000;

type Scheduled = { id: string; interval: number; regions: readonly RegionId[] };

/**
 * Puts monitors on the schedule of each of their regions, with a first check at once, and wakes the workers. What was
 * scheduled or running before is forgotten: a check in flight finds its claim gone and its result is dropped.
 */
export async function restartSchedules(
  tx: Transaction,
  monitors: readonly Omit<Scheduled, 'interval'>[],
  now: Date,
): Promise<void> {
  await unschedule(
    tx,
    monitors.map(({ id }) => id),
  );
  await tx.probeSchedule.createMany({
    data: monitors.flatMap(({ id, regions }) =>
      regions.map((region) => ({ monitorId: id, region, ...schedulePlace(id, region), nextCheckAt: now })),
    ),
  });
  await notify(tx, 'pharos_checks');
}

/** Takes monitors off every schedule. */
export async function unschedule(tx: Transaction, monitorIds: string[]): Promise<void> {
  await tx.probeSchedule.deleteMany({ where: { monitorId: { in: monitorIds } } });
}

/** Moves what is scheduled onto the grid of a changed interval; checks in flight go on. */
export async function reschedule(
  tx: Transaction,
  { id, interval, regions }: Scheduled,
  now: Date,
): Promise<void> {
  for (const region of regions) {
    const nextCheckAt = nextSlot(now, interval, schedulePlace(id, region).phase);
    await tx.probeSchedule.updateMany({ where: { monitorId: id, region }, data: { nextCheckAt } });
  }
  await notify(tx, 'pharos_checks');
}

/** Adds the regions that are new, with a check at once, and drops those that are gone. */
export async function changeRegions(
  tx: Transaction,
  monitor: Scheduled,
  before: readonly string[],
  now: Date,
): Promise<void> {
  const { id, regions } = monitor;
  await tx.probeSchedule.deleteMany({ where: { monitorId: id, region: { notIn: [...regions] } } });
  await tx.probeSchedule.createMany({
    data: regions
      .filter((region) => !before.includes(region))
      .map((region) => ({ monitorId: id, region, ...schedulePlace(id, region), nextCheckAt: now })),
  });
  await notify(tx, 'pharos_checks');
}

/** Where a monitor stands in a region's schedule: fixed by its id, evenly spread over shards and over the interval. */
export function schedulePlace(monitorId: string, region: string): { slot: number; phase: number } {
  const digest = createHash('sha256').update(`${monitorId}/${region}`).digest();
  return { slot: digest.readUInt32BE(0) % SLOTS, phase: digest.readUInt32BE(4) % PHASES };
}

/**
 * The monitor's next place on its grid after `now`: multiples of the interval, shifted by its phase. At least half an
 * interval away, so that a check out of turn (the first, a late one) is not followed by another at once.
 */
export function nextSlot(now: Date, intervalSeconds: number, phase: number): Date {
  const interval = intervalSeconds * 1000;
  const offset = Math.floor((phase * interval) / PHASES);
  const next = Math.floor((now.getTime() - offset) / interval) * interval + offset + interval;
  return new Date(next - now.getTime() < interval / 2 ? next + interval : next);
}
