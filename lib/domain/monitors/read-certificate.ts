import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import { requirePermission } from '@/lib/domain/context/permissions';
import { type MonitorState, parseMonitorState } from '@/lib/state/types';

/**
 * When the certificate of a monitor's target ends, by the latest checks; null where none was seen, for an unknown monitor, and
 * for another organization's.
 */
export async function readCertificateEnd(ctx: OrganizationContext, monitorId: string): Promise<Date | null> {
  requirePermission(ctx, 'monitor.read');
  const { organizationId } = ctx;
  const row = await ctx.db.monitorState.findFirst({
    where: { monitorId, monitor: { organizationId } },
    select: { machine: true },
  });
  return row === null ? null : certificateEnd(parseMonitorState(row.machine));
}

/** The first end that any region sees: behind one name, servers can have different certificates. */
export function certificateEnd({ regions }: Pick<MonitorState, 'regions'>): Date | null {
  const ends = Object.values(regions).flatMap(({ latest }) => latest?.certificateExpiresAt ?? []);
  return ends.length > 0 ? new Date(Math.min(...ends)) : null;
}
