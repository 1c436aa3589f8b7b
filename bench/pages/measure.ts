import { Agent } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { get, mean, type Pids, startCpuMeter, TURNS, WARM_UP } from '../playground';

/** CPU to render one response, in milliseconds, and of a bare Next route at the same time. */
export type Misses = { requests: number; webMs: number; postgresMs: number; bareMs: number };

/** Requests uncached pages in sequence, each for a new host and visitor: the host is part of the cache key. In turns with a bare Next route. */
export async function measureMisses(
  { origin, path }: { origin: string; path: string },
  pids: Pids,
  requests: number,
  bare: { measure(): Promise<number> },
): Promise<Misses> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const requestEach = async (name: string, requests: number) => {
    for (let number = 0; number < requests; number += 1) {
      const visitor = `198.51.100.${number % 250}`;
      const headers = { Host: `${name}-${number}.example.com`, 'X-Forwarded-For': visitor };
      const { status } = await get(origin + path, { ...headers, 'Accept-Encoding': 'gzip' }, agent);
      if (status !== 200) throw new Error(`${path} responded with ${status}`);
    }
  };
  const kind = path.startsWith('/api/') ? 'json' : 'html';
  await requestEach(`warm-${kind}`, WARM_UP.requests);
  const used: Pids[] = [];
  const bareMs: number[] = [];
  for (let turn = 0; turn < TURNS; turn += 1) {
    bareMs.push(await bare.measure());
    const meter = startCpuMeter(pids);
    await requestEach(`${kind}-${turn}`, requests / TURNS);
    used.push(meter());
  }
  agent.destroy();
  const perRequest = (of: (pids: Pids) => number) => (TURNS * mean(used.map(of))) / requests;
  return {
    requests,
    webMs: perRequest(({ pharos }) => pharos),
    postgresMs: perRequest(({ postgres }) => postgres),
    bareMs: mean(bareMs),
  };
}

/** Responses during a database outage, and the time until a response is verified again. */
export type Outage = Awaited<ReturnType<typeof measureOutage>>;

const REQUESTS = 200;
const EVERY_MS = 20;
const PATIENCE_MS = 60_000;

/** Stops the database, requests each path 200 times, restarts it, and waits for a verified response. */
export async function measureOutage(
  origin: string,
  paths: string[],
  database: { stop(): Promise<void>; start(): Promise<void> },
) {
  const outage = { requests: 0, ok: 0, marked: 0, slowestMs: 0 };
  await database.stop();
  for (let number = 0; number < REQUESTS; number += 1) {
    const begun = performance.now();
    const url = origin + (paths[number % paths.length] ?? '');
    const { status, headers } = await get(url, { 'Accept-Encoding': 'gzip' });
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
      if (performance.now() - started > PATIENCE_MS) throw new Error('responses are still not verified');
      await delay(EVERY_MS);
    }
  }
  return { ...outage, verifiedAfterMs: performance.now() - started };
}
