import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import type { Curve } from './observations';
import type { World } from './world';

/** Milliseconds of real time between two samples. */
const SAMPLE_MS = 5000;

/** Samples what may grow, until `signal` ends it: memory and handles of every process, connections and partitions. */
export async function watchCurves(world: World, signal: AbortSignal): Promise<Curve[]> {
  const curves = new Map<string, Curve>();
  const begun = performance.now();
  const add = (name: string, value: number) => {
    const curve = curves.get(name) ?? { name, points: [] };
    curve.points.push({ second: Math.round((performance.now() - begun) / 1000), value });
    curves.set(name, curve);
  };
  while (!signal.aborted) {
    for (const { name, pid } of new Set([world.launcher, ...world.webs, ...world.workers])) {
      const sample = sampleProcess(pid());
      if (!sample) continue;
      add(`memory of ${name}, MB`, sample.megabytes);
      add(`handles of ${name}`, sample.handles);
    }
    // While the database is down, there is no sample of it.
    const counts = await countInDatabase(world.directUrl).catch(() => null);
    if (counts) for (const [name, value] of Object.entries(counts)) add(name, value);
    await sleep(SAMPLE_MS, undefined, { signal }).catch(() => undefined);
  }
  return [...curves.values()];
}

function sampleProcess(pid: number | null): { megabytes: number; handles: number } | null {
  if (pid === null) return null;
  try {
    const kilobytes = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    return {
      megabytes: Math.round(Number(kilobytes ?? 0) / 1024),
      handles: readdirSync(`/proc/${pid}/fd`).length,
    };
  } catch {
    // It ended in the meantime.
    return null;
  }
}

async function countInDatabase(url: string): Promise<Record<string, number>> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 1000, query_timeout: 1000 });
  // A database that is killed says so twice.
  client.on('error', () => undefined);
  await client.connect();
  try {
    const { rows } = await client.query<Record<string, number>>(`
      SELECT (SELECT count(*)::int FROM pg_stat_activity WHERE backend_type = 'client backend') AS "connections",
             (SELECT count(*)::int FROM pg_inherits WHERE inhparent = 'raw.check_result'::regclass) AS "partitions"`);
    return rows[0] ?? {};
  } finally {
    await client.end().catch(() => undefined);
  }
}
