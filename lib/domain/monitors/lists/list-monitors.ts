import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import { requirePermission } from '@/lib/domain/context/permissions';
import type { Services } from '@/lib/domain/context/services';
import { Prisma } from '@/lib/platform/db/generated/client';
import type { Monitor } from '@/lib/schemas/monitor';
import type { MonitorInParts } from '@/lib/schemas/monitor/monitor-parts';
import type { ListMonitorsQuery } from '@/lib/schemas/monitor/monitor-query';
import type { FoundMonitor } from '@/lib/schemas/search';
import { serializeMonitors } from '../find-monitor';
import { IS_PROBED } from '../last-checks';
import { readSilences } from '../silence';
import { readMonitorPage } from './page-monitors';
import { serializeInParts } from './serialize-in-parts';

/** What is found by one statement; whether data is missing follows. */
type FoundRow = Omit<FoundMonitor, 'noDataSince'>;

const SELECT_FOUND = Prisma.sql`
  SELECT id, name, type::text AS type, url, enabled, coalesce(status, 'pending')::text AS status,
         status_before_maintenance IS NOT NULL AS maintenance
    FROM monitor LEFT JOIN monitor_state ON monitor_state.monitor_id = monitor.id`;

/** The matching monitors of the organization, newest first by default, all unless limited, and how many match in all. */
export async function listMonitors(
  ctx: OrganizationContext,
  query: ListMonitorsQuery = { sort: '-createdAt' },
): Promise<MonitorPage<Monitor>> {
  requirePermission(ctx, 'monitor.read');
  const { monitors, ...place } = await readMonitorPage(ctx.db, ctx.organizationId, query, ctx.clock.now());
  return { items: await serializeMonitors(ctx, monitors), ...place };
}

/** The same with each configuration as JSON, for those who write thousands of monitors. */
export async function listMonitorsInParts(
  ctx: OrganizationContext,
  query: ListMonitorsQuery,
): Promise<MonitorPage<MonitorInParts>> {
  requirePermission(ctx, 'monitor.read');
  const { monitors, ...place } = await readMonitorPage(ctx.db, ctx.organizationId, query, ctx.clock.now());
  return { items: await serializeInParts(ctx, monitors), ...place };
}

type MonitorPage<Item> = { items: Item[]; next: string | null; total?: number };

/**
 * The monitors whose name, URL and tags contain all of these words, at most `limit`: names that start with the first word first,
 * then monitors with problems, then by name.
 */
export async function searchMonitors(
  ctx: OrganizationContext,
  { words, limit }: { words: readonly string[]; limit: number },
): Promise<FoundMonitor[]> {
  requirePermission(ctx, 'monitor.read');
  const found = await ctx.db.$queryRaw<FoundRow[]>`
    ${SELECT_FOUND}
     WHERE organization_id = ${ctx.organizationId}
       AND NOT EXISTS (
             SELECT FROM unnest(${[...words]}::text[]) AS word
              WHERE strpos(lower(concat_ws(' ', name, url, array_to_string(tags, ' '))), word) = 0)
     ORDER BY starts_with(lower(name), ${words[0] ?? ''}) DESC,
              CASE WHEN NOT enabled THEN 3 WHEN status = 'down' THEN 0 WHEN status = 'degraded' THEN 1 ELSE 2 END,
              lower(name), id
     LIMIT ${limit}`;
  return withSilence(ctx, found);
}

/** One monitor as a search result; null if the organization does not have it. */
export async function findMonitorById(ctx: OrganizationContext, id: string): Promise<FoundMonitor | null> {
  requirePermission(ctx, 'monitor.read');
  const found = await ctx.db.$queryRaw<FoundRow[]>`
    ${SELECT_FOUND} WHERE organization_id = ${ctx.organizationId} AND id = ${id}`;
  return (await withSilence(ctx, found))[0] ?? null;
}

async function withSilence({ db, clock }: Pick<Services, 'db' | 'clock'>, found: FoundRow[]) {
  const ids = found.map(({ id }) => id);
  const silences = await readSilences(db, ids, clock.now());
  return found.map((row) => {
    return { ...row, noDataSince: silences.get(row.id)?.noDataSince?.toISOString() ?? null };
  });
}

/** The IDs and names of all monitors of the organization, by name, for selection lists. */
export async function listMonitorNames(ctx: OrganizationContext): Promise<{ id: string; name: string }[]> {
  requirePermission(ctx, 'monitor.read');
  const where = { organizationId: ctx.organizationId };
  return byName(await ctx.db.monitor.findMany({ where, select: { id: true, name: true } }));
}

/** The same with their tags. */
export async function listMonitorTags(
  ctx: OrganizationContext,
): Promise<{ id: string; name: string; tags: string[] }[]> {
  requirePermission(ctx, 'monitor.read');
  const where = { organizationId: ctx.organizationId };
  return byName(await ctx.db.monitor.findMany({ where, select: { id: true, name: true, tags: true } }));
}

/** The same with what a status page of a monitor depends on. `isPending`: it is enabled, and no check has decided its status yet. */
export async function listMonitorReadiness(
  ctx: OrganizationContext,
): Promise<{ id: string; name: string; enabled: boolean; isPending: boolean }[]> {
  requirePermission(ctx, 'monitor.read');
  return byName(
    await ctx.db.$queryRaw<{ id: string; name: string; enabled: boolean; isPending: boolean }[]>`
      SELECT id, name, enabled, enabled AND coalesce(status, 'pending') = 'pending' AS "isPending"
        FROM monitor LEFT JOIN monitor_state ON monitor_id = id WHERE organization_id = ${ctx.organizationId}`,
  );
}

/** Every tag of the organization's monitors, by name. Throws FORBIDDEN. */
export async function listTags(ctx: OrganizationContext): Promise<string[]> {
  requirePermission(ctx, 'monitor.read');
  const rows = await ctx.db.$queryRaw<{ tag: string }[]>`
    SELECT DISTINCT unnest(tags) AS tag FROM monitor WHERE organization_id = ${ctx.organizationId}`;
  return rows.map(({ tag }) => tag).sort(compareNames);
}

/** How many enabled monitors of the organization are checked from each region; regions without are missing. Throws FORBIDDEN. */
export async function countByRegion(ctx: OrganizationContext): Promise<Map<string, number>> {
  requirePermission(ctx, 'monitor.read');
  const rows = await ctx.db.$queryRaw<{ region: string; monitors: number }[]>`
    SELECT region, count(*)::int AS monitors FROM monitor CROSS JOIN unnest(regions) AS region
     WHERE organization_id = ${ctx.organizationId} AND enabled AND ${IS_PROBED} GROUP BY region`;
  return new Map(rows.map(({ region, monitors }) => [region, monitors]));
}

function byName<Named extends { name: string }>(found: Named[]): Named[] {
  return found.sort((a, b) => compareNames(a.name, b.name));
}

/** In natural order: `zone 9`, `zone 10`. */
const { compare: compareNames } = new Intl.Collator('en', { numeric: true });
