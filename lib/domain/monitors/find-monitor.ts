import { requireFound } from '@/lib/core/errors';
import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import { permits, requirePermission } from '@/lib/domain/context/permissions';
import type { Prisma } from '@/lib/platform/db/generated/client';
import type { Monitor } from '@/lib/schemas/monitor';
import { describeField, FIELD_NAMES, SECRET_FIELDS } from '@/lib/schemas/monitor/fields';
import { readUptimes } from './history/uptime';
import { readSilences } from './silence';
import { readFields } from './stored-fields';

/** The relations that `serializeMonitors` requires. */
export const monitorInclude = {
  state: { omit: { machine: true } },
} satisfies Prisma.MonitorInclude;

type Row = Prisma.MonitorGetPayload<{ include: typeof monitorInclude }>;

/** Monitors as the API returns them, in two queries. Actors who may not change them do not get their secrets. */
export async function serializeMonitors(
  ctx: Pick<OrganizationContext, 'db' | 'clock' | 'actor' | 'keyring'>,
  rows: Row[],
): Promise<Monitor[]> {
  const now = ctx.clock.now();
  const ids = rows.map(({ id }) => id);
  const silences = await readSilences(ctx.db, ids, now);
  const uptimes = await readUptimes(ctx.db, ids, now, silences);
  const mayReadSecrets = permits(ctx, 'monitor.update');
  return rows.map((row) => {
    const config = readFields(ctx.keyring, row.id, FIELD_NAMES, row);
    const secrets = SECRET_FIELDS.map((name) => [name, describeField(name).secret?.hide(config[name])]);
    const silence = silences.get(row.id);
    return {
      id: row.id,
      ...config,
      ...(mayReadSecrets ? {} : Object.fromEntries(secrets)),
      status: row.state?.status ?? 'pending',
      lastCheckedAt: silence?.lastCheckedAt?.toISOString() ?? null,
      lastResponseTime: silence?.lastResponseTime ?? null,
      consecutiveFailures: row.state?.consecutiveFailures ?? 0,
      uptimePercentage: uptimes.get(row.id) ?? 100,
      createdAt: row.createdAt.toISOString(),
      updatedAt: row.updatedAt.toISOString(),
      maintenance: row.enabled && (row.state?.statusBeforeMaintenance ?? null) !== null,
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
  const row = await ctx.db.monitor.findFirst({
    where: { id, organizationId: ctx.organizationId },
    include: monitorInclude,
  });
  const [monitor] = await serializeMonitors(ctx, row ? [row] : []);
  return requireFound(monitor, 'Monitor');
}
