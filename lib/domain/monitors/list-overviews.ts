import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import { requirePermission } from '@/lib/domain/context/permissions';
import type { Monitor } from '@/lib/schemas/monitor';
import { isRegionId } from '@/lib/schemas/regions';
import { readHeartbeats } from './read-heartbeats';
import { readP95 } from './read-p95';
import { readSilences } from './read-silences';
import { readUptimes } from './uptime';

type Row = Pick<Monitor, 'id' | 'name' | 'url' | 'type' | 'tags' | 'enabled' | 'status' | 'maintenance'> & {
  regions: string[];
  lastCheckedAt: Date | null;
};

/** What the list of monitors shows of each: nothing sealed, and nothing that a thousand of need not carry. */
export type MonitorOverview = Omit<Row, 'regions' | 'lastCheckedAt'> &
  Pick<Monitor, 'regions' | 'lastCheckedAt' | 'noDataSince' | 'uptimePercentage'> & {
    /** Milliseconds, of the last 24 hours; null where nothing was measured. */
    p95: number | null;
    /** The last checks as `readHeartbeats` writes them. */
    beats: string;
  };

/** Every monitor of the organization for its list, in a fixed number of queries however many. In no order. */
export async function listOverviews(ctx: OrganizationContext): Promise<MonitorOverview[]> {
  requirePermission(ctx, 'monitor.read');
  const [rows, strips, p95] = await Promise.all([readRows(ctx), readHeartbeats(ctx), readP95(ctx)]);
  const ids = rows.map(({ id }) => id);
  const now = ctx.clock.now();
  const silences = await readSilences(ctx.db, ids, now);
  const uptimes = await readUptimes(ctx.db, ids, now, silences);
  return rows.map((row) => ({
    ...row,
    regions: row.regions.filter(isRegionId),
    lastCheckedAt: row.lastCheckedAt?.toISOString() ?? null,
    noDataSince: silences.get(row.id)?.noDataSince?.toISOString() ?? null,
    uptimePercentage: uptimes.get(row.id) ?? 100,
    p95: p95.get(row.id) ?? null,
    beats: strips.get(row.id) ?? '',
  }));
}

function readRows({ db, organizationId }: OrganizationContext): Promise<Row[]> {
  return db.$queryRaw<Row[]>`
    SELECT id, name, url, type::text, tags, enabled, regions, status::text,
           enabled AND status_before_maintenance IS NOT NULL AS maintenance, last_checked_at AS "lastCheckedAt"
      FROM monitor JOIN monitor_state ON monitor_id = id
     WHERE organization_id = ${organizationId}`;
}
