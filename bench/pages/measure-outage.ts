import { setTimeout as delay } from 'node:timers/promises';
import { get } from './get';

/** What was answered while the database was away, and how long after its return an answer was verified again. */
export type Outage = {
  requests: number;
  ok: number;
  marked: number;
  slowestMs: number;
  verifiedAfterMs: number;
};

const REQUESTS = 200;
const EVERY_MS = 20;
const PATIENCE_MS = 60_000;

/** Stops the database, asks 200 times for each path in turn, starts it again and waits for an answer without the mark. */
export async function measureOutage(
  origin: string,
  paths: string[],
  database: { stop(): Promise<void>; start(): Promise<void> },
): Promise<Outage> {
  const outage = { requests: 0, ok: 0, marked: 0, slowestMs: 0, verifiedAfterMs: 0 };
  await database.stop();
  for (let number = 0; number < REQUESTS; number += 1) {
    const begun = performance.now();
    const { status, headers } = await get(origin + (paths[number % paths.length] ?? ''), {
      'Accept-Encoding': 'gzip',
    });
    outage.requests += 1;
    if (status === 200) outage.ok += 1;
    if (headers.warning !== undefined) outage.marked += 1;
    outage.slowestMs = Math.max(outage.slowestMs, performance.now() - begun);
    await delay(EVERY_MS);
  }
  await database.start();
  const started = performance.now();
  for (const path of paths) {
    while ((await get(origin + path)).headers.warning !== undefined) {
      if (performance.now() - started > PATIENCE_MS) throw new Error('answers are still not verified');
      await delay(EVERY_MS);
    }
  }
  return { ...outage, verifiedAfterMs: performance.now() - started };
}
