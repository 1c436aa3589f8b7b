import { type Edit, readEdits } from '@/lib/domain/audit/read-edits';
import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import { requirePermission } from '@/lib/domain/context/permissions';
import { listMarkersOf } from '@/lib/domain/markers/read-markers';
import type { Incident } from '@/lib/schemas/incidents/incident';
import { readFailures, readTransitions } from './read-checks';
import {
  readEmails,
  readEvents,
  readFlapping,
  readPublications,
  readSuppressions,
} from './read-notifications';
import type { Scope, TimelineEntry } from './timeline-entry';

/** Changes that far before the start are related. */
const BEFORE_MS = 24 * 3_600_000;
/** An incident starts when the quorum began to fail; one region may have begun earlier. */
const FIRST_FAILURE_MS = 5 * 60_000;
/** The last events and emails follow the resolution. */
const AFTER_MS = 5 * 60_000;
/** The affected monitors whose checks are read. */
const MAX_MONITORS = 20;
/** What is read of markers and of edits. */
const MAX_CHANGES = 50;

/** What an edit of an incident may change that has an entry of its own. */
const SHOWN_OTHERWISE = new Set(['status', 'message', 'publishedOn', 'acknowledgedBy', 'scheduledUpdate']);

type Subject = Pick<Incident, 'id' | 'affectedMonitors' | 'startedAt' | 'createdAt' | 'resolvedAt'>;

/**
 * What happened around an incident of the organization besides its updates, oldest first: changes of the day before, the first failed
 * checks and the status changes of at most `MAX_MONITORS` affected monitors, and who was notified, in eleven statements. Throws FORBIDDEN.
 */
export async function readTimeline(ctx: OrganizationContext, incident: Subject): Promise<TimelineEntry[]> {
  requirePermission(ctx, 'incident.read');
  const { id } = incident;
  const since = new Date(incident.startedAt);
  const end = incident.resolvedAt === null ? ctx.clock.now() : new Date(incident.resolvedAt);
  const span = { since, until: new Date(end.getTime() + AFTER_MS) };
  const related = { ...span, since: new Date(since.getTime() - BEFORE_MS), limit: MAX_CHANGES };
  const opened = { id, createdAt: new Date(incident.createdAt) };
  const monitors = await ctx.db.monitor.findMany({
    where: { id: { in: incident.affectedMonitors }, organizationId: ctx.organizationId },
    select: { id: true, tags: true },
    take: MAX_MONITORS,
  });
  const ids = monitors.map((monitor) => monitor.id);
  const [markers, edits, ...entries] = await Promise.all([
    listMarkersOf(ctx, monitors, related),
    readEdits(ctx, [id, ...ids], related),
    readAcknowledgements(ctx, id),
    readFailures(ctx, ids, { ...span, since: new Date(since.getTime() - FIRST_FAILURE_MS) }),
    readTransitions(ctx, ids, span),
    readEvents(ctx, opened),
    readEmails(ctx, opened),
    readSuppressions(ctx, opened),
    readFlapping(ctx, opened),
    readPublications(ctx, opened),
  ]);
  const changes: TimelineEntry[] = [
    ...markers.map(({ id, occurredAt, title, url }) => {
      return { kind: 'marker' as const, id, at: new Date(occurredAt), title, url };
    }),
    ...edits.flatMap((edit) => toEdit(edit, id)),
  ];
  return [changes, ...entries].flat().sort((a, b) => a.at.getTime() - b.at.getTime());
}

/** An edit, without what it did that other entries show. */
function toEdit({ id, at, subjectId, subject, action, actor: by, fields }: Edit, incidentId: string) {
  const isOfIncident = subjectId === incidentId;
  const own = isOfIncident ? fields.filter((field) => !SHOWN_OTHERWISE.has(field)) : fields;
  if (isOfIncident && own.length === 0) return [];
  return [{ kind: 'edit' as const, id, at, subject, action, fields: own, by }];
}

/** Who acknowledged it, and who withdrew that. */
async function readAcknowledgements({ db, organizationId }: Scope, id: string): Promise<TimelineEntry[]> {
  const rows = await db.$queryRaw<{ id: string; at: Date; by: string; isWithdrawn: boolean }[]>`
    SELECT id, at, actor_label AS by, after->>'acknowledgedBy' IS NULL AS "isWithdrawn"
      FROM audit_entry
     WHERE organization_id = ${organizationId} AND subject_id = ${id} AND action = 'incident.acknowledge'
     ORDER BY at, number LIMIT ${MAX_CHANGES}`;
  return rows.map((row) => ({ kind: 'acknowledgement', ...row }));
}
