import type { ProbeResult } from '@/lib/checks/result';
import { createManualClock } from '@/lib/core/time/clock';
import { createMonitor } from '@/lib/domain/monitors/create-monitor';
import { type ClaimedCheck, claimDueChecks } from '@/lib/engine/checks/claim-checks';
import { recordResults } from '@/lib/engine/checks/recording/record-results';
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
  bodySize: null,
  networkFailure: false,
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

/** A new organization on `db`, with a manual clock; email is off unless `mail` is true. */
export async function beginStory(db: Database, { mail = false }: { mail?: boolean } = {}) {
  const clock = createManualClock(START);
  const services = createTestServices({ db, clock, mail });
  const { ctx, organizationId } = await createTestOrganization(services);
  await ensureResultPartitions(db, START);
  const own = new Set<string>();

  return {
    clock,
    services,
    ctx,
    organizationId,
    async addMonitor(fields: object = {}): Promise<Monitor> {
      const input = { name: 'Shop', url: 'http://shop.test/', ...fields };
      const monitor = await createMonitor(ctx, parseInput(createMonitorSchema, input));
      own.add(monitor.id);
      return monitor;
    },
    /** Claims what is due in a region now, and returns this story's checks. */
    async claim(region = 'us-east'): Promise<ClaimedCheck[]> {
      const claimed = await claimDueChecks(
        services,
        { region, shard: 0, shards: 1 },
        { limit: 1000, workerId: 'wrk_test' },
      );
      return claimed.filter((check) => own.has(check.monitorId));
    },
    /** Advances the clock past the next slot, then claims and records one result per monitor of a region. */
    async check(result: ProbeResult, { region = 'us-east', afterMs = 90_000 } = {}): Promise<number> {
      clock.advance(afterMs);
      const claimed = await this.claim(region);
      return recordResults(
        services,
        claimed.map((check) => ({ check, startedAt: clock.now(), result })),
      );
    },
  };
}
