import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import { requirePermission } from '@/lib/domain/context/permissions';
import type { Prisma } from '@/lib/platform/db/generated/client';
import type { Monitor } from '@/lib/schemas/monitor';
import type { ListMonitorsQuery } from '@/lib/schemas/monitor-query';
import { readSilences } from './read-silences';
import { monitorInclude, serializeMonitor } from './serialize-monitor';
import { pageMonitors } from './sort-monitors';
import { readUptimes } from './uptime';

/** The monitors of the organization that fit, newest first unless sorted otherwise, all unless limited. */
export async function listMonitors(
  ctx: OrganizationContext,
  query: ListMonitorsQuery = { sort: '-createdAt' },
): Promise<{ items: Monitor[]; next: string | null }> {
  requirePermission(ctx, 'monitor.read');
  const found = await ctx.db.monitor.findMany({ where: matching(ctx, query), include: monitorInclude });
  const sortable = found.map((row) => ({ ...row, status: row.state?.status ?? ('pending' as const) }));
  const { items: rows, next } = pageMonitors(sortable, query);
  const ids = rows.map((row) => row.id);
  const now = ctx.clock.now();
  const silences = await readSilences(ctx.db, ids, now);
  const uptimes = await readUptimes(ctx.db, ids, now, silences);
  const items = rows.map((row) =>
    serializeMonitor(ctx, row, uptimes.get(row.id) ?? 100, silences.get(row.id)),
  );
  return { items, next };
}

function matching(
  { organizationId }: OrganizationContext,
  { status, type, enabled, tag, ref, q }: Omit<ListMonitorsQuery, 'sort'>,
): Prisma.MonitorWhereInput {
  const part = { contains: q, mode: 'insensitive' as const };
  return {
    organizationId,
    ...(status ? { state: { status } } : {}),
    ...(type ? { type } : {}),
    ...(enabled === undefined ? {} : { enabled }),
    ...(tag === undefined ? {} : { tags: { has: tag } }),
    ...(ref === undefined ? {} : { ref }),
    ...(q === undefined ? {} : { OR: [{ name: part }, { url: part }] }),
  };
}
