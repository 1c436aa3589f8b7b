import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import { permits } from '@/lib/domain/context/permissions';
import type { Prisma } from '@/lib/platform/db/generated/client';
import { HIDDEN, hideHeaders } from '@/lib/schemas/hidden';
import type { Monitor } from '@/lib/schemas/monitor';
import { METHODS } from '@/lib/schemas/monitor-fields';
import { isRegionId } from '@/lib/schemas/regions';
import type { MonitorSilence } from './read-silences';
import { openRequest } from './sealed-request';

/** What a monitor is read with, to be shown whole. */
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

/**
 * The monitor as the API returns it; `uptime` in percent. Who may not change it sees neither its body nor the values of its
 * headers: they often are credentials.
 */
export function serializeMonitor(
  ctx: Pick<OrganizationContext, 'actor' | 'keyring'>,
  row: MonitorRow,
  uptime: number,
  silence: MonitorSilence | undefined,
): Monitor {
  const opened = openRequest(ctx.keyring, row.id, row);
  const { headers, body } = permits(ctx, 'monitor.update')
    ? opened
    : { headers: hideHeaders(opened.headers), body: opened.body === null ? null : HIDDEN };
  return {
    id: row.id,
    name: row.name,
    url: row.url,
    type: row.type,
    method: METHODS.find((method) => method === row.method) ?? 'GET',
    interval: row.interval,
    timeout: row.timeout,
    expectedStatusCode: row.expectedStatusCode,
    headers,
    body,
    regions: row.regions.filter(isRegionId),
    alertThreshold: row.alertThreshold,
    enabled: row.enabled,
    status: row.state?.status ?? 'pending',
    lastCheckedAt: row.state?.lastCheckedAt?.toISOString() ?? null,
    lastResponseTime: row.state?.lastResponseTime ?? null,
    consecutiveFailures: row.state?.consecutiveFailures ?? 0,
    uptimePercentage: uptime,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
    degradedThreshold: row.degradedThreshold,
    recoveryThreshold: row.recoveryThreshold,
    followRedirects: row.followRedirects,
    keyword: row.keyword,
    tlsVerify: row.tlsVerify,
    tlsExpiryDays: row.tlsExpiryDays,
    tags: row.tags,
    ref: row.ref,
    maintenance: row.enabled && (row.state?.statusBeforeMaintenance ?? null) !== null,
    noDataSince: silence?.noDataSince?.toISOString() ?? null,
    silentRegions: silence?.silentRegions ?? [],
  };
}
