import { requireFound } from '@/lib/core/errors';
import { toIso } from '@/lib/core/time/iso';
import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import { requirePermission } from '@/lib/domain/context/permissions';
import { Prisma } from '@/lib/platform/db/generated/client';
import { readTogether } from '@/lib/platform/db/read-together';
import { HIDDEN } from '@/lib/schemas/hidden';
import type { Monitor } from '@/lib/schemas/monitor';
import type { MonitorInParts } from '@/lib/schemas/monitor/monitor-parts';
import {
  type CurrentMonitor,
  completeMonitors,
  FLAPPING_SINCE,
  selectMonitors,
  startOfUptime,
  uptimeForApi,
} from './lists/current-monitors';
import { readConfigs, type StoredConfig } from './stored-configs';

/** What is read of a monitor for the API besides what is current. */
export type MonitorRow = {
  /** Epoch milliseconds. */
  flappingSince: number | null;
};

/** The columns of a `MonitorRow`. */
export const MONITOR_COLUMNS = { flappingSince: FLAPPING_SINCE } satisfies Record<
  keyof MonitorRow,
  Prisma.Sql
>;

/** Monitors as the API returns them, in at most one query. Actors who may not change them do not get their secrets. */
export async function serializeMonitors(
  ctx: Serializing,
  monitors: readonly CurrentMonitor<MonitorRow>[],
): Promise<Monitor[]> {
  return withConfigs(ctx, monitors, (stored, monitor) => ({
    id: stored.id,
    ...stored.config,
    ...currentPart(ctx, stored, monitor),
  }));
}

/** What serializing needs of a caller. */
export type Serializing = Pick<OrganizationContext, 'db' | 'actor' | 'keyring'> & Address;

/** Serializes monitors with their configurations, in at most one query. */
export async function withConfigs<Serialized>(
  ctx: Serializing,
  monitors: readonly CurrentMonitor<MonitorRow>[],
  serialize: (stored: StoredConfig, monitor: CurrentMonitor<MonitorRow>) => Serialized,
): Promise<Serialized[]> {
  const configs = await readConfigs(
    ctx,
    monitors.map(({ facts }) => facts),
  );
  return monitors.flatMap((monitor, place) => {
    const stored = configs[place];
    return stored ? [serialize(stored, monitor)] : [];
  });
}

/** What of a monitor can change while its configuration does not. */
export function currentPart(
  ctx: Address,
  { heartbeatToken, version, createdAt, updatedAt }: StoredConfig,
  {
    row,
    facts,
    silence,
    consecutiveFailures,
    uptimePercentage,
    measuredUptimePercentage,
  }: CurrentMonitor<MonitorRow>,
): MonitorInParts['current'] {
  return {
    heartbeatUrl: heartbeatUrl(ctx, heartbeatToken),
    status: facts.status,
    statusChangedAt: toIso(facts.period?.from ?? null),
    lastCheckedAt: toIso(silence.lastCheckedAt),
    lastResponseTime: silence.lastResponseTime,
    consecutiveFailures,
    uptimePercentage: uptimeForApi(uptimePercentage),
    measuredUptimePercentage,
    version,
    createdAt,
    updatedAt,
    maintenance: facts.isInMaintenance,
    noDataSince: silence.noDataSince?.toISOString() ?? null,
    flappingSince: toIso(row.flappingSince),
    silentRegions: silence.silentRegions,
  };
}

type Address = Pick<OrganizationContext, 'appUrl' | 'baseUrl'>;

function heartbeatUrl({ appUrl, baseUrl = '' }: Address, token: string | null): string | null {
  if (token === null || token === HIDDEN) return token;
  return `${appUrl ?? baseUrl}/heartbeat/${token}`;
}

/** The number of a monitor in stored results. Throws NOT_FOUND like `getMonitor`. */
export async function findMonitorNumber(ctx: OrganizationContext, id: string): Promise<number> {
  requirePermission(ctx, 'monitor.read');
  const row = await ctx.db.monitor.findFirst({
    where: { id, organizationId: ctx.organizationId },
    select: { number: true },
  });
  return requireFound(row, 'Monitor').number;
}

/** The ID of the monitor with a `ref`. Throws NOT_FOUND like `getMonitor`. */
export async function findMonitorIdByRef(ctx: OrganizationContext, ref: string): Promise<string> {
  requirePermission(ctx, 'monitor.read');
  const row = await ctx.db.monitor.findFirst({
    where: { ref, organizationId: ctx.organizationId },
    select: { id: true },
  });
  return requireFound(row, 'Monitor').id;
}

/** A subquery for a column of a monitor of the organization; null if it has no such monitor. */
export function ownMonitor(
  column: 'id' | 'number' | 'regions',
  { organizationId }: Pick<OrganizationContext, 'organizationId'>,
  id: string,
): Prisma.Sql {
  return Prisma.sql`
    (SELECT ${Prisma.raw(column)} FROM monitor WHERE id = ${id} AND organization_id = ${organizationId})`;
}

/** One monitor. Throws NOT_FOUND, also for monitors of other organizations. */
export async function getMonitor(ctx: OrganizationContext, id: string): Promise<Monitor> {
  requirePermission(ctx, 'monitor.read');
  const [monitor] = await readOwn(ctx, Prisma.sql`monitor.id = ${id}`);
  return requireFound(monitor, 'Monitor');
}

/** One monitor by its `ref`. Throws NOT_FOUND like `getMonitor`. */
export async function getMonitorByRef(ctx: OrganizationContext, ref: string): Promise<Monitor> {
  requirePermission(ctx, 'monitor.read');
  const [monitor] = await readOwn(ctx, Prisma.sql`monitor.ref = ${ref}`);
  return requireFound(monitor, 'Monitor');
}

/** Those of these monitors that the organization has, by ID. */
export async function readMonitors(ctx: OrganizationContext, ids: string[]): Promise<Map<string, Monitor>> {
  requirePermission(ctx, 'monitor.read');
  const monitors = ids.length === 0 ? [] : await readOwn(ctx, Prisma.sql`monitor.id = ANY(${ids})`);
  return new Map(monitors.map((monitor) => [monitor.id, monitor]));
}

async function readOwn(ctx: OrganizationContext, condition: Prisma.Sql): Promise<Monitor[]> {
  const where = Prisma.sql`monitor.organization_id = ${ctx.organizationId} AND ${condition}`;
  const selection = { columns: MONITOR_COLUMNS, where };
  const now = ctx.clock.now();
  const selected = await readTogether(ctx.db, (db) => selectMonitors<MonitorRow>(db, selection, now));
  return serializeMonitors(ctx, await completeMonitors(ctx.db, selected, now, startOfUptime(now)));
}
