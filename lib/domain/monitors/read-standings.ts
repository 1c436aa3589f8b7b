import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import { requirePermission } from '@/lib/domain/context/permissions';
import type { PeriodState } from '@/lib/platform/db/generated/enums';
import type { Monitor } from '@/lib/schemas/monitor';
import { readSilences } from './silence';

/** The current state of a monitor according to the ledger, with its open incident. */
export type Standing = {
  state: PeriodState | null;
  /** When the state started (back-dated to the first check of the run); null without a ledger entry. */
  since: Date | null;
  incident: { id: string; title: string; status: string; severity: string; startedAt: Date } | null;
};

/** The standing of a monitor; empty if the organization does not have it. */
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

/** The current status of monitors, in the order of `ids`, without those that the organization does not have. */
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
  const own = rows.map(({ id }) => id);
  const silences = await readSilences(ctx.db, own, ctx.clock.now());
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
