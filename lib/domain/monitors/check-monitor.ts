import { isCalled, isProbed } from '@/lib/checks/types';
import { DomainError, invalidField, requireFound, TooSoonError } from '@/lib/core/errors';
import { createId } from '@/lib/core/ids';
import { formatTiming } from '@/lib/core/time/duration';
import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import { requirePermission } from '@/lib/domain/context/permissions';
import { lockOrganization } from '@/lib/domain/organizations/lock-organization';
import type { Transaction } from '@/lib/platform/db/client';
import { Prisma } from '@/lib/platform/db/generated/client';
import { notify } from '@/lib/platform/db/listen';
import { type Findings, type ManualCheck, OUTCOMES } from '@/lib/schemas/monitor/result';
import { isRegionId, type RegionId } from '@/lib/schemas/regions';
import { awaitResult } from './requested-results';

/** Added to the timeout of the monitor for the round trip to the workers. */
const MARGIN_MS = 5000;
/** How long after a request the next one of the same monitor is refused. */
const REST_MS = 10_000;
/** Of one organization at a time. */
const MAX_PENDING = 20;

/**
 * Requests one check of a monitor from each of its regions, from workers there; no region has reported yet. Throws FORBIDDEN, NOT_FOUND,
 * MONITOR_PAUSED, VALIDATION_ERROR for a monitor that is not probed, and RATE_LIMITED within 10 seconds of the last request, or while 20 of the organization are pending.
 */
export async function requestCheck(ctx: OrganizationContext, monitorId: string): Promise<ManualCheck> {
  requirePermission(ctx, 'monitor.test');
  const { organizationId } = ctx;
  return ctx.db.$transaction(async (tx) => {
    await lockOrganization(tx, organizationId);
    const now = ctx.clock.now();
    const where = { id: monitorId, organizationId };
    const select = { type: true, enabled: true, regions: true, timeout: true };
    const monitor = requireFound(await tx.monitor.findFirst({ where, select }), 'Monitor');
    if (!isProbed(monitor)) {
      const instead = isCalled(monitor) ? 'its job calls the heartbeat URL' : 'it follows its members';
      throw invalidField('type', `has no checks: ${instead}`);
    }
    if (!monitor.enabled) {
      throw new DomainError('MONITOR_PAUSED', 'This monitor is paused. Resume it to check it.');
    }
    await requireRest(tx, { monitorId, organizationId, now });
    const id = createId('manualCheck');
    const regions = monitor.regions.filter(isRegionId);
    const expiresAt = new Date(now.getTime() + monitor.timeout * 1000 + MARGIN_MS);
    await tx.manualCheck.createMany({
      data: regions.map((region) => ({ id, region, monitorId, requestedAt: now, expiresAt })),
    });
    await notify(tx, 'pharos_manual_checks');
    return { id, results: [], missing: regions };
  });
}

type Requester = { monitorId: string; organizationId: string; now: Date };

/** Under the lock of the organization, so that of two requests at a time only one passes. */
async function requireRest(tx: Transaction, { monitorId, organizationId, now }: Requester): Promise<void> {
  const [{ lastAt, pending }] = await tx.$queryRaw<[{ lastAt: Date | null; pending: number }]>`
    SELECT (SELECT max(requested_at) FROM manual_check WHERE monitor_id = ${monitorId}) AS "lastAt",
           (SELECT count(DISTINCT manual_check.id)::int
              FROM manual_check JOIN monitor ON monitor.id = monitor_id
             WHERE organization_id = ${organizationId} AND finished_at IS NULL AND expires_at > ${now}) AS pending`;
  const restMs = lastAt === null ? 0 : lastAt.getTime() + REST_MS - now.getTime();
  if (restMs > 0) {
    const seconds = Math.ceil(Math.min(restMs, REST_MS) / 1000);
    throw new TooSoonError(
      `This monitor was just checked. Retry in ${formatTiming(seconds * 1000)}.`,
      seconds,
    );
  }
  if (pending >= MAX_PENDING) {
    const message = `At most ${MAX_PENDING} monitors of an organization can be checked at the same time. Retry in 5s.`;
    throw new TooSoonError(message, 5);
  }
}

type Row = {
  region: RegionId;
  expiresAt: Date;
  checkedAt: Date | null;
  outcome: number | null;
  findings: Findings | null;
  /** How many of all its regions have reported. */
  count: number;
};

/**
 * The results of a requested check once all of its regions have reported, or only `region`; those that do not before the timeout of the
 * monitor and 5 seconds have passed are `missing`. Ends early when `signal` aborts. Throws FORBIDDEN, and NOT_FOUND for checks of other
 * organizations and deleted monitors.
 */
export async function awaitCheck(
  ctx: OrganizationContext,
  id: string,
  { region, signal }: { region?: RegionId; signal?: AbortSignal } = {},
): Promise<ManualCheck> {
  requirePermission(ctx, 'monitor.test');
  for (;;) {
    const rows = await readCheck(ctx, id, region);
    const { expiresAt } = requireFound(rows[0], 'Check');
    const results = rows.flatMap(toResult);
    const { count } = rows[0] ?? { count: 0 };
    const missing = rows.filter(({ checkedAt }) => checkedAt === null).map((row) => row.region);
    if (missing.length === 0 || signal?.aborted || ctx.clock.now() >= expiresAt) {
      return { id, results, missing };
    }
    const ms = expiresAt.getTime() - ctx.clock.now().getTime();
    await awaitResult(ctx, { id, count }, { ms, signal });
  }
}

/** What is reported too late is stored, but not part of the response: replays of a request respond alike. */
function readCheck({ db, organizationId }: OrganizationContext, id: string, region?: RegionId) {
  const which = region === undefined ? Prisma.empty : Prisma.sql`AND region = ${region}`;
  return db.$queryRaw<Row[]>`
    SELECT region, expires_at AS "expiresAt",
           CASE WHEN finished_at <= expires_at THEN checked_at END AS "checkedAt", outcome, findings,
           (SELECT count(*)::int
              FROM manual_check AS each
             WHERE each.id = ${id} AND finished_at IS NOT NULL) AS count
      FROM manual_check
      JOIN monitor ON monitor.id = monitor_id
     WHERE manual_check.id = ${id} AND organization_id = ${organizationId} ${which}
     ORDER BY array_position(monitor.regions, region)`;
}

function toResult({ region, checkedAt, outcome, findings }: Row): ManualCheck['results'] {
  if (checkedAt === null || outcome === null || findings === null) return [];
  const base = { checkedAt: checkedAt.toISOString(), region, trigger: 'manual', late: false } as const;
  return [{ ...base, outcome: OUTCOMES[outcome] ?? 'unknown', ...findings }];
}
