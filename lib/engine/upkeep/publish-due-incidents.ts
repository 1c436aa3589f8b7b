import type { Services } from '@/lib/domain/context/services';
import { type Publishing, publishIncidents } from '@/lib/domain/incidents/publish-incidents';
import { Prisma } from '@/lib/platform/db/generated/client';

/** Per transaction; the next run handles the rest. */
const BATCH = 200;

/**
 * Publishes the automatic incidents that are still open after the minutes that a page waits, on that page. Reads only the index of such
 * pages, and one of open automatic incidents; concurrent workers publish each once. Returns how many there were.
 */
export async function publishDueIncidents(services: Services): Promise<number> {
  const { db, clock } = services;
  const now = clock.now();
  const due = await db.$queryRaw<Publishing[]>(dueQuery(now));
  if (due.length === 0) return 0;
  return db.$transaction(async (tx) => {
    // Locked, so that one that is being resolved is not announced as open afterwards.
    const ids = [...new Set(due.map(({ incidentId }) => incidentId))];
    const open = await tx.$queryRaw<{ id: string }[]>`
      SELECT id FROM incident WHERE id = ANY(${ids}) AND resolved_at IS NULL ORDER BY id FOR NO KEY UPDATE SKIP LOCKED`;
    const locked = new Set(open.map(({ id }) => id));
    const publications = due.filter(({ incidentId }) => locked.has(incidentId));
    await publishIncidents(tx, services, publications, now);
    return publications.length;
  });
}

/** The publications that are due, longest overdue first. */
export function dueQuery(now: Date): Prisma.Sql {
  return Prisma.sql`
    SELECT page.id AS "pageId", incident.id AS "incidentId"
      FROM status_page AS page
      JOIN status_page_monitor AS shown ON shown.page_id = page.id
      JOIN incident ON incident.monitor_id = shown.monitor_id AND incident.automatic AND incident.resolved_at IS NULL
     WHERE page.automatic_delay > 0 AND incident.organization_id = page.organization_id
       AND incident.created_at + make_interval(mins => page.automatic_delay) <= ${now}
       AND NOT EXISTS (SELECT FROM incident_publication WHERE page_id = page.id AND incident_id = incident.id)
     ORDER BY incident.created_at, 1, 2 LIMIT ${BATCH}`;
}
