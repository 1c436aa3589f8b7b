import { requireFound } from '@/lib/core/errors';
import { createdBefore, NEWEST_FIRST, pageOfCreated } from '@/lib/domain/context/newest-first';
import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import { requirePermission } from '@/lib/domain/context/permissions';
import type { Incident, Prisma } from '@/lib/platform/db/generated/client';
import {
  type IncidentLine,
  type IncidentLogQuery,
  type IncidentPlace,
  LOG_GROUPS,
} from '@/lib/schemas/incidents/incident-log';
import { whySchema } from '@/lib/schemas/monitor/transition';
import { serializeFields } from './read-incidents';

/** Only the incident of a constantly flapping monitor has more. */
const MAX_TRANSITIONS = 200;

/** Why a monitor's status changed while its automatic incident was open, by time of decision (ISO 8601). */
type Reasons = Record<string, string>;
type Group = IncidentPlace['group'];

/** A page of the organization's incidents: open ones first, then resolved ones, each newest first, in at most two queries. */
export async function readIncidentLog(
  ctx: OrganizationContext,
  { limit, ...query }: IncidentLogQuery & { limit: number },
): Promise<{ items: IncidentLine[]; next: IncidentPlace | null }> {
  requirePermission(ctx, 'incident.read');
  const rows: Incident[] = [];
  for (const group of groupsOf(query)) {
    if (rows.length > limit) break;
    const found = await ctx.db.incident.findMany({
      where: { organizationId: ctx.organizationId, AND: conditions(group, query) },
      orderBy: NEWEST_FIRST,
      take: limit + 1 - rows.length,
    });
    rows.push(...found);
  }
  const { items, next } = pageOfCreated(rows, limit, toLine);
  const group = items.at(-1)?.resolvedAt === null ? 'open' : 'resolved';
  return { items, next: next && { ...next, group } };
}

/** The groups that can contain results from the page's position on. */
function groupsOf({ status, after }: IncidentLogQuery): Group[] {
  if (status !== undefined) return [status === 'resolved' ? 'resolved' : 'open'];
  return after === null ? [...LOG_GROUPS] : LOG_GROUPS.slice(LOG_GROUPS.indexOf(after.group));
}

function conditions(group: Group, query: IncidentLogQuery): Prisma.IncidentWhereInput[] {
  const { status, severity, origin, monitor, after } = query;
  return [
    { resolvedAt: group === 'open' ? null : { not: null } },
    { severity },
    ...(status === undefined || status === 'open' ? [] : [{ status }]),
    ...(origin === undefined ? [] : [{ automatic: origin === 'automatic' }]),
    ...(monitor === undefined ? [] : [{ affectedMonitors: { has: monitor } }]),
    createdBefore(after?.group === group ? after : null),
  ];
}

function toLine(row: Incident): IncidentLine {
  return { ...serializeFields(row), hasPostmortem: row.postmortem !== null };
}

/** The ledger's reasons for the status changes of an automatic incident; none for a manual one. Throws NOT_FOUND. */
export async function readReasons(ctx: OrganizationContext, id: string): Promise<Reasons> {
  requirePermission(ctx, 'incident.read');
  const { organizationId } = ctx;
  const incident = await ctx.db.incident.findFirst({
    where: { id, organizationId },
    select: { monitorId: true, startedAt: true, resolvedAt: true },
  });
  const { monitorId, startedAt, resolvedAt } = requireFound(incident, 'Incident');
  if (monitorId === null) return {};
  const periods = await ctx.db.statusPeriod.findMany({
    where: {
      monitorId,
      monitor: { organizationId },
      from: { gte: startedAt, ...(resolvedAt ? { lte: resolvedAt } : {}) },
    },
    select: { decidedAt: true, why: true },
    orderBy: [{ from: 'asc' }, { id: 'asc' }],
    take: MAX_TRANSITIONS,
  });
  return Object.fromEntries(
    periods.flatMap(({ decidedAt, why }) =>
      why === null ? [] : [[decidedAt.toISOString(), whySchema.parse(why).rule]],
    ),
  );
}
