import type { Keyring } from '@/lib/core/keyring';
import { HIDDEN } from '@/lib/schemas/hidden';
import type { EventContent } from '@/lib/schemas/webhooks/events';

/** As long as the link in an email. */
const VALID_MS = 7 * 86_400_000;
/** Products limit the length of a URL; the shortest of their limits is 512. */
const MAX_URL = 500;
const TOKEN = /^(del_[0-9a-z]{1,40})(\.story)?\.([0-9a-z]{1,12})\.([0-9a-f]{64})$/;

/** What a link acknowledges: the incident of a delivery, or all open ones of its story. */
export type LinkScope = 'incident' | 'story';
const SCOPES: readonly LinkScope[] = ['incident', 'story'];

/** Whether a message about an event offers to acknowledge its incident: one that is open, and that nobody acknowledged with this event. */
export function offersAcknowledgement(event: EventContent): boolean {
  switch (event.event) {
    case 'monitor.down':
      return true;
    case 'monitor.degraded':
      return event.incident !== null;
    case 'incident.created':
    case 'incident.updated':
      return event.incident.status !== 'resolved';
    default:
      return false;
  }
}

/**
 * The URL of a link as the body of a delivery is stored, without what makes it valid: anyone who may read the delivery log sees it. Null if
 * it could not be sent, because the URL of the dashboard is unknown or too long.
 */
export function hiddenAcknowledgeUrl(
  appUrl: string | null,
  deliveryId: string,
  scope: LinkScope = 'incident',
): string | null {
  const url = `${appUrl}/acknowledge/${hiddenToken(deliveryId, scope)}`;
  return appUrl === null || url.length + TOKEN_GROWTH > MAX_URL ? null : url;
}

/** What `HIDDEN` grows by when it becomes a time and a MAC. */
const TOKEN_GROWTH = 80;

/** A delivery whose messages have a link: its ID is in no text of its body, since it is created with that. */
type Linked = { id: string; occurredAt: Date };

/** A stored body with its link, if it has one, valid for seven days after the event, and what of it is secret. Every attempt sends the same. */
export function addAcknowledgeLink(
  keyring: Keyring,
  { id, occurredAt }: Linked,
  body: string,
): { body: string; secrets: Record<string, string> } {
  const scope = SCOPES.find((each) => body.includes(hiddenToken(id, each)));
  if (scope === undefined) return { body, secrets: {} };
  const expires = Math.floor((occurredAt.getTime() + VALID_MS) / 1000).toString(36);
  const token = `${prefix(id, scope)}.${expires}.${keyring.derive(purpose(id, scope, expires))}`;
  return { body: body.replaceAll(hiddenToken(id, scope), token), secrets: { link: token } };
}

/** The delivery whose message had a link, and what that acknowledges; null if it was not made by this service, or has expired. */
export function readAcknowledgeToken(
  keyring: Keyring,
  token: string,
  now: Date,
): { deliveryId: string; scope: LinkScope } | null {
  const [, deliveryId = '', story, expires = '', mac = ''] = TOKEN.exec(token) ?? [];
  const scope = story === undefined ? 'incident' : 'story';
  if (!keyring.isDerived(purpose(deliveryId, scope, expires), mac)) return null;
  return Number.parseInt(expires, 36) * 1000 > now.getTime() ? { deliveryId, scope } : null;
}

const prefix = (deliveryId: string, scope: LinkScope) =>
  scope === 'story' ? `${deliveryId}.story` : deliveryId;
const hiddenToken = (deliveryId: string, scope: LinkScope) => `${prefix(deliveryId, scope)}.${HIDDEN}`;
const purpose = (deliveryId: string, scope: LinkScope, expires: string) =>
  `acknowledge from ${prefix(deliveryId, scope)} ${expires}`;
