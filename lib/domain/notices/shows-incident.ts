import { Prisma } from '@/lib/platform/db/generated/client';
import type { PublishingPage } from '@/lib/schemas/status-pages/automatic-incidents';

/** What `isShownOn` decides, in SQL: about rows of `incident` and the page with these columns. Null is no. */
export function showsIncident(page: Record<keyof PublishingPage<Date>, Prisma.Sql>): Prisma.Sql {
  const { id, automaticDelay, automaticSince } = page;
  return Prisma.sql`(
    NOT incident.automatic
    OR ${automaticDelay} = 0
       AND (${automaticSince} IS NULL OR incident.resolved_at IS NULL OR incident.resolved_at > ${automaticSince})
    OR EXISTS (SELECT FROM incident_publication WHERE incident_id = incident.id AND page_id = ${id} AND NOT hidden))`;
}
