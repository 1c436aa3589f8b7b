import { setTimeout as delay } from 'node:timers/promises';
import type { ProcessServices } from '@/lib/domain/context/services';
import type { Database } from '@/lib/platform/db/client';
import { log, type Pids, percentiles, type Script, startCpuMeter } from '../playground';

const POLL_MS = 100;
const PROGRESS_MS = 2000;
/** Longer than any run needs. */
const PATIENCE_MS = 90_000;
/** Connections of the worker. */
export const POOL = 10;

export type Receivers = { responding: Script[]; hanging: Script; endpointIds: string[]; hangingId: string };

/** What a run measures. Times in milliseconds, unless the name has a unit. */
export type Measured = Awaited<ReturnType<typeof measure>>['figures'];

/** Lets the target fail, and measures until every delivery to the responding receivers is recorded. */
export async function measure(
  { db }: ProcessServices,
  pids: Pids,
  { responding, hanging, endpointIds, hangingId }: Receivers,
  target: Script,
  monitors: number,
) {
  log('the target fails');
  const connections = watchConnections(db);
  const meter = startCpuMeter(pids);
  const failedAt = performance.timeOrigin + performance.now();
  await target.request('fail');
  const respondingIds = endpointIds.filter((id) => id !== hangingId);
  const expected = 2 * monitors * respondingIds.length;
  await until('every delivery is recorded', async () => {
    const counts = await Promise.all(
      responding.map((receiver) => receiver.request<{ count: number }>('count')),
    );
    const arrived = counts.reduce((sum, { count }) => sum + count, 0);
    const state = `${arrived} of ${expected} deliveries arrived`;
    if (arrived < expected) return { done: false, state };
    const where = { endpointId: { in: respondingIds }, status: 'delivered' as const };
    return { done: (await db.delivery.count({ where })) === expected, state };
  });
  const cpu = meter();
  const { open, active } = await connections.stop();

  const taken: Arrival[] = [];
  for (const receiver of responding) {
    taken.push(...(await receiver.request<{ arrivals: Arrival[] }>('take')).arrivals);
  }
  const simultaneous: number[] = [];
  for (const receiver of [...responding, hanging]) {
    simultaneous.push((await receiver.request<{ maxOpen: number }>('count')).maxOpen);
  }
  const { seconds, duplicates, ...arrivals } = measureArrivals(taken, failedAt);
  const recorded = await Promise.all(respondingIds.map((id) => countDeliveries(db, id)));
  const { pending } = await countDeliveries(db, hangingId);
  const arrivedIds = new Set(taken.map(({ id }) => id));
  const known = recorded.flatMap(({ ids }) => [...ids]);
  const deliveries = arrivedIds.size;
  const per = (ms: number) => ms / Math.max(1, deliveries);
  const figures = {
    monitors,
    ...arrivals,
    /** Deliveries due per endpoint. */
    deliveriesPerEndpoint: 2 * monitors,
    /** At responding endpoints. */
    arrived: {
      deliveries,
      lost: expected - known.filter((id) => arrivedIds.has(id)).length,
      duplicates,
      unrecorded: deliveries - recorded.reduce((sum, { delivered }) => sum + delivered, 0),
    },
    /** At the hanging endpoint. */
    hanging: { waiting: pending, lost: 2 * monitors - pending },
    /** Maximum at one endpoint. */
    simultaneousAttempts: Math.max(...simultaneous),
    rate: { perSecond: deliveries / seconds, cpuMs: per(cpu.pharos), postgresCpuMs: per(cpu.postgres) },
    connections: { pool: POOL, open, active },
  };
  return { figures, bodies: [...new Set(taken.map(({ body }) => body))] };
}

/** Waits with progress messages, up to a limit: the figures then show what is missing. */
export async function until(
  what: string,
  look: () => Promise<{ done: boolean; state: string }>,
): Promise<void> {
  const startedAt = performance.now();
  let loggedAt = startedAt;
  for (;;) {
    const { done, state } = await look();
    const now = performance.now();
    if (done || now - loggedAt >= PROGRESS_MS) {
      log(`  ${Math.round((now - startedAt) / 1000)} s: ${state}`);
      loggedAt = now;
    }
    if (done) return;
    if (now - startedAt > PATIENCE_MS) return log(`stopped waiting until ${what}`);
    await delay(POLL_MS);
  }
}

/** A received delivery: `at` in milliseconds, `timestamp` from the event. */
type Arrival = { id: string; at: number; timestamp: string; body: string };

/** Times to the first arrival of each delivery in milliseconds, and the period of the events. */
function measureArrivals(arrivals: Arrival[], failedAt: number) {
  const first = new Map<string, Arrival>();
  for (const one of arrivals.toSorted((a, b) => a.at - b.at)) if (!first.has(one.id)) first.set(one.id, one);
  const unique = [...first.values()];
  const changes = unique.map(({ timestamp }) => Date.parse(timestamp));
  const [begin, end] = [least(changes), -least(changes.map((at) => -at))];
  return {
    /** From the event timestamp to the arrival at a responding endpoint. */
    arrival: percentiles(unique.map(({ at, timestamp }) => at - Date.parse(timestamp))),
    /** From the failure of the target, including everything before the status change. */
    sinceFailure: percentiles(unique.map(({ at }) => at - failedAt)),
    /** From the first status change to the last, by event timestamps. */
    changesWithin: end - begin,
    seconds: ((unique.at(-1)?.at ?? Number.NaN) - begin) / 1000,
    duplicates: arrivals.length - unique.length,
  };
}

/** The minimum of many numbers; `Math.min` supports only a limited number of arguments. */
function least(numbers: number[]): number {
  return numbers.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY);
}

/** The deliveries of an endpoint in the database, by status, and the number of attempts. */
async function countDeliveries(db: Database, endpointId: string) {
  const rows = await db.delivery.findMany({ where: { endpointId }, select: { id: true, status: true } });
  const count = (status: string) => rows.filter((row) => row.status === status).length;
  const ids = new Set(rows.map(({ id }) => id));
  return { ids, delivered: count('delivered'), pending: count('pending') };
}

/** Samples the connections of the worker until stopped: the maximum that were open and active. */
function watchConnections(db: Database) {
  const max = { open: 0, active: 0 };
  let stopped = false;
  const watch = async () => {
    while (!stopped) {
      const [now] = await db.$queryRaw<{ open: number; active: number }[]>`
        SELECT count(*)::int AS open, count(*) FILTER (WHERE state <> 'idle')::int AS active
          FROM pg_stat_activity WHERE application_name = 'pharos worker'`;
      max.open = Math.max(max.open, now?.open ?? 0);
      max.active = Math.max(max.active, now?.active ?? 0);
      await delay(25);
    }
  };
  const watching = watch();
  return {
    stop: async () => {
      stopped = true;
      await watching;
      return max;
    },
  };
}
