import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import { permits } from '@/lib/domain/context/permissions';
import type { Prisma } from '@/lib/platform/db/generated/client';
import type { Monitor } from '@/lib/schemas/monitor';
import { describeField, FIELD_NAMES, SECRET_FIELDS } from '@/lib/schemas/monitor/fields';
import type { MonitorSilence } from './silence';
import { readFields } from './stored-fields';

/** The relations that `serializeMonitor` requires. */
export const monitorInclude = {
  state: {
    select: {
      status: true,
      lastCheckedAt: true,
      lastResponseTime: true,
      consecutiveFailures: true,
      statusBeforeMaintenance: true,
    },
  },
} satisfies Prisma.MonitorInclude;

export type MonitorRow = Prisma.MonitorGetPayload<{ include: typeof monitorInclude }>;

/** The monitor as the API returns it; `uptime` in percent. Actors who may not change it do not get its secrets. */
export function serializeMonitor(
  ctx: Pick<OrganizationContext, 'actor' | 'keyring'>,
  row: MonitorRow,
  uptime: number,
  silence: MonitorSilence | undefined,
): Monitor {
  const config = readFields(ctx.keyring, row.id, FIELD_NAMES, row);
  const hidden = permits(ctx, 'monitor.update')
    ? []
    : SECRET_FIELDS.map((name) => [name, describeField(name).secret?.hide(config[name])]);
  return {
    id: row.id,
    ...config,
    ...Object.fromEntries(hidden),
    status: row.state?.status ?? 'pending',
    lastCheckedAt: row.state?.lastCheckedAt?.toISOString() ?? null,
    lastResponseTime: row.state?.lastResponseTime ?? null,
    consecutiveFailures: row.state?.consecutiveFailures ?? 0,
    uptimePercentage: uptime,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
    maintenance: row.enabled && (row.state?.statusBeforeMaintenance ?? null) !== null,
    noDataSince: silence?.noDataSince?.toISOString() ?? null,
    silentRegions: silence?.silentRegions ?? [],
  };
}
