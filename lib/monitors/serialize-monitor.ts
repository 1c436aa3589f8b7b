import type { Keyring } from '@/lib/core/keyring';
import type { Prisma } from '@/lib/db/generated/client';
import type { Monitor } from '@/lib/schemas/monitor';
import { METHODS } from '@/lib/schemas/monitor-fields';
import { isRegionId } from '@/lib/schemas/regions';
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

/** The monitor as the API answers it; `uptime` in percent. */
export function serializeMonitor(keyring: Keyring, row: MonitorRow, uptime: number): Monitor {
  const { headers, body } = openRequest(keyring, row.id, row);
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
  };
}
