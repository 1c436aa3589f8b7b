import type { Keyring } from '@/lib/core/keyring';
import { HIDDEN } from '@/lib/schemas/hidden';
import { CREDENTIAL_NAMES, type Credentials } from '@/lib/schemas/webhooks/credentials';

const ownerOf = (endpointId: string) => `${endpointId}/credentials`;

/** The credentials of an endpoint, encrypted; null if there are none. */
export function sealCredentials(
  keyring: Keyring,
  endpointId: string,
  credentials: Credentials,
): Uint8Array<ArrayBuffer> | null {
  if (Object.keys(credentials).length === 0) return null;
  return keyring.seal(JSON.stringify(credentials), ownerOf(endpointId));
}

/** The credentials of an endpoint. Throws if no key opens them. */
export function openCredentials(
  keyring: Keyring,
  endpointId: string,
  sealed: Uint8Array | null,
): Credentials {
  if (sealed === null) return {};
  const stored: Record<string, unknown> = JSON.parse(keyring.open(sealed, ownerOf(endpointId)));
  return Object.fromEntries(
    CREDENTIAL_NAMES.flatMap((name) => {
      const value = stored[name];
      return typeof value === 'string' ? [[name, value]] : [];
    }),
  );
}

/** The same names without a value. */
export function hideCredentials(credentials: Credentials): Credentials {
  return Object.fromEntries(Object.keys(credentials).map((name) => [name, HIDDEN]));
}
