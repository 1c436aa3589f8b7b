import { createHash, timingSafeEqual } from 'node:crypto';
import type { Keyring } from '@/lib/core/keyring';

/**
 * The address that ends a subscription: a page for a visit, the end of it for an RFC 8058 POST. Its token is a MAC of the
 * subscriber's id, so that every mail can carry it and no table has to; it holds for as long as SECRET_KEY.
 */
export function unsubscribeUrl(keyring: Keyring, address: string, subscriberId: string): string {
  const query = new URLSearchParams({ id: subscriberId, token: unsubscribeToken(keyring, subscriberId) });
  return `${address}/unsubscribe?${query}`;
}

/** Whether `token` is the one that mails to a subscriber carry. */
export function isUnsubscribeToken(keyring: Keyring, { id, token }: { id: string; token: string }): boolean {
  const [given, expected] = [token, unsubscribeToken(keyring, id)].map((text) =>
    createHash('sha256').update(text).digest(),
  );
  return given !== undefined && expected !== undefined && timingSafeEqual(given, expected);
}

function unsubscribeToken(keyring: Keyring, subscriberId: string): string {
  return keyring.derive(`unsubscribe ${subscriberId}`);
}
