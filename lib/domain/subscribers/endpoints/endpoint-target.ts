import { createHash } from 'node:crypto';
import type { Keyring } from '@/lib/core/keyring';
import type { TargetPolicy } from '@/lib/platform/net/target-policy';

/**
 * Where endpoints of subscribers may be: at public addresses alone, whatever monitors may check. Visitors of a page are strangers, and must not
 * reach what only the operator's network can.
 */
export const SUBSCRIBER_TARGETS: TargetPolicy = { mode: 'public', allowedCidrs: [] };

/** The stored forms of the URL of an endpoint: sealed for the subscriber, and hashed to recognize it. */
export function storeUrl(keyring: Keyring, id: string, url: string) {
  return {
    urlSealed: keyring.seal(url, urlOwner(id)),
    urlHash: new Uint8Array(createHash('sha256').update(url).digest()),
    host: new URL(url).host,
  };
}

/** The URL of the endpoint of a subscriber. Throws if no key opens it. */
export function openUrl(keyring: Keyring, id: string, urlSealed: Uint8Array): string {
  return keyring.open(urlSealed, urlOwner(id));
}

function urlOwner(id: string): string {
  return `${id}/url`;
}
