import type { Services } from '@/lib/domain/context/services';
import { type Publishing, publishIncidents } from '@/lib/domain/incidents/publish-incidents';
import { Prisma } from '@/lib/platform/db/generated/client';
import { nowIfAny } from '@/lib/platform/db/moments';
import { noteLive } from '@/lib/platform/live/note-live';

/** Per transaction; the next run handles the rest. */
const BATCH = 200;

type Due = Publishing & { organizationId: string };

/**
 * Publishes each automatic incident that is still open after the delay of a page, on that page. Reads only the index of such pages, and
 * that of open incidents; concurrent workers publish each once. Returns how many publications there were.
 */
export async function publishDueIncidents(services: Services): Promise<number> {
  const { db, clock } = services;
  const now = clock.now();
  const found = await db.$queryRaw<Due[]>(dueQuery(now));
  if (found.length === 0) return 0;
  return db.$transaction(async (tx) => {
    // Again, with locks: one that is being resolved is not announced as open afterwards, nor on a page that is being changed.
    const due = await tx.$queryRaw<Due[]>`
      ${dueQuery(now)} FOR NO KEY UPDATE OF incident SKIP LOCKED FOR SHARE OF page SKIP LOCKED`;
    const publications = due.map(({ incidentId, pageId }) => ({ incidentId, pageId }));
    await publishIncidents(tx, services, publications, now);
    const organizationIds = due.map(({ organizationId }) => organizationId);
    await noteLive(tx, [{ kind: 'changes', organizationIds }]);
    return due.length;
  });
}

/** Now, while any publication is due. */
export const publicationsDueAt = (now: Date) => nowIfAny(now, Prisma.sql`SELECT ${due(now)}`);

/** The publications that are due, longest overdue first. A page shows what is about one of its monitors or components. */
export function dueQuery(now: Date): Prisma.Sql {
  return Prisma.sql`
    SELECT page.id AS "pageId", incident.id AS "incidentId", page.organization_id AS "organizationId" ${due(now)}
     ORDER BY incident.created_at, 1, 2 LIMIT ${BATCH}`;
}

function due(now: Date): Prisma.Sql {
  return Prisma.sql`
      FROM status_page AS page
      JOIN incident ON incident.organization_id = page.organization_id
     WHERE page.automatic_delay > 0 AND incident.automatic AND incident.resolved_at IS NULL
       AND (incident.monitor_id IS NULL
            OR EXISTS (SELECT FROM monitor WHERE monitor.id = incident.monitor_id AND monitor.enabled))
       AND incident.created_at + make_interval(mins => page.automatic_delay) <= ${now}
       AND (EXISTS (SELECT FROM status_page_monitor
                     WHERE page_id = page.id AND monitor_id = ANY(incident.affected_monitors))
            OR EXISTS (SELECT FROM jsonb_path_query(page.sections, '$[*].items[*]') AS item
                        WHERE item ->> 'componentId' = ANY(incident.affected_components)))
       AND NOT EXISTS (SELECT FROM incident_publication WHERE page_id = page.id AND incident_id = incident.id)`;
}
