import { describeError } from '@/lib/core/errors';
import { groupBy } from '@/lib/core/groups';
import type { Logger } from '@/lib/core/logger';
import type { Services } from '@/lib/domain/context/services';
import { readAncestors } from '@/lib/domain/monitors/dependencies/read-ancestors';
import { type HeldRow, readHeldRows, type Settled, settleHeld } from '@/lib/notify/held-rows';
import type { Transaction } from '@/lib/platform/db/client';
import { Prisma } from '@/lib/platform/db/generated/client';
import { notify } from '@/lib/platform/db/listen';
import { readMoment } from '@/lib/platform/db/moments';
import { isDatabaseUnavailable } from '@/lib/platform/db/unavailable';
import { type Ancestor, decideAnnouncement } from '@/lib/state/announcements/decide-announcement';
import type { MonitorStatus } from '@/lib/state/types';
import { announceHeld, findFlapping } from './announce-held';

export type Announcing = Pick<Services, 'db' | 'clock' | 'appUrl' | 'mail'>;

/** Monitors per transaction. */
const BATCH = 500;
/** The next poll handles what remains after this many batches. */
const MAX_BATCHES = 20;
/** How often one is looked at while its ancestors are checked. */
const LOOK_EVERY_MS = 1000;
/** When one that cannot be decided is looked at again. */
const POSTPONED_MS = 60_000;

/**
 * Decides about held announcements that are due: they are announced, suppressed, or looked at later. Each is decided once, in the
 * transaction that writes what follows, whichever of several workers does it. One that fails does not hold up others. Returns when the
 * next is due; null: nothing is due.
 */
export async function decideHeld(services: Announcing & { log?: Logger }): Promise<Date | null> {
  const { clock, log } = services;
  let nextAt = await readMoment(services.db, heldDueAt);
  for (let batch = 0; batch < MAX_BATCHES && nextAt !== null && nextAt <= clock.now(); batch++) {
    // Nothing is decided if others hold the locks: the next poll continues.
    if ((await decideDue(services, log)) === 0) return new Date(clock.now().getTime() + LOOK_EVERY_MS);
    nextAt = await readMoment(services.db, heldDueAt);
  }
  return nextAt;
}

/** Decides about one batch; returns about how many monitors. */
async function decideDue(services: Announcing, log: Logger | undefined): Promise<number> {
  const due = await findDue(services);
  if (due.length === 0) return 0;
  try {
    return await services.db.$transaction((tx) => decideBatch(tx, services, due));
  } catch (error) {
    if (isDatabaseUnavailable(error)) throw error;
    for (const id of due) await decideAlone(services, id, log);
    return due.length;
  }
}

/** When to look at the next announcement. */
export const heldDueAt = Prisma.sql`
  (SELECT min(look_at) FROM held_announcement WHERE ended_at IS NULL AND look_at IS NOT NULL)`;

async function findDue({ db, clock }: Announcing): Promise<string[]> {
  const rows = await db.$queryRaw<{ id: string }[]>`
    SELECT DISTINCT monitor_id AS id
      FROM (SELECT monitor_id FROM held_announcement
             WHERE ended_at IS NULL AND look_at <= ${clock.now()} ORDER BY look_at LIMIT ${BATCH}) AS due
     ORDER BY 1`;
  return rows.map(({ id }) => id);
}

async function decideAlone(services: Announcing, id: string, log: Logger | undefined): Promise<void> {
  const { db, clock } = services;
  try {
    await db.$transaction((tx) => decideBatch(tx, services, [id]));
  } catch (error) {
    if (isDatabaseUnavailable(error)) throw error;
    log?.error({ monitor: id, error: describeError(error) }, 'could not decide about an announcement');
    const later = new Date(clock.now().getTime() + POSTPONED_MS);
    await db.heldAnnouncement.updateMany({
      where: { monitorId: id, endedAt: null, lookAt: { not: null } },
      data: { lookAt: later },
    });
  }
}

/** A monitor about which something is held; null once it is deleted. */
type Monitor = { id: string; dependsOn: string[]; enabled: boolean; interval: number; status: MonitorStatus };

