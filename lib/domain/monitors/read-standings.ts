import { requireFound } from '@/lib/core/errors';
import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import { requirePermission } from '@/lib/domain/context/permissions';
import { Prisma } from '@/lib/platform/db/generated/client';
import type { PeriodState } from '@/lib/platform/db/generated/enums';
import { isoColumn, toMs } from '@/lib/platform/db/moment-columns';
import type { Incident } from '@/lib/schemas/incidents/incident';
import type { Monitor } from '@/lib/schemas/monitor';
import type { Transition } from '@/lib/schemas/monitor/transition';
import { withLastChecks } from '@/lib/state/routine';
import { parseMonitorState, type RegionState } from '@/lib/state/types';
import { toTransition, transitionsQuery } from './history/ledger';
import { certificateEnd } from './history/read-results';
import { IS_UNCONTESTED, readLastChecks } from './last-checks';
import { readSilences } from './silence';

/** What stands with a monitor now. */
export type StandingDetails = {
  /** Its latest change of state; null without a ledger entry. */
  change: Transition | null;
  /** The earliest expiry that any region sees, since servers with the same name can have different certificates; null if unknown. */
  certificateEnd: Date | null;
  /** The open incident. */
  incident: Pick<
    Incident,
    'id' | 'title' | 'status' | 'severity' | 'startedAt' | 'createdAt' | 'acknowledgedAt' | 'acknowledgedBy'
  > | null;
  /** How each of its regions judges it now. */
  votes: Vote[];
};

/** The vote of a region; `vote` is false while it has none. */
export type Vote = NonNullable<Transition['why']>['regions'][number];

type StandingRow = {
  machine: unknown;
  /** Whether its failures are stored without a decision. */
  isSteadilyDown: boolean | null;
  regions: string[];
  /** The latest two, newest first; in epoch milliseconds. */
  periods: { state: PeriodState; from: number; to: number | null; decidedAt: number; why: unknown }[];
} & Pick<StandingDetails, 'incident'>;

/** The standing of a monitor, in one query. Throws NOT_FOUND. */
export async function readStanding(ctx: OrganizationContext, id: string): Promise<StandingDetails> {
  requirePermission(ctx, 'monitor.read');
  const { organizationId } = ctx;
  const [row] = await ctx.db.$queryRaw<StandingRow[]>`
    SELECT machine, status = 'down' AND ${IS_UNCONTESTED} AS "isSteadilyDown", regions,
           (SELECT coalesce(json_agg(json_build_object(
                              'state', state, 'from', ${toMs(Prisma.sql`"from"`)}, 'to', ${toMs(Prisma.sql`"to"`)},
                              'decidedAt', ${toMs(Prisma.sql`"decidedAt"`)}, 'why', why)), '[]')
              FROM (${transitionsQuery(Prisma.sql`monitor.id`, 1)}) AS latest) AS periods,
           (SELECT json_build_object(
                     'id', id, 'title', title, 'status', status, 'severity', severity,
                     'startedAt', ${isoColumn(Prisma.sql`started_at`)},
                     'createdAt', ${isoColumn(Prisma.sql`created_at`)},
                     'acknowledgedAt', ${isoColumn(Prisma.sql`acknowledged_at`)}, 'acknowledgedBy', acknowledged_by)
              FROM incident
             WHERE monitor_id = monitor.id AND organization_id = ${organizationId} AND resolved_at IS NULL
             ORDER BY created_at DESC
             LIMIT 1) AS incident
      FROM monitor
      LEFT JOIN monitor_state ON monitor_id = monitor.id
     WHERE monitor.id = ${id} AND monitor.organization_id = ${organizationId}`;
  const { machine, isSteadilyDown, regions, periods, incident } = requireFound(row, 'Monitor');
  const [latest, before] = periods.map(({ from, to, decidedAt, ...period }) => ({
    ...period,
    from: new Date(from),
    to: to === null ? null : new Date(to),
    decidedAt: new Date(decidedAt),
  }));
  const lastChecks = isSteadilyDown ? await readLastChecks(ctx.db, [id], ctx.clock.now()) : null;
  const state =
    machine === null ? null : withLastChecks(parseMonitorState(machine), lastChecks?.get(id) ?? []);
  return {
    change: latest ? toTransition(latest, before?.state ?? null) : null,
    certificateEnd: state && certificateEnd(state),
    votes: regions.map((region) => voteOf(region, state?.regions[region])),
    incident,
  };
}

function voteOf(region: string, state: RegionState | undefined): Vote {
  const { verdict = null, failures = 0, slows = 0, goods = 0, resultAt = null, latest = null } = state ?? {};
  return { region, verdict, failures, slows, goods, vote: resultAt !== null, error: latest?.error ?? null };
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
