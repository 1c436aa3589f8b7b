import type { Services } from '@/lib/domain/context/services';
import { notifyStarted } from '@/lib/domain/maintenance/notify-subscribers';
import { rollOccurrences } from '@/lib/domain/maintenance/open-occurrence';
import { MAINTENANCE_BEGAN, MAINTENANCE_ENDED, switchPeriods } from '@/lib/domain/monitors/history/ledger';
import { type AdvanceServices, advanceMonitors } from '@/lib/engine/checks/advance-monitors';
import {
  type LockedMonitor,
  lockMonitors,
  lockStates,
  writeStates,
} from '@/lib/engine/checks/recording/monitor-states';
import { interruptFlapping } from '@/lib/notify/flapping-rows';
import type { Database, Transaction } from '@/lib/platform/db/client';
import { Prisma } from '@/lib/platform/db/generated/client';
import { readMoment } from '@/lib/platform/db/moments';
import { noteLive } from '@/lib/platform/live/note-live';
import { notePagesChanged } from '@/lib/platform/page-front/application';
import { enterMaintenance, leaveMaintenance } from '@/lib/state/maintenance';

/** Advisory lock: only one worker advances windows at a time. */
const WINDOWS_LOCK = 7_411_206;
/** Monitors entering, and monitors leaving, per transaction. */
const BATCH = 200;
/** The next poll handles what remains after this many batches. */
const MAX_BATCHES = 50;

type Running = Pick<Services, 'db' | 'clock'> & AdvanceServices;

/** Occurrences that are over, or begin without notification; monitors to enter or leave maintenance. */
type Work = { isOver: boolean; isNew: boolean; entering: string[]; leaving: string[] };

/**
 * Puts exactly the monitors covered by a current occurrence into maintenance. Compares actual with desired
 * state and remembers nothing: work left by a crashed worker is done at the next poll, and nothing twice. A
 * single statement if there is nothing to do.
 */
export async function runMaintenanceWindows(services: Running): Promise<void> {
  const { db, clock } = services;
  const { isOver, isNew, entering, leaving } = await findWork(db, clock.now());
  const isNeeded = isOver || isNew || entering.length > 0 || leaving.length > 0;
  for (let batch = 0, hasMore = isNeeded; hasMore && batch < MAX_BATCHES; batch++) {
    hasMore = await db.$transaction((tx) => runBatch(tx, services, clock.now()));
  }
}

const nextChange = (now: Date) => Prisma.sql`
  least((SELECT min(starts_at) FROM maintenance_occurrence WHERE ended_at IS NULL AND starts_at > ${now}),
        (SELECT min(ends_at) FROM maintenance_occurrence
          WHERE ended_at IS NULL AND starts_at <= ${now} AND ends_at > ${now}))`;

/** When the next window starts or ends; null if none is planned. Reads the index of what is not over. */
export async function nextWindowChangeAt({
  db,
  clock,
}: Pick<Services, 'db' | 'clock'>): Promise<Date | null> {
  return readMoment(db, nextChange(clock.now()));
}

/** Returns whether there may be more; false if another worker holds the lock. */
async function runBatch(tx: Transaction, services: Running, now: Date): Promise<boolean> {
  const [lock] = await tx.$queryRaw<{ isMine: boolean }[]>`
    SELECT pg_try_advisory_xact_lock(${WINDOWS_LOCK}) AS "isMine"`;
  if (!lock?.isMine) return false;
  await rollOccurrences(tx, services, now);
  const { isOver, isNew, entering, leaving } = await findWork(tx, now);
  // The next occurrence may cover the same monitors, which must not leave in between.
  if (isOver) return true;
  if (isNew) await notifyStarted(tx, services, now);
  // Lock all together, in the order in which results are recorded, to avoid deadlocks.
  await lockStates(tx, [...entering, ...leaving]);
  await beginMaintenance(tx, services, entering);
  await endMaintenance(tx, services, leaving);
  return entering.length === BATCH || leaving.length === BATCH;
}

/** Paused monitors neither enter nor leave. Reads two dedicated indexes. */
async function findWork(db: Pick<Database, '$queryRaw'>, now: Date): Promise<Work> {
  const [work] = await db.$queryRaw<Work[]>(workQuery(now));
  return work ?? { isOver: false, isNew: false, entering: [], leaving: [] };
}

