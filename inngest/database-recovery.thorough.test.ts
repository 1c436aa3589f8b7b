import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addMonitors, targetUrls } from '@/bench/seed';
import { createLogger } from '@/lib/core/logger';
import { systemClock } from '@/lib/core/time/clock';
import { readOverdue } from '@/lib/engine/checks/shards/leases';
import { parseEnvironment } from '@/lib/env';
import { createDatabase, type Database } from '@/lib/platform/db/client';
import { createTestOrganization, createTestServices, TEST_SECRET_KEY } from '@/lib/testing/services';
import { type StoppableDatabase, startStoppableDatabase } from '@/lib/testing/stoppable-database';
import { startTarget, type Target } from '@/lib/testing/target';
import { waitFor } from '@/lib/testing/wait-for';
import { runWorker } from './run-worker';

const MONITORS = 180;
const INTERVAL_SECONDS = 6;
const USUAL_PER_SECOND = MONITORS / INTERVAL_SECONDS;
/** How long PostgreSQL is stopped; longer stops take the same path. */
const STOPPED_MS = 7000;

let database: StoppableDatabase;
let db: Database;
let target: Target;
let stopWorker: () => Promise<void>;

beforeAll(async () => {
  [database, target] = await Promise.all([startStoppableDatabase(), startTarget()]);
  db = createDatabase(database.url, { poolSize: 2, name: 'pharos tests' });
  const services = createTestServices({ db });
  const { organizationId } = await createTestOrganization(services);
  const options = { monitors: MONITORS, interval: INTERVAL_SECONDS, timeout: 5 };
  await addMonitors(services, organizationId, options, targetUrls({ responding: [target.port] }));
  const environment = { DATABASE_URL: database.url, SECRET_KEY: TEST_SECRET_KEY, PROBE_REGIONS: 'us-east' };
  stopWorker = await runWorker(parseEnvironment(environment), createLogger('silent', 'test'));
  // New monitors are all due at once: the load is even when each is checked in its own slots.
  await waitFor(() => expect(target.requestedAt.length).toBeGreaterThan(2.5 * MONITORS));
});

afterAll(async () => {
  await stopWorker?.();
  await Promise.all([db?.$disconnect(), target?.close()]);
  await database?.close();
});

/** Resolves once the database responds to a new connection; returns when that was. */
async function databaseResponds(): Promise<number> {
  await waitFor(
    async () => {
      const client = new Client({ connectionString: database.url });
      client.on('error', () => undefined);
      await client.connect();
      await client.end();
    },
    { interval: 50 },
  );
  return Date.now();
}

/** The backend process ids of the worker; `waitsFor`: those waiting for that backend. */
async function readBackends(waitsFor: string | null = null): Promise<number[]> {
  const rows = await db.$queryRaw<{ pid: number }[]>`
    SELECT pid FROM pg_stat_activity
     WHERE datname = current_database() AND application_name IN ('pharos worker', 'pharos listen')
       AND (${waitsFor}::text IS NULL OR wait_event_type = ${waitsFor})`;
  return rows.map(({ pid }) => pid);
}

const checksSince = (since: number) =>
  target.requestedAt.map((at) => at.getTime()).filter((at) => at >= since);

const INTERRUPTIONS: Record<string, () => Promise<void>> = {
  'whose connections were ended while it was saying that it is alive': () =>
    db.$transaction(async (tx) => {
      await tx.$executeRaw`LOCK TABLE raw.check_runner IN EXCLUSIVE MODE`;
      await waitFor(async () => expect(await readBackends('Lock')).not.toEqual([]));
      for (const pid of await readBackends()) await tx.$queryRaw`SELECT pg_terminate_backend(${pid}::int)`;
    }),
  'whose PostgreSQL recovers from the kill -9 of a backend': async () => {
    const [pid = 0] = await readBackends();
    process.kill(pid, 'SIGKILL');
  },
  'whose PostgreSQL was stopped': async () => {
    await database.stop();
    await delay(STOPPED_MS);
    await database.start();
  },
};

describe.each(Object.entries(INTERRUPTIONS))('a worker %s', (_, interrupt) => {
  // How they are spread over time is decided in schedule.test.ts.
  it('checks all monitors again', async () => {
    const steadySince = Date.now();
    await waitFor(() => expect(checksSince(steadySince).length).toBeGreaterThan(USUAL_PER_SECOND));
    await interrupt();
    const since = await databaseResponds();
    await waitFor(() => expect(checksSince(since).length).toBeGreaterThan(0.9 * MONITORS));
    await waitFor(async () => expect(await readOverdue({ db, clock: systemClock }, 'us-east')).toBeNull());
  });
});
