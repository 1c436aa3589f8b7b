import type { Transaction } from '@/lib/platform/db/client';
import { notify } from '@/lib/platform/db/notify';
import type { RegionId } from '@/lib/schemas/regions';
import { nextSlot, schedulePlace } from './schedule';

type Scheduled = { id: string; interval: number; regions: readonly RegionId[] };

/**
 * Puts monitors on the schedule of each of their regions, with a first check at once, and wakes the workers. What was
 * scheduled or running before is forgotten: a check in flight finds its claim gone and its result is dropped.
 */
export async function scheduleAfresh(
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
