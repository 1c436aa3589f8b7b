import { requireFound } from '@/lib/core/errors';
import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import { permits, requirePermission } from '@/lib/domain/context/permissions';
import { Prisma } from '@/lib/platform/db/generated/client';
import type { MonitorStatus } from '@/lib/platform/db/generated/enums';
import type { Monitor } from '@/lib/schemas/monitor';
import { describeField, FIELD_NAMES, type FieldName, SECRET_FIELDS } from '@/lib/schemas/monitor/fields';
import { readUptimes } from './history/uptime';
import { readSilences } from './silence';
import { type Columns, readFields, selectFields } from './stored-fields';

/** A monitor with the parts of its state that the API returns. */
export type MonitorRow = Columns<FieldName> & {
  id: string;
  createdAt: Date;
  updatedAt: Date;
  status: MonitorStatus;
  consecutiveFailures: number;
  statusBeforeMaintenance: MonitorStatus | null;
};

/** SELECT and FROM of a `MonitorRow`; `more` are columns before its own. The state is in `state`. */
export function selectMonitorRows(more = Prisma.empty): Prisma.Sql {
  return Prisma.sql`
    SELECT ${more} monitor.id, monitor.created_at AS "createdAt", monitor.updated_at AS "updatedAt",
           ${selectFields(FIELD_NAMES)}, state.status, state.consecutive_failures AS "consecutiveFailures",
           state.status_before_maintenance AS "statusBeforeMaintenance"
      FROM monitor JOIN monitor_state AS state ON state.monitor_id = monitor.id`;
}

/** Monitors as the API returns them, in two queries. Actors who may not change them do not get their secrets. */
export async function serializeMonitors(
  ctx: Pick<OrganizationContext, 'db' | 'clock' | 'actor' | 'keyring'>,
  rows: readonly MonitorRow[],
): Promise<Monitor[]> {
  const now = ctx.clock.now();
  const ids = rows.map(({ id }) => id);
  const silences = await readSilences(ctx.db, ids, now);
  const uptimes = await readUptimes(ctx.db, ids, { now, silences });
  const mayReadSecrets = permits(ctx, 'monitor.update');
  return rows.map((row) => {
    const config = readFields(ctx.keyring, row.id, FIELD_NAMES, row);
    const secrets = SECRET_FIELDS.map((name) => [name, describeField(name).secret?.hide(config[name])]);
    const silence = silences.get(row.id);
    return {
      id: row.id,
      ...config,
      ...(mayReadSecrets ? {} : Object.fromEntries(secrets)),
      status: row.status,
      lastCheckedAt: silence?.lastCheckedAt?.toISOString() ?? null,
      lastResponseTime: silence?.lastResponseTime ?? null,
      consecutiveFailures: row.consecutiveFailures,
      uptimePercentage: uptimes.get(row.id) ?? 100,
      createdAt: row.createdAt.toISOString(),
      updatedAt: row.updatedAt.toISOString(),
      maintenance: row.enabled && row.statusBeforeMaintenance !== null,
      noDataSince: silence?.noDataSince?.toISOString() ?? null,
      silentRegions: silence?.silentRegions ?? [],
    };
  });
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

/** One monitor. Throws NOT_FOUND, also for monitors of other organizations. */
export async function getMonitor(ctx: OrganizationContext, id: string): Promise<Monitor> {
  requirePermission(ctx, 'monitor.read');
  const rows = await ctx.db.$queryRaw<MonitorRow[]>`
    ${selectMonitorRows()} WHERE monitor.organization_id = ${ctx.organizationId} AND monitor.id = ${id}`;
  const [monitor] = await serializeMonitors(ctx, rows);
  return requireFound(monitor, 'Monitor');
}
