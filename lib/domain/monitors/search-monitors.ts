import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import { requirePermission } from '@/lib/domain/context/permissions';
import type { Services } from '@/lib/domain/context/services';
import { Prisma } from '@/lib/platform/db/generated/client';
import type { FoundMonitor } from '@/lib/schemas/search';
import { readSilences } from './read-silences';

/**
 * The monitors of the organization in whose name, address and tags all of these words stand, at most `limit`: those
 * whose name begins with the first word, then those in trouble, then by name. Without a word all of them fit.
 */
export async function searchMonitors(
  ctx: OrganizationContext,
  { words, limit }: { words: readonly string[]; limit: number },
): Promise<FoundMonitor[]> {
  requirePermission(ctx, 'monitor.read');
  const found = await ctx.db.$queryRaw<Row[]>`
    ${selectMonitors}
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

/** One monitor as a search finds it; null for an unknown id and for another organization's alike. */
export async function findMonitorById(ctx: OrganizationContext, id: string): Promise<FoundMonitor | null> {
  requirePermission(ctx, 'monitor.read');
  const found = await ctx.db.$queryRaw<Row[]>`
    ${selectMonitors} WHERE organization_id = ${ctx.organizationId} AND id = ${id}`;
  return (await withSilence(ctx, found))[0] ?? null;
}

type Row = Omit<FoundMonitor, 'noDataSince'>;

async function withSilence(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  found: Row[],
): Promise<FoundMonitor[]> {
  const silences = await readSilences(
    db,
    found.map(({ id }) => id),
    clock.now(),
  );
  return found.map((row) => {
    return { ...row, noDataSince: silences.get(row.id)?.noDataSince?.toISOString() ?? null };
  });
}

const selectMonitors = Prisma.sql`
  SELECT id, name, url, enabled, coalesce(status, 'pending')::text AS status,
         status_before_maintenance IS NOT NULL AS maintenance
    FROM monitor LEFT JOIN monitor_state ON monitor_state.monitor_id = monitor.id`;
