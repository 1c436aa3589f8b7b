import type { Transaction } from '@/lib/platform/db/client';
import type { EventContent } from '@/lib/schemas/webhooks/events';
import type { WebhookFormat } from '@/lib/schemas/webhooks/webhook';
import type { FlappingNote } from '@/lib/state/announcements/flapping-note';
import {
  compareStatuses,
  formatStatus,
  type MessageStatus,
  parseStatus,
  statusAfter,
} from '@/lib/state/announcements/message-status';
import type { WhileFlapping } from '../while-flapping';
import { messageKeyOf } from './message-key';
import { editableProduct } from './products';

/** An event and an endpoint that is to get it. */
type Owed = {
  event: { payload: EventContent; flapping?: WhileFlapping };
  endpoint: { id: string; format: WebhookFormat; hasCredentials: boolean };
};

/** The message of a delivery, and what it says; null for a delivery that is no message. */
type InMessage = { messageKey: string | null; messageStatus: string | null };

/**
 * Leaves out what people have read already: an event whose message says the same about its incident. Where messages can be edited, it is
 * an edit, unless both events occur at once. That a monitor flaps, and how that ended, is always news. The order is kept. Takes one
 * statement, or none without messages.
 */
export async function chooseMessages<Each extends Owed>(
  tx: Transaction,
  owed: readonly Each[],
): Promise<(Each & InMessage)[]> {
  const keyed = owed.map((each) => {
    const { endpoint, event } = each;
    return { ...each, messageKey: messageKeyOf(endpoint.format, event.payload, event.flapping?.note) };
  });
  const statuses = await readStatuses(tx, keyed);
  const chosen = new Set<string>();
  return keyed.flatMap((each): (Each & InMessage)[] => {
    if (each.messageKey === null) return [{ ...each, messageStatus: null }];
    const place = placeOf(each.endpoint.id, each.messageKey);
    const note = each.event.flapping?.note;
    if (note) return [{ ...each, messageStatus: formatStatus(statusOfNote(note)) }];
    const known = statuses.get(place) ?? null;
    const status = statusAfter(each.event.payload, known);
    // Not among the events of a new endpoint: it is sent to those for which it was chosen.
    const isChosen = each.event.payload.event === 'incident.acknowledged';
    const isEdit =
      !chosen.has(place) && editableProduct(each.endpoint.format, each.endpoint.hasCredentials) !== null;
    if (!isChosen && !isEdit && compareStatuses(known, status) === 'same') return [];
    chosen.add(place);
    statuses.set(place, status);
    return [{ ...each, messageStatus: formatStatus(status) }];
  });
}

/** What a note about flapping says, in the terms of an incident. */
function statusOfNote(note: FlappingNote): MessageStatus {
  if (note.kind === 'began') return { status: 'investigating', severity: 'minor' };
  if (note.end === 'steady' && note.status === 'down')
    return { status: 'investigating', severity: 'critical' };
  return { status: note.status === 'operational' ? 'resolved' : 'monitoring', severity: 'minor' };
}

const placeOf = (endpointId: string, messageKey: string) => `${endpointId} ${messageKey}`;

/** What the messages say so far. A delivery that failed for good says nothing. */
async function readStatuses(
  tx: Transaction,
  keyed: readonly { endpoint: { id: string }; messageKey: string | null }[],
): Promise<Map<string, MessageStatus>> {
  const wanted = new Map(
    keyed.flatMap(({ endpoint, messageKey }) =>
      messageKey === null
        ? []
        : [[placeOf(endpoint.id, messageKey), { endpointId: endpoint.id, messageKey }]],
    ),
  );
  if (wanted.size === 0) return new Map();
  const endpointIds = [...wanted.values()].map(({ endpointId }) => endpointId);
  const messageKeys = [...wanted.values()].map(({ messageKey }) => messageKey);
  const rows = await tx.$queryRaw<{ endpointId: string; messageKey: string; status: string | null }[]>`
    SELECT wanted.endpoint_id AS "endpointId", wanted.message_key AS "messageKey", last.message_status AS status
      FROM unnest(${endpointIds}::text[], ${messageKeys}::text[]) AS wanted (endpoint_id, message_key)
     CROSS JOIN LATERAL (
       SELECT message_status FROM delivery
        WHERE delivery.endpoint_id = wanted.endpoint_id AND delivery.message_key = wanted.message_key
          AND delivery.status <> 'failed'
        ORDER BY number DESC LIMIT 1) AS last`;
  return new Map(
    rows.flatMap(({ endpointId, messageKey, status }) => {
      const known = parseStatus(status);
      return known ? [[placeOf(endpointId, messageKey), known]] : [];
    }),
  );
}
