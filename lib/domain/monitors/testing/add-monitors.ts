import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import type { MonitorStatus } from '@/lib/platform/db/generated/enums';
import { createMonitorSchema } from '@/lib/schemas/monitor';
import { createMonitor } from '../create-monitor';

/** Creates monitors with these names and statuses; returns their IDs. */
export async function addMonitors(
  ctx: OrganizationContext,
  monitors: readonly { name: string; status?: MonitorStatus | undefined }[],
): Promise<string[]> {
  const ids: string[] = [];
  for (const { name, status = 'pending' } of monitors) {
    const { id } = await createMonitor(ctx, createMonitorSchema.parse({ name, url: 'http://shop.test/' }));
    await ctx.db.monitorState.update({ where: { monitorId: id }, data: { status } });
    ids.push(id);
  }
  return ids;
}
