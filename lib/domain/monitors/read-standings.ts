import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import { requirePermission } from '@/lib/domain/context/permissions';
import type { PeriodState } from '@/lib/platform/db/generated/enums';
import type { Monitor } from '@/lib/schemas/monitor';
import { readSilences } from './silence';

/** Where a monitor stands now: its current state by the ledger, and the incident that is open because of it. */
export type Standing = {
  state: PeriodState | null;
  /** When the state began (back-dated to the first check of the run); null where the ledger has nothing. */
  since: Date | null;
  incident: { id: string; title: string; status: string; severity: string; startedAt: Date } | null;
};

/** Reads the standing of a monitor of the organization; empty for an unknown one and for another organization's. */
export async function readStanding(ctx: OrganizationContext, monitorId: string): Promise<Standing> {
  requirePermission(ctx, 'monitor.read');
  const { organizationId } = ctx;
  const [period, incident] = await Promise.all([
    ctx.db.statusPeriod.findFirst({
      where: { monitorId, to: null, monitor: { organizationId } },
      select: { state: true, from: true },
    }),
    ctx.db.incident.findFirst({
      where: { monitorId, organizationId, resolvedAt: null },
      select: { id: true, title: true, status: true, severity: true, startedAt: true },
      orderBy: { createdAt: 'desc' },
    }),
  ]);
  return { state: period?.state ?? null, since: period?.from ?? null, incident };
}

type MonitorStanding = Pick<Monitor, 'id' | 'name' | 'status' | 'enabled' | 'maintenance' | 'noDataSince'>;

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
