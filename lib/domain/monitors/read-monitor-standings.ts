import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import { requirePermission } from '@/lib/domain/context/permissions';
import type { Monitor } from '@/lib/schemas/monitor';
import { readSilences } from './read-silences';

export type MonitorStanding = Pick<
  Monitor,
  'id' | 'name' | 'status' | 'enabled' | 'maintenance' | 'noDataSince'
>;

/**
 * How monitors are right now, in the order of their ids; those that are not of the organization, or not any more, are
 * left out.
 */
export async function readMonitorStandings(
  ctx: OrganizationContext,
  ids: readonly string[],
): Promise<MonitorStanding[]> {
  requirePermission(ctx, 'monitor.read');
  const rows = await ctx.db.monitor.findMany({
    where: { organizationId: ctx.organizationId, id: { in: [...ids] } },
    select: {
      id: true,
      name: true,
      enabled: true,
      state: { select: { status: true, statusBeforeMaintenance: true } },
    },
  });
  const silences = await readSilences(
    ctx.db,
    rows.map(({ id }) => id),
    ctx.clock.now(),
  );
  const found = new Map(rows.map((row) => [row.id, row]));
  return ids.flatMap((id) => {
    const row = found.get(id);
    if (row === undefined) return [];
    const { name, enabled, state } = row;
    const maintenance = enabled && (state?.statusBeforeMaintenance ?? null) !== null;
    const noDataSince = silences.get(id)?.noDataSince?.toISOString() ?? null;
    return [{ id, name, status: state?.status ?? 'pending', enabled, maintenance, noDataSince }];
  });
}
