import { requireFound } from '@/lib/core/errors';
import { toIso } from '@/lib/core/time/iso';
import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import { requirePermission } from '@/lib/domain/context/permissions';
import { Prisma } from '@/lib/platform/db/generated/client';
import type { MonitorStatus } from '@/lib/platform/db/generated/enums';
import { HIDDEN } from '@/lib/schemas/hidden';
import type { Monitor } from '@/lib/schemas/monitor';
import {
  type CurrentMonitor,
  FLAPPING_SINCE,
  IS_IN_MAINTENANCE,
  readCurrentMonitors,
  startOfUptime,
} from './lists/current-monitors';
import { ROW_VERSION, readConfigs, type StoredConfig, type Versioned } from './stored-configs';

/** A monitor with the parts of its state that the API returns, without its configuration. */
export type MonitorRow = Versioned & {
  status: MonitorStatus;
  consecutiveFailures: number;
  isInMaintenance: boolean;
  flappingSince: Date | null;
};

/** The columns of a `MonitorRow`. */
export const MONITOR_COLUMNS = {
  rowVersion: ROW_VERSION,
  status: Prisma.sql`state.status`,
  consecutiveFailures: Prisma.sql`state.consecutive_failures`,
  isInMaintenance: IS_IN_MAINTENANCE,
  flappingSince: FLAPPING_SINCE,
} satisfies Record<Exclude<keyof MonitorRow, 'id'>, Prisma.Sql>;

/** Monitors as the API returns them, in at most one query. Actors who may not change them do not get their secrets. */
export async function serializeMonitors(
  ctx: Pick<OrganizationContext, 'db' | 'actor' | 'keyring'> & Address,
  monitors: readonly CurrentMonitor<MonitorRow>[],
): Promise<Monitor[]> {
  const configs = await readConfigs(
    ctx,
    monitors.map(({ row }) => row),
  );
  return monitors.flatMap((monitor) => {
    const config = configs.get(monitor.row.id);
    return config ? [serializeMonitor(ctx, config, monitor)] : [];
  });
}

function serializeMonitor(
  ctx: Address,
  { config, heartbeatToken, version, createdAt, updatedAt }: StoredConfig,
  { row, silence, changedAt, uptimePercentage, measuredUptimePercentage }: CurrentMonitor<MonitorRow>,
): Monitor {
  return {
    id: row.id,
    ...config,
    heartbeatUrl: heartbeatUrl(ctx, heartbeatToken),
    status: row.status,
    statusChangedAt: toIso(changedAt),
    lastCheckedAt: toIso(silence.lastCheckedAt),
    lastResponseTime: silence.lastResponseTime,
    consecutiveFailures: row.consecutiveFailures,
    uptimePercentage,
    measuredUptimePercentage,
    version,
    createdAt,
    updatedAt,
    maintenance: row.isInMaintenance,
    noDataSince: silence.noDataSince?.toISOString() ?? null,
    flappingSince: row.flappingSince?.toISOString() ?? null,
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

/** A subquery for a column of a monitor of the organization; null if it has no such monitor. */
export function ownMonitor(
  column: 'id' | 'number' | 'regions',
  { organizationId }: Pick<OrganizationContext, 'organizationId'>,
  id: string,
): Prisma.Sql {
  return Prisma.sql`(SELECT ${Prisma.raw(column)} FROM monitor WHERE id = ${id} AND organization_id = ${organizationId})`;
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
  return serializeMonitors(
    ctx,
    await readCurrentMonitors<MonitorRow>(ctx.db, selection, now, startOfUptime(now)),
  );
}
