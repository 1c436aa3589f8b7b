import type { Transaction } from '@/lib/platform/db/client';
import { openRoutes, subscribersOf } from './audience';
import { readEvents, readRouting, readSubscribers } from './read-facts';

/** Most open changes of a story that are looked at. */
const MAX_CHANGES = 100;

type About = { organizationId: string; endpointId: string; incidentId: string; at: Date };

/**
 * The open incidents of the story of an incident that an endpoint was notified of at a time, by what it subscribes to and its rules: a message
 * must not lead its readers to others. Oldest first, and of at most 100 changes. Takes a fixed number of statements.
 */
export async function readStoryIncidents(
  tx: Transaction,
  { organizationId, endpointId, incidentId, at }: About,
): Promise<string[]> {
  const changes = await tx.$queryRaw<{ incidentId: string; eventIds: string[] }[]>`
    SELECT incident_id AS "incidentId", event_ids AS "eventIds"
      FROM story_change JOIN incident ON incident.id = incident_id
     WHERE story_change.status <> 'operational' AND resolved_at IS NULL AND organization_id = ${organizationId}
       AND story_id = (SELECT story_id FROM story_change WHERE incident_id = ${incidentId} AND status <> 'operational'
                        ORDER BY id DESC LIMIT 1)
     ORDER BY story_change.id LIMIT ${MAX_CHANGES}`;
  const endpoints = await readSubscribers(tx, [organizationId]);
  const own = endpoints.filter(({ id }) => id === endpointId);
  const only = { subscribers: new Map([[organizationId, own]]) };
  const events = await readEvents(
    tx,
    changes.flatMap(({ eventIds }) => eventIds),
  );
  const all = [...events.values()];
  const routing = await readRouting(
    tx,
    own,
    all.map(({ payload }) => payload),
  );
  const route = openRoutes(routing);
  const sent = all.filter((event) => route(event, subscribersOf(event, only), at).length > 0);
  const known = new Set(sent.map(({ id }) => id));
  const notified = changes.filter(({ eventIds }) => eventIds.some((id) => known.has(id)));
  return [...new Set(notified.map((change) => change.incidentId))];
}
