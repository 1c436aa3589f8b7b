import { DomainError } from '@/lib/core/errors';
import type { Services } from '@/lib/domain/context/services';
import type { Database } from '@/lib/platform/db/client';
import { Prisma } from '@/lib/platform/db/generated/client';
import type { PublicIncident } from '@/lib/schemas/status-page';

/** Whose incidents, and which monitors are on the page: the others are left out of what is shown. */
export type PageScope = { organizationId: string; monitorIds: string[] };

/** For how long a page and its feeds tell of what is over. */
export const SHOWN_MS = 14 * 86_400_000;
const INCIDENT_ID = /^inc_[0-9a-z]+$/;

type Row = Omit<PublicIncident, 'startedAt' | 'createdAt' | 'updatedAt' | 'resolvedAt' | 'updates'> & {
  startedAt: Date;
  createdAt: Date;
  updatedAt: Date;
  resolvedAt: Date | null;
  updates: (Omit<PublicIncident['updates'][number], 'createdAt'> & { createdAt: number })[];
};

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
  const rows = await readRows(
    db,
    { organizationId, monitorIds },
    Prisma.sql`started_at <= ${until} AND (resolved_at IS NULL OR resolved_at >= ${since})`,
    limit,
  );
  return rows.map((row) => serialize(row, monitorIds));
}

/** One incident of a page, however old. Throws NOT_FOUND, the same for one that is not of this page. */
export async function readPageIncident(
  { db }: Pick<Services, 'db'>,
  { organizationId, monitorIds }: PageScope,
  id: string,
): Promise<PublicIncident> {
  const scope = { organizationId, monitorIds };
  const [row] = INCIDENT_ID.test(id) ? await readRows(db, scope, Prisma.sql`id = ${id}`, 1) : [];
  if (row === undefined) throw new DomainError('NOT_FOUND', 'There is no such incident.');
  return serialize(row, monitorIds);
}

/** One query, updates included: through the client's own joins it would be two, and most of what a page costs. */
function readRows(
  db: Pick<Database, '$queryRaw'>,
  { organizationId, monitorIds }: PageScope,
  condition: Prisma.Sql,
  limit: number | null = null,
): Promise<Row[]> {
  return db.$queryRaw<Row[]>`
    SELECT id, title, description, status::text AS status, severity::text AS severity,
           affected_monitors AS "affectedMonitors", automatic,
           started_at AS "startedAt", created_at AS "createdAt", updated_at AS "updatedAt", resolved_at AS "resolvedAt",
           (SELECT coalesce(json_agg(json_build_object('id', entry.id, 'status', entry.status, 'message', entry.message,
                                       'createdAt', (extract(epoch FROM entry.created_at) * 1000)::bigint)
                                     ORDER BY entry.created_at DESC, entry.id DESC), '[]')
              FROM incident_update AS entry WHERE entry.incident_id = incident.id) AS updates
      FROM incident
     WHERE organization_id = ${organizationId} AND affected_monitors && ${monitorIds} AND ${condition}
     ORDER BY started_at DESC, id DESC LIMIT ${limit}`;
}

function serialize(row: Row, monitorIds: string[]): PublicIncident {
  return {
    ...row,
    affectedMonitors: row.affectedMonitors.filter((id) => monitorIds.includes(id)),
    startedAt: row.startedAt.toISOString(),
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
    resolvedAt: row.resolvedAt?.toISOString() ?? null,
    updates: row.updates.map((update) => ({
      ...update,
      createdAt: new Date(update.createdAt).toISOString(),
    })),
  };
}
