import type { OrganizationContext } from '@/lib/context/organization-context';
import { requirePermission } from '@/lib/context/permissions';
import { REGIONS, type RegionId } from '@/lib/schemas/regions';

/** One stored check. `responseTime` in milliseconds; `error` in words that a person can act on. */
export type StoredResult = {
  at: Date;
  region: RegionId | null;
  outcome: 'ok' | 'slow' | 'failed' | 'unknown';
  responseTime: number | null;
  statusCode: number | null;
  error: string | null;
};

type Row = Omit<StoredResult, 'region'> & { region: number };

/**
 * The latest `limit` checks of a monitor from all its regions, newest first. Empty for an unknown monitor and for
 * another organization's.
 */
export async function readResults(
  ctx: OrganizationContext,
  monitorId: string,
  limit: number,
): Promise<StoredResult[]> {
  requirePermission(ctx, 'monitor.read');
  const rows = await ctx.db.$queryRaw<Row[]>`
    SELECT result.checked_at AS at, result.region, result.response_time AS "responseTime",
           result.status_code AS "statusCode", result.error,
           CASE WHEN result.outcome = 1 THEN 'failed'
                WHEN result.outcome = 2 THEN 'unknown'
                WHEN result.response_time > monitor.degraded_threshold THEN 'slow'
                ELSE 'ok' END AS outcome
      FROM raw.check_result AS result JOIN monitor ON monitor.number = result.monitor
     WHERE monitor.id = ${monitorId} AND monitor.organization_id = ${ctx.organizationId}
     ORDER BY result.checked_at DESC LIMIT ${limit}`;
  return rows.map(({ region, ...row }) => ({
    ...row,
    region: REGIONS.find(({ number }) => number === region)?.id ?? null,
  }));
}
