import { randomUUID } from 'node:crypto';
import type { ProbeResult } from '@/lib/checks/result';
import { createId } from '@/lib/core/ids';
import { createLogger } from '@/lib/core/logger';
import { createManualClock } from '@/lib/core/time/clock';
import { createMonitor } from '@/lib/domain/monitors/create-monitor';
import { recordResults } from '@/lib/engine/checks/recording/record-results';
import type { FinishedCheck } from '@/lib/engine/checks/recording/store-results';
import { createDatabaseKeeper } from '@/lib/engine/checks/shards/database-store';
import type { ShardKeeper } from '@/lib/engine/checks/shards/keep-shards';
import type { DueCheck } from '@/lib/engine/checks/shards/scheduled-monitor';
import { ensureResultPartitions } from '@/lib/engine/upkeep/retention';
import type { Database } from '@/lib/platform/db/client';
import { createMonitorSchema, type Monitor } from '@/lib/schemas/monitor';
import { parseInput } from '@/lib/schemas/validation';
import { createTestOrganization, createTestServices } from '@/lib/testing/services';

export const START = new Date('2026-03-01T12:00:00.000Z');

const RESPONDED: ProbeResult = {
  outcome: 'ok',
  responseTime: 12,
  statusCode: 200,
  error: null,
  phases: { dns: null, connect: 1, tls: null, firstByte: 11, transfer: 0 },
  certificateExpiresAt: null,
  certificateIssuer: null,
  certificateName: null,
  bodySize: null,
  networkFailure: false,
  evidence: null,
};

export const OK: ProbeResult = RESPONDED;
export const SLOW: ProbeResult = { ...RESPONDED, responseTime: 9000 };
export const FAILED: ProbeResult = {
  ...RESPONDED,
  outcome: 'failed',
  statusCode: 503,
  error: { code: 'status', message: 'responded with 503, expected 200' },
};
export const UNKNOWN: ProbeResult = {
  ...RESPONDED,
  outcome: 'unknown',
  responseTime: null,
  statusCode: null,
  error: { code: 'blocked', message: 'this target address is not allowed' },
};

/** The databases with partitions for the days around `START`, whose creation is more statements than the rest of a story. */
const partitioned = new WeakMap<Database, Promise<void>>();

function ensurePartitionsOnce(db: Database): Promise<void> {
  const ensured = partitioned.get(db) ?? ensureResultPartitions(db, START);
  partitioned.set(db, ensured);
  return ensured;
}

/** A new organization on `db`, with a manual clock; email is off unless `mail` is true. */
export async function beginStory(db: Database, { mail = false }: { mail?: boolean } = {}) {
  const clock = createManualClock(START);
  const services = createTestServices({ db, clock, mail });
  const { ctx, organizationId } = await createTestOrganization(services);
  await ensurePartitionsOnce(db);
  const ownWorker = createId('worker');
  const keepers = new Map<string, ShardKeeper>();
  const keepRegion = (region: string, workerId: string) => {
    const keeper = createDatabaseKeeper(
      services,
      { region, workerId },
      { log: createLogger('silent', 'test') },
    );
    keepers.set(`${region} ${workerId}`, keeper);
    return keeper;
  };

  return {
    clock,
    services,
    ctx,
    organizationId,
    async addMonitor(fields: object = {}): Promise<Monitor> {
      const input = { name: 'Shop', url: 'http://shop.test/', ...fields };
      return createMonitor(ctx, parseInput(createMonitorSchema, input));
    },
    /**
     * Takes what is due in a region now, and returns this story's checks, which end at once. The story's worker takes the region over
     * from any other, or the named one does.
     */
    async take(region = 'us-east', worker = ownWorker): Promise<DueCheck[]> {
      await db.$executeRaw`DELETE FROM raw.check_runner WHERE region = ${region} AND worker_id <> ${worker}`;
      const keeper = keepers.get(`${region} ${worker}`) ?? keepRegion(region, worker);
      await keeper.sync();
      const due = keeper.takeDue(1000);
      for (const check of due) keeper.giveBack(check);
      return due.filter(({ monitor }) => monitor.organizationId === organizationId);
    },
    /** Advances the clock past the next slot, then records one result per monitor of a region. */
    async check(result: ProbeResult, { region = 'us-east', afterMs = 90_000 } = {}): Promise<number> {
      clock.advance(afterMs);
      const taken = await this.take(region);
      return recordAsOwner(
        services,
        taken.map((check) => ({ check, startedAt: clock.now(), result })),
      );
    },
  };
}

/** Records results like the worker that keeps the schedule of their monitors. */
export function recordAsOwner(
  services: Parameters<typeof recordResults>[0],
  finished: readonly FinishedCheck[],
): Promise<number> {
  return recordResults(services, finished, { id: randomUUID(), routine: null, isOwner: true });
}
