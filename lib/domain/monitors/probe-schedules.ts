import { isProbed, type MonitorType } from '@/lib/checks/types';
import { storableJson } from '@/lib/core/storable-text';
import type { Transaction } from '@/lib/platform/db/client';
import { notify } from '@/lib/platform/db/listen';
import type { RegionId } from '@/lib/schemas/regions';
import { nextSlot, schedulePlace } from '@/lib/state/schedule-grid';

type Scheduled = {
  id: string;
  type: MonitorType;
  interval: number;
  confirmInterval: number | null;
  regions: readonly RegionId[];
};

/**
 * Schedules monitors in each of their regions with an immediate first check, and wakes the workers. Discards what was scheduled
 * before: the result of a check in flight is dropped. Monitors that are not probed are in no schedule.
 */
export async function restartSchedules(
  tx: Transaction,
  monitors: readonly Pick<Scheduled, 'id' | 'type' | 'regions'>[],
  now: Date,
): Promise<void> {
  await unschedule(
    tx,
    monitors.map(({ id }) => id),
  );
  const places = monitors
    .filter(isProbed)
    .flatMap(({ id, regions }) => regions.map((region) => placeOf(id, region)));
  await insertDue(tx, places, now);
  await notify(tx, 'pharos_checks');
}

/** Removes monitors from every schedule. */
export async function unschedule(tx: Transaction, monitorIds: string[]): Promise<void> {
  await tx.$executeRaw`DELETE FROM probe_schedule WHERE monitor_id = ANY(${monitorIds})`;
}

/** Moves scheduled checks onto the grids of changed intervals; checks in flight continue. */
export async function reschedule(tx: Transaction, monitors: readonly Scheduled[], now: Date): Promise<void> {
  const moved = monitors.flatMap(({ id, interval, confirmInterval, regions }) =>
    regions.map((region) => {
      const confirmMs = confirmInterval === null ? null : confirmInterval * 1000;
      const at = nextSlot(now.getTime(), interval * 1000, schedulePlace(id, region).phase, confirmMs);
      return { id, region, at: new Date(at) };
    }),
  );
  await moveSchedules(tx, moved);
}

/**
 * Has a check begin at each of these times, whatever the grid says, unless one has begun since; after it, the grid applies. Wakes the
 * workers, who follow within a second. The caller holds the locks of the states.
 */
export async function moveSchedules(
  tx: Transaction,
  moved: readonly { id: string; region: string; at: Date }[],
): Promise<void> {
  if (moved.length === 0) return;
  await tx.$executeRaw`
    UPDATE probe_schedule SET next_check_at = moved.at
      FROM jsonb_to_recordset(${storableJson(moved)}::jsonb) AS moved (id text, region text, at timestamptz)
     WHERE probe_schedule.monitor_id = moved.id AND probe_schedule.region = moved.region`;
  await notify(tx, 'pharos_checks');
}

/** Schedules new regions with an immediate check and removes dropped ones. `before` has the regions until now, by monitor. */
export async function changeRegions(
  tx: Transaction,
  monitors: readonly Pick<Scheduled, 'id' | 'type' | 'regions'>[],
  before: ReadonlyMap<string, readonly string[]>,
  now: Date,
): Promise<void> {
  if (monitors.length === 0) return;
  const kept = monitors.map(({ id, regions }) => ({ id, regions }));
  await tx.$executeRaw`
    DELETE FROM probe_schedule USING jsonb_to_recordset(${storableJson(kept)}::jsonb) AS kept (id text, regions text[])
     WHERE monitor_id = kept.id AND region <> ALL (kept.regions)`;
  const added = monitors
    .filter(isProbed)
    .flatMap(({ id, regions }) =>
      regions.filter((region) => !before.get(id)?.includes(region)).map((region) => placeOf(id, region)),
    );
  await insertDue(tx, added, now);
  await notify(tx, 'pharos_checks');
}

function placeOf(id: string, region: RegionId) {
  return { id, region, ...schedulePlace(id, region) };
}

async function insertDue(tx: Transaction, places: readonly ReturnType<typeof placeOf>[], now: Date) {
  if (places.length === 0) return;
  await tx.$executeRaw`
    INSERT INTO probe_schedule (monitor_id, region, slot, phase, next_check_at)
    SELECT id, region, slot, phase, ${now}
      FROM jsonb_to_recordset(${storableJson(places)}::jsonb)
             AS due (id text, region text, slot smallint, phase smallint)`;
}
