import { Prisma } from '@/lib/platform/db/generated/client';

/** The events after the opening that are searched; an organization with more has other sorrows. */
const MAX_EVENTS = 500;
/** Emails are queued right after their notices were taken, by the same worker. */
const QUEUED_WITHIN_SECONDS = 5;

/** The events that name an incident, as a table: `id`, `kind` and `occurred_at`. */
export function eventsAbout(organizationId: string, { id, createdAt }: { id: string; createdAt: Date }) {
  return Prisma.sql`
    (SELECT id, kind, occurred_at
       FROM (SELECT id, kind, occurred_at, payload FROM outbox_event
              WHERE organization_id = ${organizationId} AND occurred_at >= ${createdAt}
              ORDER BY occurred_at LIMIT ${MAX_EVENTS}) AS following
      WHERE strpos(payload, ${JSON.stringify(id)}) > 0)`;
}

/** The notices about an incident, `notice`, with the emails in which members got them, `mail`. */
export function mailsAbout(organizationId: string, id: string) {
  return Prisma.sql`
    (SELECT id, organization_id, kind, mailed_at
       FROM member_notice
      WHERE organization_id = ${organizationId} AND incident_id = ${id}) AS notice
    JOIN mail ON mail.organization_id = notice.organization_id
             AND mail.kind = 'alert'
             AND mail.created_at BETWEEN mailed_at
                                     AND mailed_at + make_interval(secs => ${QUEUED_WITHIN_SECONDS}::int)`;
}
