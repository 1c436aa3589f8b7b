import { requireFound } from '@/lib/core/errors';
import { createdBefore, NEWEST_FIRST, pageOfCreated } from '@/lib/domain/context/newest-first';
import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import { requirePermission } from '@/lib/domain/context/permissions';
import {
  Prisma,
  type Incident as StoredIncident,
  type ScheduledUpdate as StoredScheduled,
} from '@/lib/platform/db/generated/client';
import { isoColumn } from '@/lib/platform/db/moment-columns';
import type { Page } from '@/lib/schemas/cursor';
import type { Incident, IncidentsQuery, ScheduledUpdate } from '@/lib/schemas/incidents/incident';
import type { FoundIncident } from '@/lib/schemas/search';
import { readImpacts } from './impacts';
import { readMessages, readTranslations } from './translations/translations';

/** The relations that `serializeIncident` requires. */
export const incidentInclude = {
  updates: { orderBy: [{ createdAt: 'desc' }, { id: 'desc' }] },
  publications: {
    where: { hidden: false },
    select: { pageId: true },
    orderBy: [{ publishedAt: 'asc' }, { pageId: 'asc' }],
  },
  scheduled: { orderBy: [{ publishAt: 'asc' }, { id: 'asc' }] },
} satisfies Prisma.IncidentInclude;

type Row = Prisma.IncidentGetPayload<{ include: typeof incidentInclude }>;

/** A search covers only the newest incidents, because it runs with every keystroke. */
const MAX_SEARCHED = 1000;

/** A page of the organization's incidents, newest first, with their updates, scheduled updates, and pages, in four queries. */
export async function listIncidents(
  ctx: OrganizationContext,
  query: IncidentsQuery,
): Promise<Page<Incident>> {
  requirePermission(ctx, 'incident.read');
  const rows = await ctx.db.incident.findMany({
    where: { organizationId: ctx.organizationId, AND: conditions(query) },
    include: incidentInclude,
    orderBy: NEWEST_FIRST,
    take: query.limit + 1,
  });
  return pageOfCreated(rows, query.limit, serializeIncident);
}

function conditions({ status, open, severity, automatic, monitor, cursor }: IncidentsQuery) {
  return [
    { status, severity, automatic },
    ...(open === undefined ? [] : [open ? { resolvedAt: null } : { resolvedAt: { not: null } }]),
    ...(monitor === undefined ? [] : [{ affectedMonitors: { has: monitor } }]),
    createdBefore(cursor),
  ];
}

/** What a list of incidents shows of each. */
export type IncidentSummary = Pick<
  Incident,
  'id' | 'title' | 'status' | 'severity' | 'automatic' | 'startedAt' | 'resolvedAt' | 'acknowledgedBy'
>;

/** The newest incidents that affect a monitor, without their updates, in one query; empty if the organization has no such monitor. */
export async function listIncidentsOfMonitor(
  ctx: OrganizationContext,
  monitor: string,
  limit: number,
): Promise<{ items: IncidentSummary[]; hasMore: boolean }> {
  requirePermission(ctx, 'incident.read');
  const rows = await ctx.db.$queryRaw<IncidentSummary[]>`
    SELECT id, title, status::text AS status, severity::text AS severity, automatic,
           ${isoColumn(Prisma.sql`started_at`)} AS "startedAt", ${isoColumn(Prisma.sql`resolved_at`)} AS "resolvedAt",
           acknowledged_by AS "acknowledgedBy"
      FROM incident
     WHERE organization_id = ${ctx.organizationId} AND affected_monitors @> ARRAY[${monitor}]
     ORDER BY created_at DESC, number DESC
     LIMIT ${limit + 1}`;
  return { items: rows.slice(0, limit), hasMore: rows.length > limit };
}

/** One incident. Throws NOT_FOUND, also for incidents of other organizations. */
export async function getIncident(ctx: OrganizationContext, id: string): Promise<Incident> {
  requirePermission(ctx, 'incident.read');
  const row = await ctx.db.incident.findFirst({
    where: { id, organizationId: ctx.organizationId },
    include: incidentInclude,
  });
  return serializeIncident(requireFound(row, 'Incident'));
}

/** The newest incidents with all of these words in their title, open ones first, in one query. */
export async function searchIncidents(
  ctx: OrganizationContext,
  { words, limit }: { words: readonly string[]; limit: number },
): Promise<FoundIncident[]> {
  requirePermission(ctx, 'incident.read');
  return ctx.db.$queryRaw<FoundIncident[]>`
    SELECT id, title, status::text AS status
      FROM (SELECT id, title, status, resolved_at, created_at, number FROM incident
             WHERE organization_id = ${ctx.organizationId}
             ORDER BY created_at DESC, number DESC LIMIT ${MAX_SEARCHED}) AS newest
     WHERE NOT EXISTS (SELECT FROM unnest(${[...words]}::text[]) AS word WHERE strpos(lower(title), word) = 0)
     ORDER BY resolved_at IS NULL DESC, created_at DESC, number DESC LIMIT ${limit}`;
}

/** The incident as the API returns it. */
export function serializeIncident(row: Row): Incident {
  return {
    ...serializeFields(row),
    postmortem: row.postmortem,
    postmortemPublished: row.postmortemPublishedAt !== null,
    publishedOn: row.publications.map(({ pageId }) => pageId),
    updates: row.updates.map(({ id, status, message, translations, author, createdAt }) => ({
      id,
      status,
      message,
      translations: readMessages({ translations }),
      author,
      createdAt: createdAt.toISOString(),
    })),
    scheduledUpdates: row.scheduled.map(serializeScheduled),
  };
}

function serializeScheduled({
  incidentId: _,
  publishAt,
  droppedAt,
  createdAt,
  ...row
}: StoredScheduled): ScheduledUpdate {
  return {
    ...row,
    translations: readMessages(row),
    publishAt: publishAt.toISOString(),
    droppedAt: droppedAt?.toISOString() ?? null,
    createdAt: createdAt.toISOString(),
  };
}

/** The fields that an incident has on its own and in lists. */
export function serializeFields(row: StoredIncident) {
  return {
    id: row.id,
    title: row.title,
    description: row.description,
    status: row.status,
    severity: row.severity,
    affectedMonitors: row.affectedMonitors,
    affectedComponents: row.affectedComponents,
    impacts: readImpacts(row),
    translations: readTranslations(row),
    automatic: row.automatic,
    startedAt: row.startedAt.toISOString(),
    version: row.version,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
    resolvedAt: row.resolvedAt?.toISOString() ?? null,
    acknowledgedAt: row.acknowledgedAt?.toISOString() ?? null,
    acknowledgedBy: row.acknowledgedBy,
    resolveAfterMinutes: row.resolveAfterMinutes,
  };
}
