import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import { requirePermission } from '@/lib/domain/context/permissions';
import { readRegionNames } from '@/lib/notify/region-names';
import type { IncidentStatus } from '@/lib/platform/db/generated/enums';
import { formatCause } from '@/lib/state/announcements/stories/story-causes';

/** The story to which an incident belongs, with others. */
export type IncidentStory = {
  id: string;
  /** What all have in common, as text; empty if it is not known. */
  cause: string;
  /** How many incidents belong to it. */
  incidents: number;
};

/** An incident of a story. */
export type StoryMember = { id: string; title: string; status: IncidentStatus };

type Row = { incidentId: string; id: string; causes: string[]; incidents: number };

/** The stories of incidents, by the ID of the incident, as far as other incidents belong to them too. Takes at most two statements. */
export async function readIncidentStories(
  ctx: OrganizationContext,
  incidentIds: readonly string[],
): Promise<Map<string, IncidentStory>> {
  requirePermission(ctx, 'incident.read');
  if (incidentIds.length === 0) return new Map();
  const rows = await ctx.db.$queryRaw<Row[]>`
    SELECT found.*, incidents
      FROM (SELECT DISTINCT ON (incident_id) incident_id AS "incidentId", story.id, causes
              FROM story_change JOIN story ON story.id = story_id
             WHERE incident_id = ANY(${[...incidentIds]}) AND status <> 'operational'
               AND organization_id = ${ctx.organizationId}
             ORDER BY incident_id, story_change.id DESC) AS found
     CROSS JOIN LATERAL (SELECT count(DISTINCT incident_id)::int AS incidents
                           FROM story_change WHERE story_id = found.id AND status <> 'operational') AS counted
     WHERE incidents > 1`;
  const regions = rows.flatMap(({ causes }) => causes.flatMap((cause) => cause.split('@')[1] ?? []));
  const nameRegion = await readRegionNames(ctx.db, regions);
  return new Map(
    rows.map(({ incidentId, causes, ...story }) => [
      incidentId,
      { ...story, cause: formatCause(causes, nameRegion) },
    ]),
  );
}

/** At most `limit` of the other incidents of a story, in the order in which they were opened. */
export async function listStoryMembers(
  ctx: OrganizationContext,
  storyId: string,
  { except, limit }: { except: string; limit: number },
): Promise<StoryMember[]> {
  requirePermission(ctx, 'incident.read');
  return ctx.db.$queryRaw<StoryMember[]>`
    SELECT id, title, status::text AS status FROM incident
     WHERE organization_id = ${ctx.organizationId} AND id <> ${except}
       AND id IN (SELECT incident_id FROM story_change WHERE story_id = ${storyId} AND status <> 'operational')
     ORDER BY created_at, number LIMIT ${limit}`;
}
