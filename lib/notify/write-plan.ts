import type { Transaction } from '@/lib/platform/db/client';
import { notify } from '@/lib/platform/db/listen';
import type { EventContent } from '@/lib/schemas/webhooks/events';
import type { AddressedEvent, NewDelivery } from './compose-deliveries';
import type { Notifying } from './facts';
import { storeFlapping } from './flapping-rows';
import { endHeld, insertHeld } from './held-rows';
import { writeNotices } from './notices';
import type { NotificationPlan } from './plan';
import { writeStories } from './story-rows';

/**
 * Writes a plan in the transaction of what caused it: everybody hears of that if and only if it commits. Takes at most ten statements, and
 * none for what is empty.
 */
export async function writePlan(
  tx: Transaction,
  { mail }: Pick<Notifying, 'mail'>,
  plan: NotificationPlan,
): Promise<void> {
  await insertEvents(tx, plan.events);
  await insertDeliveries(tx, plan.deliveries);
  await writeStories(tx, plan.stories, plan.storyChanges);
  await insertHeld(tx, plan.held);
  const [dropped] = plan.dropped;
  if (dropped) {
    await endHeld(
      tx,
      plan.dropped.map(({ monitorId }) => monitorId),
      dropped.at,
    );
  }
  await storeFlapping(tx, plan.flapping);
  await writeNotices(tx, mail, plan.notices);
  // Workers send what is due, and look at what is held and at the rest of stories.
  const due = [plan.events, plan.deliveries, plan.stories, plan.held];
  if (due.some(({ length }) => length > 0)) await notify(tx, 'pharos_deliveries');
}

/** With the monitors that the events are about, by which their deliveries are found. */
async function insertEvents(tx: Transaction, events: readonly AddressedEvent[]): Promise<void> {
  if (events.length === 0) return;
  const ids = events.map(({ id }) => id);
  const organizationIds = events.map(({ organizationId }) => organizationId);
  const kinds = events.map(({ payload }) => payload.event);
  const moments = events.map(({ occurredAt }) => occurredAt);
  const payloads = events.map(({ id, payload }) => JSON.stringify({ id, ...payload }));
  const incidentIds = events.map(({ payload }) => payload.incident?.id ?? null);
  await tx.$executeRaw`
    INSERT INTO outbox_event (id, organization_id, kind, occurred_at, payload, incident_id)
    SELECT * FROM unnest(${ids}::text[], ${organizationIds}::text[], ${kinds}::text[], ${moments}::timestamptz[],
                         ${payloads}::text[], ${incidentIds}::text[])`;
  const about = events.flatMap(({ id, occurredAt, payload }) =>
    [...new Set(monitorsOf(payload))].map((monitorId) => ({ id, occurredAt, monitorId })),
  );
  await tx.$executeRaw`
    INSERT INTO event_monitor (event_id, monitor_id, occurred_at)
    SELECT * FROM unnest(${about.map(({ id }) => id)}::text[], ${about.map(({ monitorId }) => monitorId)}::text[],
                         ${about.map(({ occurredAt }) => occurredAt)}::timestamptz[])`;
}

function monitorsOf(payload: EventContent): string[] {
  return 'monitor' in payload ? [payload.monitor.id] : payload.incident.affectedMonitors;
}

/** Those to enabled endpoints are due immediately; those to automatically disabled ones have failed. */
async function insertDeliveries(tx: Transaction, deliveries: readonly NewDelivery[]): Promise<void> {
  if (deliveries.length === 0) return;
  const ids = deliveries.map(({ id }) => id);
  const organizationIds = deliveries.map(({ organizationId }) => organizationId);
  const eventIds = deliveries.map(({ eventId }) => eventId);
  const moments = deliveries.map(({ at }) => at);
  const endpointIds = deliveries.map(({ endpointId }) => endpointId);
  const bodies = deliveries.map(({ body }) => body);
  const formats = deliveries.map(({ format }) => format);
  const messageKeys = deliveries.map(({ messageKey }) => messageKey);
  const messageStatuses = deliveries.map(({ messageStatus }) => messageStatus);
  const enabled = deliveries.map(({ isEnabled }) => isEnabled);
  await tx.$executeRaw`
    INSERT INTO delivery (id, organization_id, event_id, endpoint_id, body, format, message_key, message_status,
           attempts, failures, created_at, status, reason, next_attempt_at, settled_at)
    SELECT id, organization_id, event_id, endpoint_id, body, format, message_key, message_status, 0, 0, at,
           (CASE WHEN enabled THEN 'pending' ELSE 'failed' END)::delivery_status,
           CASE WHEN NOT enabled THEN 'endpoint_disabled' END,
           CASE WHEN enabled THEN at END, CASE WHEN NOT enabled THEN at END
      FROM unnest(${ids}::text[], ${organizationIds}::text[], ${eventIds}::text[], ${moments}::timestamptz[],
                  ${endpointIds}::text[], ${bodies}::text[], ${formats}::text[], ${messageKeys}::text[],
                  ${messageStatuses}::text[], ${enabled}::boolean[])
           AS owed (id, organization_id, event_id, at, endpoint_id, body, format, message_key, message_status,
                    enabled)`;
}
