import type { OrganizationContext } from '@/lib/context/organization-context';
import type { Monitor } from '@/lib/schemas/monitor';
import { monitorInclude, serializeMonitor } from './serialize-monitor';
import { readUptimes } from './uptime';

/** All monitors of the organization, newest first, in a fixed number of queries. */
export async function listMonitors(ctx: OrganizationContext): Promise<Monitor[]> {
  const rows = await ctx.db.monitor.findMany({
    where: { organizationId: ctx.organizationId },
    include: monitorInclude,
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
  });
  const ids = rows.map((row) => row.id);
  const uptimes = await readUptimes(ctx.db, ids, ctx.clock.now());
  return rows.map((row) => serializeMonitor(ctx.keyring, row, uptimes.get(row.id) ?? 100));
}
