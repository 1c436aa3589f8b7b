import { setTimeout as delay } from 'node:timers/promises';
import type { Database } from '@/lib/platform/db/client';
import { percentiles } from '../playground';

/** A received delivery: `at` in milliseconds, `timestamp` from the event. */
export type Arrival = { id: string; at: number; timestamp: string; body: string };

/** Times to the first arrival of each delivery in milliseconds, and the period of the events. */
export function measureArrivals(arrivals: Arrival[], failedAt: number) {
  const first = new Map<string, Arrival>();
  for (const one of arrivals.toSorted((a, b) => a.at - b.at)) if (!first.has(one.id)) first.set(one.id, one);
  const unique = [...first.values()];
  const changes = unique.map(({ timestamp }) => Date.parse(timestamp));
  const [begin, end] = [least(changes), -least(changes.map((at) => -at))];
  return {
    arrival: percentiles(unique.map(({ at, timestamp }) => at - Date.parse(timestamp))),
    sinceFailure: percentiles(unique.map(({ at }) => at - failedAt)),
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
export async function countDeliveries(db: Database, endpointId: string) {
  const rows = await db.delivery.findMany({ where: { endpointId }, select: { id: true, status: true } });
  const count = (status: string) => rows.filter((row) => row.status === status).length;
  const ids = new Set(rows.map(({ id }) => id));
  return { ids, delivered: count('delivered'), pending: count('pending') };
}

/** Samples the connections of the worker until stopped: the maximum that were open and active. */
export function watchConnections(db: Database) {
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
