import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { createId } from '@/lib/core/ids';
import { createLogger } from '@/lib/core/logger';
import { createWake } from '@/lib/core/time/wake';
import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import { createDryRunStore } from '@/lib/engine/checks/requested/dry-run-store';
import { runDryRuns } from '@/lib/engine/checks/requested/run-dry-runs';
import type { Database } from '@/lib/platform/db/client';
import { listen } from '@/lib/platform/db/listen';
import { createMonitorSchema } from '@/lib/schemas/monitor';
import { useTestDatabase } from '@/lib/testing/database';
import { createTestOrganization, createTestServices } from '@/lib/testing/services';
import { openCountingDatabase } from '@/lib/testing/statements';
import { waitFor } from '@/lib/testing/wait-for';
import { testMonitor } from './test-monitor';

const database = useTestDatabase();
/** Accepts connections and never responds. */
let silent: Server;
let url: string;

beforeAll(async () => {
  silent = createServer();
  silent.listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const address = silent.address();
  url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/`;
});
afterAll(() => silent.close());

async function begin() {
  const services = createTestServices({ db: database.db });
  const { ctx } = await createTestOrganization(services);
  return { services, ctx };
}

const input = () => createMonitorSchema.parse({ name: 'Shop', url, timeout: 60 });
const countOf = (ctx: OrganizationContext) =>
  database.db.dryRun.count({ where: { id: { startsWith: `${ctx.organizationId}/` } } });

/** Starts tests that no worker takes, and has them end after the test. */
async function startTests(ctx: OrganizationContext, count: number) {
  const leaving = new AbortController();
  const tests = Array.from({ length: count }, () =>
    testMonitor(ctx, input(), leaving.signal).catch((error) => error),
  );
  const leave = () => {
    leaving.abort();
    return Promise.all(tests);
  };
  onTestFinished(async () => void (await leave()));
  await waitFor(async () => expect(await countOf(ctx)).toBe(Math.min(10, count)));
  return { tests, leave };
}

it('runs at most ten tests of an organization; more cost no statement, and are 429 with when to retry', async () => {
  const { services, ctx } = await begin();
  const { leave } = await startTests(ctx, 10);
  const counting = openCountingDatabase(database.url);
  onTestFinished(() => counting.db.$disconnect());
  const statements = await counting.count(async () => {
    const more = Array.from({ length: 105 }, () => testMonitor({ ...ctx, db: counting.db }, input()));
    const refused = await Promise.allSettled(more);
    for (const each of refused) {
      expect(each).toMatchObject({ reason: { code: 'RATE_LIMITED', retryAfter: 5 } });
    }
  });
  expect(statements).toBe(0);
  const { ctx: other } = await createTestOrganization(services);
  await startTests(other, 1);
  await leave();
  await startTests(ctx, 1);
});

it('counts those of all processes, but not those that a crashed one left', async () => {
  const { services, ctx } = await begin();
  const { db } = database;
  const targetSealed = new Uint8Array();
  const rowsOf = (createdAt: Date) =>
    Array.from({ length: 10 }, () => {
      return {
        id: `${ctx.organizationId}/${createId('dryRun')}`,
        region: 'us-east',
        targetSealed,
        createdAt,
      };
    });
  await db.dryRun.createMany({ data: rowsOf(services.clock.now()) });
  await expect(testMonitor(ctx, input())).rejects.toMatchObject({ code: 'RATE_LIMITED', retryAfter: 5 });
  const where = { id: { startsWith: `${ctx.organizationId}/` } };
  await db.dryRun.updateMany({
    where,
    data: { createdAt: new Date(services.clock.now().getTime() - 71_000) },
  });
  const leaving = new AbortController();
  const test = testMonitor(ctx, input(), leaving.signal).catch((error) => error);
  await waitFor(async () => expect(await countOf(ctx)).toBe(11));
  leaving.abort();
  expect(await test).toMatchObject({ code: 'VALIDATION_ERROR', message: 'The test was canceled.' });
  await db.dryRun.deleteMany({ where });
});

it('waits with one statement for all', async () => {
  const { ctx } = await begin();
  const { ctx: other } = await begin();
  const looks: number[] = [];
  const db = new Proxy(database.db, {
    get: (target, name) =>
      name !== '$queryRaw'
        ? Reflect.get(target, name)
        : (strings: TemplateStringsArray, ids: string[], ...more: unknown[]) => {
            looks.push(ids.length);
            return target.$queryRaw(strings, ids, ...more);
          },
  }) as Database;
  const requestedResults = createWake();
  const common = { db, requestedResults };
  await Promise.all([startTests({ ...ctx, ...common }, 10), startTests({ ...other, ...common }, 10)]);
  await waitFor(() => expect(looks.at(-1)).toBe(20));
  looks.length = 0;
  requestedResults.ring();
  await waitFor(() => expect(looks).not.toEqual([]));
  expect(new Set(looks)).toEqual(new Set([20]));
});

it('ends with its requester: the worker that runs it disconnects and stores nothing', async () => {
  const { services, ctx } = await begin();
  const running = new Map<string, AbortController>();
  const log = createLogger('silent', 'test');
  const stopping = listen(database.url, ['pharos_dry_runs'], {
    onNotify: (_channel, stopped) => void (stopped && running.get(stopped)?.abort()),
    log,
  });
  onTestFinished(stopping.stop);
  await waitFor(async () => {
    const [row] = await database.db.$queryRaw<[{ count: number }]>`
      SELECT count(*)::int AS count FROM pg_stat_activity
       WHERE datname = current_database() AND query = 'LISTEN pharos_dry_runs'`;
    expect(row.count).toBe(1);
  });
  const { leave } = await startTests(ctx, 1);
  const connected = once(silent, 'connection');
  const worker = { requests: createDryRunStore(services), clock: services.clock, running };
  const environment = { policy: services.targetPolicy, userAgent: 'Pharos-Monitor/1.0' };
  const ran = runDryRuns(worker, ['us-east'], environment);
  const [socket]: Socket[] = await connected;
  const closed = socket && once(socket.resume(), 'close');
  await leave();
  await Promise.all([ran, closed]);
  expect([running.size, await countOf(ctx)]).toEqual([0, 0]);
});
