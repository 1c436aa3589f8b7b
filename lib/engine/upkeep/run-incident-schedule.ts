import type { Services } from '@/lib/domain/context/services';
import { advanceIncident } from '@/lib/domain/incidents/schedule/advance-incident';
import { Prisma } from '@/lib/platform/db/generated/client';
import { noteLive } from '@/lib/platform/live/note-live';

/** Incidents per run and index; the next run handles the rest. */
const BATCH = 50;

type Due = { id: string; organizationId: string };

/**
 * Publishes scheduled updates that are due, and resolves incidents after their quiet time, each incident in a transaction of its own;
 * returns how many were due. One that fails delays no other: its error is thrown last. A single statement that reads two indexes if there
 * is nothing to do.
 */
export async function runIncidentSchedule(services: Services): Promise<number> {
  const { db, clock } = services;
  const due = await findDue(services);
  const failures: Error[] = [];
  for (const incident of due) {
    await db
      .$transaction(async (tx) => {
        await advanceIncident(tx, services, incident, clock.now());
        await noteLive(tx, [{ kind: 'changes', organizationIds: [incident.organizationId] }]);
      })
      .catch((cause) => failures.push(new Error(`could not advance the incident ${incident.id}`, { cause })));
  }
  if (failures.length > 0) throw failures[0];
  return due.length;
}

/** When the next scheduled update, or end of a quiet time, is due. */
export const incidentScheduleDueAt = Prisma.sql`
  least((SELECT min(publish_at) FROM scheduled_update WHERE dropped_at IS NULL),
        (SELECT min(check_at) FROM incident_resolution))`;

function findDue({ db, clock }: Services): Promise<Due[]> {
  const now = clock.now();
  return db.$queryRaw<Due[]>`
    SELECT incident.id, organization_id AS "organizationId"
      FROM ((SELECT incident_id, publish_at AS due_at FROM scheduled_update
              WHERE dropped_at IS NULL AND publish_at <= ${now} ORDER BY publish_at LIMIT ${BATCH})
            UNION ALL
            (SELECT incident_id, check_at FROM incident_resolution
              WHERE check_at <= ${now} ORDER BY check_at LIMIT ${BATCH})) AS due
      JOIN incident ON incident.id = due.incident_id
     GROUP BY incident.id ORDER BY min(due_at)`;
}
