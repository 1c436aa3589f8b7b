import type { Keyring } from '@/lib/core/keyring';
import { isSameText } from '@/lib/core/same-text';

/**
 * The address that ends a subscription: a page for a visit, the end of it for an RFC 8058 POST. Its token is a MAC of the
 * subscriber's id, so that every mail can carry it and no table has to; it holds for as long as the key it
 * was made under is SECRET_KEY or named in PREVIOUS_SECRET_KEYS.
 */
export function unsubscribeUrl(keyring: Keyring, address: string, subscriberId: string): string {
  const query = new URLSearchParams({ id: subscriberId, token: keyring.derive(purpose(subscriberId)) });
  return `${address}/unsubscribe?${query}`;
}

/** Whether `token` is the one that mails to a subscriber carry. */
export function isUnsubscribeToken(keyring: Keyring, { id, token }: { id: string; token: string }): boolean {
  return keyring.deriveAll(purpose(id)).some((expected) => isSameText(token, expected));
}

function purpose(subscriberId: string): string {
  return `unsubscribe ${subscriberId}`;
}
