import { describeError } from '@/lib/core/errors';
import type { Logger } from '@/lib/core/logger';
import { readAncestors } from '@/lib/domain/monitors/dependencies/read-ancestors';
import { type Notifying, notifyLate } from '@/lib/notify/emit-events';
import { decideEnd, planEnd } from '@/lib/notify/flapping';
import {
  endFlapping,
  type OpenRow,
  postponeFlapping,
  readAlerted,
  readDueFlapping,
} from '@/lib/notify/flapping-rows';
import type { Transaction } from '@/lib/platform/db/client';
import { Prisma } from '@/lib/platform/db/generated/client';
import { notify } from '@/lib/platform/db/listen';
import { readMoment } from '@/lib/platform/db/moments';
import { isDatabaseUnavailable } from '@/lib/platform/db/unavailable';
import { noteLive } from '@/lib/platform/live/note-live';
import type { Announcing } from './decide-held';

/** Monitors per transaction. */
const BATCH = 500;
/** The next poll handles what remains after this many batches. */
const MAX_BATCHES = 20;
/** When one that cannot be ended, or is being changed, is looked at again. */
const RETRY_MS = 1000;
const POSTPONED_MS = 60_000;

/**
 * Ends the flapping of monitors that have been steady for long enough, or were interrupted: people are notified once of what became of
 * them, whichever of several workers does it, in the transaction that ends it. Alerts that are still open are ended, unless the monitor is down.
 * Returns when to look again; null: nothing flaps.
 */
export async function endSteady(services: Announcing & { log?: Logger }): Promise<Date | null> {
  const { clock } = services;
  let nextAt = await readMoment(services.db, flappingDueAt);
  for (let batch = 0; batch < MAX_BATCHES && nextAt !== null && nextAt <= clock.now(); batch++) {
    if ((await endDue(services)) === 0) return new Date(clock.now().getTime() + RETRY_MS);
    nextAt = await readMoment(services.db, flappingDueAt);
  }
  return nextAt;
}

/** When to look at the next monitor that flaps. */
export const flappingDueAt = Prisma.sql`(SELECT min(look_at) FROM flapping WHERE ended_at IS NULL)`;

/** Returns about how many was decided. */
async function endDue(services: Announcing & { log?: Logger }): Promise<number> {
  const { db, clock, log } = services;
  const due = await db.$queryRaw<{ id: string }[]>`
    SELECT monitor_id AS id FROM flapping
     WHERE ended_at IS NULL AND look_at <= ${clock.now()} ORDER BY look_at LIMIT ${BATCH}`;
  const ids = due.map(({ id }) => id).toSorted();
  try {
    return await db.$transaction((tx) => endBatch(tx, services, ids));
  } catch (error) {
    if (isDatabaseUnavailable(error)) throw error;
    log?.error(
      { error: describeError(error) },
      'could not end the flapping of some monitors; ending it one by one',
    );
  }
  for (const id of ids) await endAlone(services, id);
  return ids.length;
}

async function endAlone(services: Announcing & { log?: Logger }, id: string): Promise<void> {
  const { db, clock, log } = services;
  try {
    await db.$transaction((tx) => endBatch(tx, services, [id]));
  } catch (error) {
    if (isDatabaseUnavailable(error)) throw error;
    log?.error({ monitor: id, error: describeError(error) }, 'could not end the flapping of a monitor');
    await postponeFlapping(db, [{ monitorId: id, until: new Date(clock.now().getTime() + POSTPONED_MS) }]);
  }
}

/**
 * Ends the flapping of monitors that were paused or deleted, before their incidents are resolved. Returns the monitors that flapped, with
 * the incident whose alerts are open: people were notified of no other.
 */
export async function closeFlapping(
  tx: Transaction,
  services: Notifying,
  monitorIds: readonly string[],
  now: Date,
): Promise<ReadonlyMap<string, string | null>> {
  const alerted = await readAlerted(tx, monitorIds);
  if (alerted.size > 0) {
    await announceEnds(
      tx,
      services,
      await readDueFlapping(tx, [...alerted.keys()], now, { resolves: true }),
      now,
    );
  }
  return alerted;
}

async function endBatch(tx: Transaction, services: Announcing, ids: string[]): Promise<number> {
  const now = services.clock.now();
  const rows = await readDueFlapping(tx, ids, now);
  const dependents = rows.filter(({ dependsOn, status }) => dependsOn.length > 0 && status !== 'operational');
  const ancestors = await readAncestors(
    tx,
    dependents.map(({ monitorId, dependsOn }) => ({ id: monitorId, dependsOn })),
    now,
  );
  const decided = rows.map((row) => {
    const isSuppressed = (ancestors.get(row.monitorId) ?? []).some(
      ({ isWatched, isDown }) => isWatched && isDown,
    );
    return { row, ...decideEnd(row, { isSuppressed }, now) };
  });
  await postponeFlapping(
    tx,
    decided.flatMap((one) =>
      one.kind === 'wait' ? [{ monitorId: one.row.monitorId, until: new Date(one.until) }] : [],
    ),
  );
  await announceEnds(
    tx,
    services,
    decided.filter(({ kind }) => kind === 'over').map(({ row }) => row),
    now,
  );
  return rows.length;
}

/** Notifies people of what became of monitors, and ends it. */
async function announceEnds(tx: Transaction, services: Notifying, rows: readonly OpenRow[], now: Date) {
  if (rows.length === 0) return;
  const ends = rows.map((row) => planEnd(row, now));
  const notices = ends.map(({ notice }) => notice);
  await notifyLate(tx, services, { events: ends.flatMap(({ events }) => events), notices }, now);
  await notify(tx, 'pharos_mail');
  await endFlapping(
    tx,
    rows.map(({ id }) => id),
    now,
  );
  const organizationIds = [...new Set(rows.map(({ organizationId }) => organizationId))];
  await noteLive(tx, [{ kind: 'changes', organizationIds }]);
}
