import type { Services } from '@/lib/context/services';
import { DomainError } from '@/lib/core/errors';
import type { Prisma } from '@/lib/db/generated/client';
import type { PublicIncident } from '@/lib/schemas/status-page';

/** Whose incidents, and which monitors are on the page: the others are left out of what is shown. */
export type PageScope = { organizationId: string; monitorIds: string[] };

const SHOWN_MS = 14 * 86_400_000;
const INCIDENT_ID = /^inc_[0-9a-z]+$/;

const select = {
  id: true,
  title: true,
  description: true,
  status: true,
  severity: true,
  affectedMonitors: true,
  automatic: true,
  createdAt: true,
  updatedAt: true,
  resolvedAt: true,
  updates: {
    select: { id: true, status: true, message: true, createdAt: true },
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
  },
} satisfies Prisma.IncidentSelect;

type Row = Prisma.IncidentGetPayload<{ select: typeof select }>;

/**
 * The incidents that a page with these monitors shows, newest first: the open ones, and those that went on within the last
 * 14 days. Monitors that are not on the page are left out of them.
 */
export function readPublicIncidents(
  services: Pick<Services, 'db'>,
  scope: PageScope,
  now: Date,
): Promise<PublicIncident[]> {
  return readIncidentsBetween(services, scope, { since: new Date(now.getTime() - SHOWN_MS), until: now });
}

/** The incidents of a page that went on at any time from `since` to `until`, newest first; `limit` of them at most. */
export async function readIncidentsBetween(
  { db }: Pick<Services, 'db'>,
  { organizationId, monitorIds }: PageScope,
  { since, until, limit }: { since: Date; until: Date; limit?: number },
): Promise<PublicIncident[]> {
  const rows = await db.incident.findMany({
    where: {
      organizationId,
      affectedMonitors: { hasSome: monitorIds },
      createdAt: { lte: until },
      OR: [{ resolvedAt: null }, { resolvedAt: { gte: since } }],
    },
    select,
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
    take: limit,
  });
  return rows.map((row) => serialize(row, monitorIds));
}

/** One incident of a page, however old. Throws NOT_FOUND, the same for one that is not of this page. */
export async function readPageIncident(
  { db }: Pick<Services, 'db'>,
  { organizationId, monitorIds }: PageScope,
  id: string,
): Promise<PublicIncident> {
  const row = INCIDENT_ID.test(id)
    ? await db.incident.findFirst({
        where: { id, organizationId, affectedMonitors: { hasSome: monitorIds } },
        select,
      })
    : null;
  if (row === null) throw new DomainError('NOT_FOUND', 'There is no such incident.');
  return serialize(row, monitorIds);
}

function serialize(row: Row, monitorIds: string[]): PublicIncident {
  return {
    ...row,
    affectedMonitors: row.affectedMonitors.filter((id) => monitorIds.includes(id)),
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
    resolvedAt: row.resolvedAt?.toISOString() ?? null,
    updates: row.updates.map((update) => ({ ...update, createdAt: update.createdAt.toISOString() })),
  };
}