function workQuery(now: Date): Prisma.Sql {
  return Prisma.sql`
    WITH covered AS (
      SELECT DISTINCT chosen.monitor_id AS id
        FROM maintenance_occurrence AS occurrence
        JOIN maintenance_window_monitor AS chosen ON chosen.window_id = occurrence.window_id
       WHERE occurrence.ended_at IS NULL AND occurrence.starts_at <= ${now} AND occurrence.ends_at > ${now}
    )
    SELECT EXISTS (SELECT FROM maintenance_occurrence
                    WHERE ended_at IS NULL AND starts_at <= ${now} AND ends_at <= ${now}) AS "isOver",
           EXISTS (SELECT FROM maintenance_occurrence
                    WHERE ended_at IS NULL AND announced_at IS NULL
                      AND starts_at <= ${now} AND ends_at > ${now}) AS "isNew",
           ARRAY(SELECT covered.id FROM covered JOIN monitor_state AS state ON state.monitor_id = covered.id
                   JOIN monitor ON monitor.id = covered.id
                  WHERE state.status_before_maintenance IS NULL AND monitor.enabled
                  ORDER BY 1 LIMIT ${BATCH}) AS entering,
           ARRAY(SELECT state.monitor_id FROM monitor_state AS state JOIN monitor ON monitor.id = state.monitor_id
                  WHERE state.status_before_maintenance IS NOT NULL AND monitor.enabled
                    AND NOT EXISTS (SELECT FROM covered WHERE covered.id = state.monitor_id)
                  ORDER BY 1 LIMIT ${BATCH}) AS leaving`;
}

/** Now, while there is anything to do; otherwise when the next window starts or ends. */
export function windowsDueAt(now: Date): Prisma.Sql {
  return Prisma.sql`
    (SELECT CASE WHEN "isOver" OR "isNew" OR cardinality(entering) + cardinality(leaving) > 0
                 THEN ${now}::timestamptz ELSE ${nextChange(now)} END
       FROM (${workQuery(now)}) AS work)`;
}

/**
 * Puts monitors into maintenance: checks continue, the ledger shows maintenance, and nobody is notified.
 * Monitors already in maintenance, and paused ones, are unchanged.
 */
export async function beginMaintenance(
  tx: Transaction,
  services: Pick<Services, 'clock' | 'races'>,
  monitorIds: string[],
): Promise<void> {
  if (monitorIds.length === 0) return;
  const { monitors, now } = await lockMonitors(tx, services, monitorIds);
  const entering = monitors.filter((monitor) => monitor.statusBeforeMaintenance === null);
  if (entering.length === 0) return;
  await tx.$executeRaw`
    UPDATE monitor_state SET status_before_maintenance = status
     WHERE monitor_id = ANY(${entering.map(({ id }) => id)})`;
  await writeStates(
    tx,
    entering.map((monitor) => ({
      monitor,
      state: enterMaintenance(monitor.state, now.getTime()),
      observation: null,
    })),
  );
  const period = { from: now, decidedAt: now, why: { rule: MAINTENANCE_BEGAN } };
  await switchPeriods(
    tx,
    entering.map(({ id }) => ({ ...period, monitorId: id, state: 'maintenance' as const })),
  );
  await interruptFlapping(
    tx,
    entering.map(({ id }) => id),
    now,
  );
  await noteChanged(tx, entering);
}

/**
 * Takes monitors out of maintenance. If the status differs from the last notified one, it changes and people
 * are notified now, or with the next checks if it is not settled.
 */
export async function endMaintenance(
  tx: Transaction,
  services: Pick<Services, 'clock' | 'races'> & AdvanceServices,
  monitorIds: string[],
): Promise<void> {
  if (monitorIds.length === 0) return;
  const { monitors, now } = await lockMonitors(tx, services, monitorIds);
  const leaving = monitors.flatMap((monitor) => {
    const { statusBeforeMaintenance: lastNotified, state } = monitor;
    if (lastNotified === null) return [];
    const left = leaveMaintenance(state, lastNotified, now.getTime());
    return [{ ...monitor, state: left, statusBeforeMaintenance: null }];
  });
  if (leaving.length === 0) return;
  await tx.monitorState.updateMany({
    where: { monitorId: { in: leaving.map(({ id }) => id) } },
    data: { statusBeforeMaintenance: null },
  });
  const period = { from: now, decidedAt: now, why: { rule: MAINTENANCE_ENDED } };
  await switchPeriods(
    tx,
    leaving.map(({ id, state }) => {
      const isKnown = state.unknownSince === null;
      return { ...period, monitorId: id, state: isKnown ? state.status : ('unknown' as const) };
    }),
  );
  await noteChanged(tx, leaving);
  await advanceMonitors(
    tx,
    services,
    leaving.map((monitor) => ({ monitor, inputs: [{ kind: 'tick' as const }], observation: null })),
    now,
  );
}

async function noteChanged(tx: Transaction, monitors: LockedMonitor[]): Promise<void> {
  await notePagesChanged(tx, { monitorIds: monitors.map(({ id }) => id) });
  const organizationIds = monitors.map(({ organizationId }) => organizationId);
  await noteLive(tx, [{ kind: 'changes', organizationIds }]);
}
