import { createId } from '@/lib/core/ids';
import type { Transaction } from '@/lib/platform/db/client';
import type { MailThread } from '@/lib/platform/mail/queue-mail';

/** Earlier threads that the first mail of a thread refers to. */
const MAX_CONTINUED = 10;

/** An incident that members were emailed about, with the thread in which that was. */
type Announced = { incidentId: string; threadId: string; threadSubject: string };

/**
 * The thread of a mail to the members of an organization about some incidents: the one in which they were emailed about all of them, if
 * there is one. Otherwise the mail starts a thread with `subject`, to which the incidents that had none belong from now on. Null without
 * incidents. With `storyIncidentId`, the first incident of a story that these belong to, it continues the thread of that one.
 */
export async function joinThread(
  tx: Transaction,
  organizationId: string,
  {
    incidentIds,
    subject,
    storyIncidentId = null,
  }: { incidentIds: string[]; subject: string; storyIncidentId?: string | null },
): Promise<MailThread | null> {
  if (incidentIds.length === 0) return null;
  const known = storyIncidentId === null ? incidentIds : [...incidentIds, storyIncidentId];
  const announced = await tx.$queryRaw<Announced[]>`
    SELECT * FROM (
      SELECT DISTINCT ON (incident_id) id, incident_id AS "incidentId", thread_id AS "threadId",
             thread_subject AS "threadSubject"
        FROM member_notice
       WHERE incident_id = ANY(${known}::text[]) AND organization_id = ${organizationId} AND thread_id IS NOT NULL
       ORDER BY incident_id, id) AS first ORDER BY id`;
  const mailed = new Set(announced.map(({ incidentId }) => incidentId));
  const fresh = incidentIds.filter((id) => !mailed.has(id));
  const threads = new Map(announced.map(({ threadId, threadSubject }) => [threadId, threadSubject]));
  const [only] = threads;
  const isRest = storyIncidentId !== null && mailed.has(storyIncidentId);
  if (only && threads.size === 1 && (fresh.length === 0 || isRest)) {
    await start(tx, organizationId, fresh, { id: only[0], subject: only[1] });
    return { id: only[0], subject: only[1], isFirst: false, continued: [] };
  }
  const id = createId('mailThread');
  await start(tx, organizationId, fresh, { id, subject });
  return { id, subject, isFirst: true, continued: [...threads.keys()].slice(-MAX_CONTINUED) };
}

/** From now on, the incidents belong to a thread. */
async function start(
  tx: Transaction,
  organizationId: string,
  incidentIds: readonly string[],
  { id, subject }: Pick<MailThread, 'id' | 'subject'>,
): Promise<void> {
  if (incidentIds.length === 0) return;
  await tx.$executeRaw`
    UPDATE member_notice SET thread_id = ${id}, thread_subject = ${subject}
     WHERE incident_id = ANY(${[...incidentIds]}::text[]) AND organization_id = ${organizationId}`;
}
