import { DomainError } from '@/lib/core/errors';
import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import { requirePermission } from '@/lib/domain/context/permissions';
import type { Prisma } from '@/lib/platform/db/generated/client';
import { type Page, pageOf } from '@/lib/schemas/cursor';
import type { Incident, IncidentsQuery } from '@/lib/schemas/incident';
import { incidentInclude, serializeIncident } from './serialize-incident';

/** A page of the organization's incidents, newest first, with their updates, in two queries. */
export async function listIncidents(
  ctx: OrganizationContext,
  query: IncidentsQuery,
): Promise<Page<Incident>> {
  requirePermission(ctx, 'incident.read');
  const rows = await ctx.db.incident.findMany({
    where: { organizationId: ctx.organizationId, AND: conditions(query) },
    include: incidentInclude,
    orderBy: [{ createdAt: 'desc' }, { number: 'desc' }],
    take: query.limit + 1,
  });
  const page = pageOf(rows, query.limit, ({ createdAt, number }) => ({ at: createdAt, tie: Number(number) }));
  return { items: page.items.map(serializeIncident), next: page.next };
}

function conditions({ status, open, severity, automatic, monitor, cursor }: IncidentsQuery) {
  const after: Prisma.IncidentWhereInput[] = cursor
    ? [
        { createdAt: { lte: cursor.at } },
        { OR: [{ createdAt: { lt: cursor.at } }, { number: { lt: cursor.tie } }] },
      ]
    : [];
  return [
    { status, severity, automatic },
    ...(open === undefined ? [] : [open ? { resolvedAt: null } : { resolvedAt: { not: null } }]),
    ...(monitor === undefined ? [] : [{ affectedMonitors: { has: monitor } }]),
    ...after,
  ];
}

/** One incident; NOT_FOUND for an unknown id and for another organization's alike. */
export async function getIncident(ctx: OrganizationContext, id: string): Promise<Incident> {
  requirePermission(ctx, 'incident.read');
  const row = await ctx.db.incident.findFirst({
    where: { id, organizationId: ctx.organizationId },
    include: incidentInclude,
  });
  if (row === null) throw incidentNotFound();
  return serializeIncident(row);
}

/** The refusal that every verb on a missing incident shares. */
export function incidentNotFound(): DomainError {
  return new DomainError('NOT_FOUND', 'There is no such incident.');
}
