import type { Transaction } from '@/lib/platform/db/client';
import type { IncidentSeverity } from '@/lib/platform/db/generated/enums';
import type { EventContent } from '@/lib/schemas/webhooks/events';
import type { Rule } from '@/lib/schemas/webhooks/rules';
import { matchRules, type Subject } from '@/lib/state/announcements/match-rules';

type Routed = { id: string; rules: readonly Rule[] };

/**
 * Those of the endpoints to which an event is sent at a time. They count as notified of its incident from then on; `knowing` are those that
 * count as notified of it before.
 */
export type Route = <Endpoint extends Routed>(
  payload: EventContent,
  endpoints: readonly Endpoint[],
  at: Date,
  knowing?: readonly string[],
) => Endpoint[];

/** What is stored of the incident of an event. */
type Standing = { severity: IncidentSeverity | null; notified: Set<string> };

/**
 * Reads what the rules of endpoints need to know of events, which are then routed in their order. Takes two statements if an endpoint has
 * rules, otherwise none.
 */
export async function openRoutes(
  tx: Transaction,
  payloads: readonly EventContent[],
  endpoints: readonly Routed[],
): Promise<Route> {
  const ruled = endpoints.filter(({ rules }) => rules.length > 0).map(({ id }) => id);
  if (ruled.length === 0) return (_, subscribed) => [...subscribed];
  const tags = await readTags(tx, payloads);
  const standings = await readStandings(tx, payloads, ruled);
  return (payload, subscribed, at, knowing = []) => {
    const standing = standings.get(payload.incident?.id ?? '');
    const subject = subjectOf(payload, standing?.severity ?? null, tags);
    const routed = subscribed.filter(({ id, rules }) => {
      const knowsIncident = knowing.includes(id) || (standing?.notified.has(id) ?? false);
      return matchRules(rules, subject, at.getTime(), { knowsIncident }) !== null;
    });
    for (const { id } of routed) standing?.notified.add(id);
    return routed;
  };
}

/** What rules decide about an event. Not every event has the severity of its incident, nor the tags of its monitors. */
function subjectOf(
  payload: EventContent,
  stored: IncidentSeverity | null,
  tags: ReadonlyMap<string, readonly string[]>,
): Subject {
  const { incident, event: kind } = payload;
  const severity = incident !== null && 'severity' in incident ? incident.severity : stored;
  if ('monitor' in payload) return { kind, severity, monitors: [payload.monitor] };
  const monitors = payload.incident.affectedMonitors.map((id) => ({ id, tags: tags.get(id) ?? [] }));
  return { kind, severity, monitors };
}

/** The tags of the monitors that incidents affect. */
async function readTags(tx: Transaction, payloads: readonly EventContent[]): Promise<Map<string, string[]>> {
  const ids = payloads.flatMap((payload) => ('monitor' in payload ? [] : payload.incident.affectedMonitors));
  const rows = await tx.$queryRaw<{ id: string; tags: string[] }[]>`
    SELECT id, tags FROM monitor WHERE id = ANY(${[...new Set(ids)]})`;
  return new Map(rows.map(({ id, tags }) => [id, tags]));
}

/** The incidents of events, and which of some endpoints were already sent something about them. */
async function readStandings(
  tx: Transaction,
  payloads: readonly EventContent[],
  endpointIds: readonly string[],
): Promise<Map<string, Standing>> {
  const ids = payloads.flatMap(({ incident }) => incident?.id ?? []);
  const rows = await tx.$queryRaw<{ id: string; severity: IncidentSeverity | null; notified: string[] }[]>`
    SELECT named.id, severity::text AS severity,
           ARRAY(SELECT DISTINCT endpoint_id FROM outbox_event JOIN delivery ON event_id = outbox_event.id
                  WHERE incident_id = named.id AND endpoint_id = ANY(${[...endpointIds]})) AS notified
      FROM unnest(${[...new Set(ids)]}::text[]) AS named (id) LEFT JOIN incident ON incident.id = named.id`;
  return new Map(rows.map(({ id, severity, notified }) => [id, { severity, notified: new Set(notified) }]));
}

/** The endpoints that were sent something about incidents, by incident. Takes one statement, none without incidents. */
export async function readAlertedEndpoints(
  tx: Transaction,
  incidentIds: readonly string[],
): Promise<ReadonlyMap<string, string[]>> {
  if (incidentIds.length === 0) return new Map();
  const rows = await tx.$queryRaw<{ id: string; notified: string[] }[]>`
    SELECT incident_id AS id, array_agg(DISTINCT endpoint_id) AS notified
      FROM outbox_event JOIN delivery ON event_id = outbox_event.id
     WHERE incident_id = ANY(${[...new Set(incidentIds)]}) GROUP BY incident_id`;
  return new Map(rows.map(({ id, notified }) => [id, notified]));
}
