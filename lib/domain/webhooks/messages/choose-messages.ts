import type { Transaction } from '@/lib/platform/db/client';
import type { EventContent } from '@/lib/schemas/webhooks/events';
import type { FlappingNote } from '@/lib/state/announcements/flapping-note';
import {
  compareStatuses,
  formatStatus,
  type MessageStatus,
  statusAfter,
} from '@/lib/state/announcements/message-status';
import { editableProduct, isReadByPeople, type WebhookFormat } from '@/lib/webhook-formats/formats';
import { noteFor, type WhileFlapping } from '../while-flapping';
import { chooseMessageKey, type KnownMessages } from './message-key';
import { type AboutIncident, placeOf, readMessages } from './read-messages';

const NO_MESSAGES: KnownMessages = { usual: null, own: null, recent: null };

/** An event and an endpoint that is to get it. */
type Owed = {
  event: { payload: EventContent; occurredAt: Date; flapping?: WhileFlapping };
  endpoint: { id: string; format: WebhookFormat; hasCredentials: boolean };
};

/** The message of a delivery, and what it says; null for a delivery that is no message. */
type InMessage = { messageKey: string | null; messageStatus: string | null };

/**
 * Leaves out what people have read already: an event whose message says the same about its incident. Where messages can be edited, it is
 * an edit, unless both events occur at once, and a monitor that is down again soon continues its message. That a monitor flaps, and how
 * that ended, is always news. The order is kept. Takes one statement, or none without messages.
 */
export async function chooseMessages<Each extends Owed>(
  tx: Transaction,
  owed: readonly Each[],
): Promise<(Each & InMessage)[]> {
  const about = owed.map(aboutOf);
  const found = await readMessages(tx, about);
  const chosen = new Set<string>();
  const statuses = new Map<string, MessageStatus | null>();
  return owed.flatMap((each, index): (Each & InMessage)[] => {
    const { endpoint, event } = each;
    const note = noteFor(endpoint.format, event.flapping);
    if (note) return [{ ...each, messageKey: note.key, messageStatus: formatStatus(statusOfNote(note)) }];
    const incident = about[index];
    if (!incident) return [{ ...each, messageKey: null, messageStatus: null }];
    const { incidentId, isEditable } = incident;
    const messages = found.get(placeOf(endpoint.id, incidentId)) ?? NO_MESSAGES;
    const { key: messageKey, status: stored } = chooseMessageKey(incidentId, messages);
    const place = placeOf(endpoint.id, messageKey);
    const known = statuses.get(place) ?? stored;
    const status = statusAfter(event.payload, known);
    // Not among the events of a new endpoint: it is sent to those for which it was chosen.
    const isChosen = event.payload.event === 'incident.acknowledged';
    const isEdit = isEditable && !chosen.has(place);
    if (!isChosen && !isEdit && compareStatuses(known, status) === 'same') return [];
    chosen.add(place);
    statuses.set(place, status);
    return [{ ...each, messageKey, messageStatus: formatStatus(status) }];
  });
}

/** What a delivery to people is about, unless it is a note or about no incident. */
function aboutOf({ endpoint, event }: Owed): AboutIncident | null {
  const { id: endpointId, format, hasCredentials } = endpoint;
  const { incident } = event.payload;
  if (!isReadByPeople(format) || !incident || noteFor(format, event.flapping)) return null;
  const isEditable = editableProduct(format, hasCredentials) !== null;
  return { endpointId, incidentId: incident.id, at: event.occurredAt, isEditable };
}

/** What a note about flapping says, in the terms of an incident. */
function statusOfNote(note: FlappingNote): MessageStatus {
  if (note.kind === 'began') return { status: 'investigating', severity: 'minor' };
  if (note.end === 'steady' && note.status === 'down')
    return { status: 'investigating', severity: 'critical' };
  return { status: note.status === 'operational' ? 'resolved' : 'monitoring', severity: 'minor' };
}
