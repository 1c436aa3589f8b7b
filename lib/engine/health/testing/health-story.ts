import { afterEach } from 'vitest';
import { createLogger } from '@/lib/core/logger';
import { createManualClock } from '@/lib/core/time/clock';
import { createMonitor } from '@/lib/domain/monitors/create-monitor';
import { createDatabaseKeeper } from '@/lib/engine/checks/shards/database-store';
import type { ShardKeeper } from '@/lib/engine/checks/shards/keep-shards';
import { createHealth, type Health, type HealthOptions } from '@/lib/engine/health/health';
import { type Heartbeat, startHeartbeat } from '@/lib/engine/runtime/heartbeat';
import { createMonitorSchema, type Monitor } from '@/lib/schemas/monitor';
import { type TestDatabase, useTestDatabase } from '@/lib/testing/database';
import { createTestOrganization, createTestServices } from '@/lib/testing/services';

export const START = new Date('2026-03-01T12:00:00.000Z');

/** This many seconds after `START`. */
export const atSecond = (seconds: number) => new Date(START.getTime() + seconds * 1000);

type WorkerOptions = { id?: string; regions?: string[]; duties?: 'all' | 'probe' };

/** Begins a health story on a test database of its own, and ends it after the test. */
export function useHealthStory() {
  const database = useTestDatabase();
  const ending: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const end of ending.splice(0)) await end();
  });
  return {
    database,
    /** Runs `end` after the test, after what was registered before. */
    atEnd: (end: () => Promise<void>) => void ending.push(end),
    begin: async (options: Partial<HealthOptions> = {}) => {
      const story = await beginHealthStory(database, options);
      ending.push(story.end);
      return story;
    },
  };
}

/** An empty service with a manual clock, and health as seen by one process. */
async function beginHealthStory(
  { db, url }: Pick<TestDatabase, 'db' | 'url'>,
  options: Partial<HealthOptions> = {},
) {
  await db.$executeRaw`
    TRUNCATE organization, worker, region_presence, duties_presence, monitor, probe_schedule, delivery, mail,
             raw.check_runner, raw.shard_lease, raw.schedule_change CASCADE`;
  const clock = createManualClock(START);
  const services = createTestServices({ db, clock, mail: true });
  const { ctx, organizationId } = await createTestOrganization(services);
  const beating: Heartbeat[] = [];
  const watching: Health[] = [];
  const watch = (more: Partial<HealthOptions> = {}) => {
    const health = createHealth({
      url,
      clock,
      hasInngest: false,
      reuseMs: -1,
      descriptors: async () => null,
      ...options,
      ...more,
    });
    watching.push(health);
    return health;
  };
  const health = watch();
  return {
    clock,
    ctx,
    db,
    services,
    organizationId,
    health,
    /** Health as seen by another process. */
    watch,
    addMonitor: (fields: object = {}): Promise<Monitor> =>
      createMonitor(
        ctx,
        createMonitorSchema.parse({ name: 'Acme Shop', url: 'http://shop.test/', ...fields }),
      ),
    /** A healthy worker; `beat` writes its next heartbeat. */
    async addWorker({ id = 'wrk_one', regions = ['us-east'], duties = 'all' }: WorkerOptions = {}) {
      const log = createLogger('silent', 'test');
      const heartbeat = await startHeartbeat(services, { workerId: id, regions, duties, log });
      beating.push(heartbeat);
      let pendingMs: number | null = null;
      heartbeat.setPendingReader(() => pendingMs);
      return {
        ...heartbeat,
        hasPending: (ms: number | null) => {
          pendingMs = ms;
        },
      };
    },
    /** The checks of a region as a worker runs them, from its first `sync`. */
    addRunner: ({ id = 'wrk_one', region = 'us-east' } = {}): ShardKeeper =>
      createDatabaseKeeper(services, { region, workerId: id }, { log: createLogger('silent', 'test') }),
    /** The parts that are not ok: name, status and since when. */
    async read() {
      const { status, parts } = await health.read();
      const unhealthy = parts.filter((part) => part.status !== 'ok');
      return { status, unhealthy: unhealthy.map((part) => [part.name, part.status, part.since] as const) };
    },
    end: async () => {
      await Promise.all(beating.map((heartbeat) => heartbeat.stop()));
      await Promise.all(watching.map((one) => one.close()));
    },
  };
}