/** Returns about how many monitors was decided. */
async function decideBatch(tx: Transaction, services: Announcing, ids: string[]): Promise<number> {
  // Nobody changes their status meanwhile. This waits for nobody, in whatever order others lock.
  const locked = await tx.$queryRaw<Monitor[]>`
    SELECT id, depends_on AS "dependsOn", enabled, interval, status::text AS status
      FROM monitor_state JOIN monitor ON id = monitor_id
     WHERE monitor_id = ANY(${ids}) ORDER BY monitor_id FOR NO KEY UPDATE OF monitor_state SKIP LOCKED`;
  const monitors = new Map(locked.map((monitor) => [monitor.id, monitor]));
  const known = await tx.monitor.findMany({ where: { id: { in: ids } }, select: { id: true } });
  const busy = new Set(known.map(({ id }) => id).filter((id) => !monitors.has(id)));
  const rows = groupBy(
    await readHeldRows(
      tx,
      ids.filter((id) => !busy.has(id)),
    ),
    ({ monitorId }) => monitorId,
  );
  const now = services.clock.now();
  const ancestors = await readAncestors(tx, locked, now);
  const gone = [...rows].filter(([id]) => !monitors.get(id)?.enabled).flatMap(([, held]) => held);
  const open = await findOpenIncidents(tx, gone);
  const decided = [...rows].map(([id, held]) =>
    decide(held, monitors.get(id), { ancestors: ancestors.get(id) ?? [], open }, now),
  );
  const announced = decided.flatMap((one) => one.announced);
  await announceHeld(tx, services, announced, now, await findFlapping(tx, announced, now));
  await settleHeld(
    tx,
    decided.flatMap(({ settled }) => settled),
  );
  await requestChecks(tx, [...new Set(decided.flatMap(({ unclear }) => unclear))], now);
  return decided.length;
}

/** Which incidents of these changes have not ended. */
async function findOpenIncidents(tx: Transaction, held: readonly HeldRow[]): Promise<ReadonlySet<string>> {
  const ids = held.flatMap(({ incidentId }) => incidentId ?? []);
  if (ids.length === 0) return new Set();
  const open = await tx.incident.findMany({
    where: { id: { in: ids }, automatic: true, resolvedAt: null },
    select: { id: true },
  });
  return new Set(open.map(({ id }) => id));
}

type Decided = { announced: HeldRow[]; settled: Settled[]; unclear: string[] };

/** Decides about everything that is held of a monitor together. */
function decide(
  held: readonly HeldRow[],
  monitor: Monitor | undefined,
  { ancestors, open }: { ancestors: readonly Ancestor[]; open: ReadonlySet<string> },
  now: Date,
): Decided {
  const settle = (change: Omit<Settled, 'id'>): Decided => {
    return {
      announced: [],
      settled: held.map(({ id, causedBy }) => ({ id, causedBy, ...change })),
      unclear: [],
    };
  };
  const announce: Decided = { announced: [...held], settled: [], unclear: [] };
  const last = held.at(-1);
  const causedBy = held.findLast((row) => row.causedBy !== null)?.causedBy ?? null;
  const end = settle({ endedAt: now, lookAt: null });
  // Deleted or paused: what happened before is announced, and what was suppressed stays so. It ends with its incident:
  // only then does nobody hear of the resolution either.
  if (!monitor?.enabled) {
    const isOpen = held.some(({ incidentId }) => incidentId !== null && open.has(incidentId));
    const later = new Date(now.getTime() + LOOK_EVERY_MS);
    return causedBy === null ? announce : isOpen ? settle({ lookAt: later, endedAt: null }) : end;
  }
  const hasRecovered = last?.status === 'operational';
  // Recovered during maintenance, in which nobody is notified.
  if (!hasRecovered && monitor.status === 'operational') return end;
  const heldAt = Math.min(...held.map((row) => row.heldAt.getTime()));
  const intervalMs = monitor.interval * 1000;
  const decision = decideAnnouncement(
    { heldAt, causedBy: causedBy?.id ?? null, intervalMs },
    ancestors,
    now.getTime(),
  );
  switch (decision.kind) {
    case 'suppress':
      return settle({ causedBy: decision.causedBy, lookAt: null, endedAt: hasRecovered ? now : null });
    case 'announce': {
      const isKnown = causedBy === null || monitor.status === 'down' || monitor.status === 'degraded';
      // Its checks started over.
      return isKnown ? announce : settle({ lookAt: new Date(now.getTime() + intervalMs), endedAt: null });
    }
    case 'wait': {
      const isChecking = causedBy === null;
      const nextMs = Math.min(decision.until, isChecking ? now.getTime() + LOOK_EVERY_MS : decision.until);
      const { settled } = settle({ lookAt: new Date(nextMs), endedAt: null });
      return { announced: [], settled, unclear: decision.unclear };
    }
  }
}

/** How soon after a check was requested another one of the same monitor is. */
const REST_MS = 5000;

/**
 * Has monitors checked at once in all of their regions, at most every five seconds. Unlike a check that a person requests, these count:
 * they are checks off the grid, as those that confirm an outage. Monitors whose results are being recorded are left for the next call.
 */
async function requestChecks(tx: Transaction, monitorIds: readonly string[], now: Date): Promise<void> {
  if (monitorIds.length === 0) return;
  const requested = await tx.$executeRaw`
    WITH free AS MATERIALIZED (
      SELECT monitor_id FROM monitor_state WHERE monitor_id = ANY(${[...monitorIds]})
       ORDER BY monitor_id FOR NO KEY UPDATE SKIP LOCKED
    )
    UPDATE probe_schedule SET next_check_at = ${now} FROM free
     WHERE probe_schedule.monitor_id = free.monitor_id
       AND next_check_at NOT BETWEEN ${new Date(now.getTime() - REST_MS)} AND ${now}`;
  if (requested > 0) await notify(tx, 'pharos_checks');
}
