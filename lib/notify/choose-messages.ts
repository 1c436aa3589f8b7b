import type { EventContent } from '@/lib/schemas/webhooks/events';
import type { FlappingNote } from '@/lib/state/announcements/flapping-note';
import {
  compareStatuses,
  formatStatus,
  type MessageStatus,
  statusAfter,
} from '@/lib/state/announcements/message-status';
import { editableProduct, isReadByPeople, type WebhookFormat } from '@/lib/webhook-formats/formats';
import { noteFor, type WhileFlapping } from './audience';

/** A message that an endpoint was sent, and what it says now. */
type KnownMessage = { key: string; status: MessageStatus | null };

/** What an endpoint knows about an incident. `own` and `recent` are null where messages cannot be edited. */
export type KnownMessages = {
  /** What the message with the ID of the incident says; null: there is none. */
  usual: MessageStatus | null;
  /** The last message about the incident; it `isContinued` if a later incident of the same monitor has taken it over. */
  own: (KnownMessage & { isContinued: boolean }) | null;
  /** The last message about the monitor, if that was shortly before. */
  recent: KnownMessage | null;
};

/**
 * The message that an event about an incident belongs to, and what it says so far. Each incident has one, whose key is its ID. Where
 * messages can be edited, an incident continues the message of the one that its monitor had shortly before, if that is over; anything
 * about the earlier one is then a message of its own.
 */
function chooseMessageKey(
  incidentId: string,
  { usual, own, recent }: KnownMessages,
): { key: string; status: MessageStatus | null } {
  if (own) return own.isContinued ? { key: `${incidentId} later`, status: null } : own;
  if (recent?.status?.status === 'resolved') return recent;
  return { key: incidentId, status: usual };
}

const NO_MESSAGES: KnownMessages = { usual: null, own: null, recent: null };

/** An event and an endpoint that is to get it. */
type Owed = {
  event: { payload: EventContent; flapping?: WhileFlapping };
  endpoint: { id: string; format: WebhookFormat; hasCredentials: boolean };
};

/** The message of a delivery, and what it says; null for a delivery that is no message. */
type InMessage = { messageKey: string | null; messageStatus: string | null };

/** The key of what is known of a message of an endpoint, or of an incident. */
export const placeOf = (endpointId: string, key: string) => `${endpointId} ${key}`;

/**
 * Leaves out what people have read already: an event whose message says the same about its incident. Where messages can be edited, it is
 * an edit, unless both events occur at once, and a monitor that is down again soon continues its message. That a monitor flaps, and how
 * that ended, is always news. The order is kept. `found`: what people read so far, by `placeOf`.
 */
export function chooseMessages<Each extends Owed>(
  found: ReadonlyMap<string, KnownMessages>,
  owed: readonly Each[],
): (Each & InMessage)[] {
  /** What each message says after the events before. */
  const said = new Map<string, MessageStatus>();
  return owed.flatMap((each): (Each & InMessage)[] => {
    const { endpoint, event } = each;
    const note = noteFor(endpoint.format, event.flapping);
    if (note) return [{ ...each, messageKey: note.key, messageStatus: formatStatus(statusOfNote(note)) }];
    const { incident } = event.payload;
    if (!isReadByPeople(endpoint.format) || !incident) {
      return [{ ...each, messageKey: null, messageStatus: null }];
    }
    const messages = found.get(placeOf(endpoint.id, incident.id)) ?? NO_MESSAGES;
    const { key: messageKey, status: stored } = chooseMessageKey(incident.id, messages);
    const place = placeOf(endpoint.id, messageKey);
    const known = said.get(place) ?? stored;
    const status = statusAfter(event.payload, known);
    // Not among the events of a new endpoint: it is sent to those for which it was chosen.
    const isChosen = event.payload.event === 'incident.acknowledged';
    const isEditable = editableProduct(endpoint.format, endpoint.hasCredentials) !== null;
    const isEdit = isEditable && !said.has(place);
    if (!isChosen && !isEdit && compareStatuses(known, status) === 'same') return [];
    said.set(place, status);
    return [{ ...each, messageKey, messageStatus: formatStatus(status) }];
  });
}

/** What a note about flapping says, in the terms of an incident. */
function statusOfNote(note: FlappingNote): MessageStatus {
  if (note.kind === 'began') return { status: 'investigating', severity: 'minor' };
  if (note.end === 'steady' && note.status === 'down')
    return { status: 'investigating', severity: 'critical' };
  return { status: note.status === 'operational' ? 'resolved' : 'monitoring', severity: 'minor' };
}
