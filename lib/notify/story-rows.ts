import { storableJson } from '@/lib/core/storable-text';
import type { Transaction } from '@/lib/platform/db/client';
import { type OpenStory, STORY_MS } from '@/lib/state/announcements/stories/join-stories';
import type { MonitorStatus } from '@/lib/state/types';

/** A story that others can join, as stored. */
export type StoredStory = OpenStory & { heardBy: string[] };

/** A change in a story, with the events that were sent to programs. */
export type NewStoryChange = {
  storyId: string;
  monitorId: string;
  monitorName: string;
  incidentId: string | null;
  status: MonitorStatus;
  eventIds: string[];
};

/**
 * Locks the stories of organizations until the transaction ends, in ID order: two workers that record changes of one cause do not begin
 * two stories. After this, the caller takes no locks that others hold while they wait for this one.
 */
export async function lockStories(tx: Transaction, organizationIds: readonly string[]): Promise<void> {
  await tx.$executeRaw`
    SELECT pg_advisory_xact_lock(hashtextextended('story ' || id, 0))
      FROM (SELECT DISTINCT unnest(${[...organizationIds]}::text[]) AS id ORDER BY id) AS organizations`;
}

/** The same if nobody holds the lock; returns whether it was taken. */
export async function tryLockStories(tx: Transaction, organizationId: string): Promise<boolean> {
  const rows = await tx.$queryRaw<{ isLocked: boolean }[]>`
    SELECT pg_try_advisory_xact_lock(hashtextextended('story ' || ${organizationId}::text, 0)) AS "isLocked"`;
  return rows[0]?.isLocked ?? false;
}

/** The stories that changes can still join, oldest first, with those of the given monitors that are in them. */
export async function readOpenStories(
  tx: Transaction,
  { organizationIds, monitorIds }: { organizationIds: readonly string[]; monitorIds: readonly string[] },
  now: Date,
): Promise<StoredStory[]> {
  const rows = await tx.$queryRaw<(Omit<StoredStory, 'startedAt'> & { startedAt: Date })[]>`
    SELECT id, organization_id AS "organizationId", started_at AS "startedAt", causes,
           first_monitor_id AS "firstMonitorId", heard_by AS "heardBy",
           ARRAY(SELECT DISTINCT monitor_id FROM story_change
                  WHERE story_id = story.id AND monitor_id = ANY(${[...monitorIds]})) AS "monitorIds"
      FROM story
     WHERE organization_id = ANY(${[...organizationIds]}) AND started_at > ${new Date(now.getTime() - STORY_MS)}
       AND rest_sent_at IS NULL
     ORDER BY started_at, id`;
  return rows.map(({ startedAt, ...story }) => ({ ...story, startedAt: startedAt.getTime() }));
}

/** The stories to which the outages behind incidents belong, by the ID of the incident. */
export async function readStoriesOf(
  tx: Transaction,
  incidentIds: readonly string[],
): Promise<Map<string, string>> {
  if (incidentIds.length === 0) return new Map();
  const rows = await tx.$queryRaw<{ incidentId: string; storyId: string }[]>`
    SELECT DISTINCT ON (incident_id) incident_id AS "incidentId", story_id AS "storyId"
      FROM story_change WHERE incident_id = ANY(${[...incidentIds]}) AND status <> 'operational'
     ORDER BY incident_id, id DESC`;
  return new Map(rows.map(({ incidentId, storyId }) => [incidentId, storyId]));
}

/** Writes new and changed stories, and their new changes, in two statements. `restDueAt` stays once it is set. */
export async function writeStories(
  tx: Transaction,
  stories: readonly (StoredStory & { restDueAt: Date | null })[],
  changes: readonly NewStoryChange[],
): Promise<void> {
  if (stories.length === 0) return;
  const rows = stories.map((story) => ({ ...story, startedAt: new Date(story.startedAt) }));
  await tx.$executeRaw`
    INSERT INTO story (id, organization_id, started_at, causes, first_monitor_id, heard_by, rest_due_at)
    SELECT id, "organizationId", "startedAt", causes, "firstMonitorId", "heardBy", "restDueAt"
      FROM jsonb_to_recordset(${storableJson(rows)}::jsonb) AS given (
             id text, "organizationId" text, "startedAt" timestamptz, causes text[], "firstMonitorId" text,
             "heardBy" text[], "restDueAt" timestamptz)
        ON CONFLICT (id) DO UPDATE SET causes = EXCLUDED.causes, heard_by = EXCLUDED.heard_by,
           rest_due_at = coalesce(story.rest_due_at, EXCLUDED.rest_due_at)`;
  await tx.$executeRaw`
    INSERT INTO story_change (story_id, monitor_id, monitor_name, incident_id, status, event_ids)
    SELECT "storyId", "monitorId", "monitorName", "incidentId", status, "eventIds"
      FROM jsonb_to_recordset(${storableJson(changes)}::jsonb) AS given (
             "storyId" text, "monitorId" text, "monitorName" text, "incidentId" text, status monitor_status,
             "eventIds" text[])`;
}

/** A story to which several incidents belong. */
export type SharedStory = {
  causes: string[];
  /** Of its first change. */
  firstIncidentId: string | null;
};

/** The story to which all of the incidents belong; null if there is none. */
export async function readSharedStory(
  tx: Transaction,
  incidentIds: readonly string[],
): Promise<SharedStory | null> {
  const ids = [...new Set(incidentIds)];
  if (ids.length === 0) return null;
  const rows = await tx.$queryRaw<(SharedStory & { incidents: number })[]>`
    SELECT causes, count(DISTINCT incident_id)::int AS incidents,
           (SELECT incident_id FROM story_change AS first
             WHERE story_id = story.id AND monitor_id = first_monitor_id ORDER BY id LIMIT 1) AS "firstIncidentId"
      FROM story_change JOIN story ON story.id = story_id
     WHERE incident_id = ANY(${ids}) AND status <> 'operational' GROUP BY story.id`;
  const [only] = rows;
  return only && rows.length === 1 && only.incidents === ids.length ? only : null;
}
