import { isProbed } from '@/lib/checks/types';
import { notFound } from '@/lib/core/errors';
import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import { requirePermission } from '@/lib/domain/context/permissions';
import type { MonitorConfig } from '@/lib/schemas/monitor/fields';
import { lockMonitors, planChange, writeChanges } from './writes/change-monitors';

/**
 * Sets after how many seconds the checks of several monitors are repeated after a first failure, in one transaction and a fixed number of
 * statements. Ignores unknown IDs and heartbeats, which have no checks. Returns how many changed. Throws FORBIDDEN, and NOT_FOUND if
 * the organization has none of them.
 */
export async function confirmMonitors(
  ctx: OrganizationContext,
  ids: string[],
  confirmInterval: MonitorConfig['confirmInterval'],
): Promise<{ changed: number }> {
  requirePermission(ctx, 'monitor.update');
  return ctx.db.$transaction(async (tx) => {
    const locked = [...(await lockMonitors(tx, ctx, ids)).values()];
    if (locked.length === 0) throw notFound('Monitor');
    const planned = locked
      .filter(isProbed)
      .map((monitor) => planChange(ctx, null, monitor, { confirmInterval }))
      .filter(({ changed }) => changed.length > 0);
    await writeChanges(tx, ctx, planned);
    return { changed: planned.length };
  });
}
