import type { MessageStatus } from '@/lib/state/announcements/message-status';

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
export function chooseMessageKey(
  incidentId: string,
  { usual, own, recent }: KnownMessages,
): { key: string; status: MessageStatus | null } {
  if (own) return own.isContinued ? { key: `${incidentId} later`, status: null } : own;
  if (recent?.status?.status === 'resolved') return recent;
  return { key: incidentId, status: usual };
}
