import type { Keyring } from '@/lib/core/keyring';

/**
 * The URL where a subscriber manages the subscription; a POST of an RFC 8058 mail client ends it. Its token is a MAC of the subscriber's ID, so it is
 * not stored; it is valid while its key is SECRET_KEY or in PREVIOUS_SECRET_KEYS.
 */
export function unsubscribeUrl(keyring: Keyring, address: string, subscriberId: string): string {
  const query = new URLSearchParams({ id: subscriberId, token: keyring.derive(purpose(subscriberId)) });
  return `${address}/unsubscribe?${query}`;
}

/** Whether `token` is the token in the links of a subscriber. */
export function isUnsubscribeToken(keyring: Keyring, { id, token }: { id: string; token: string }): boolean {
  return keyring.isDerived(purpose(id), token);
}

function purpose(subscriberId: string): string {
  return `unsubscribe ${subscriberId}`;
}
