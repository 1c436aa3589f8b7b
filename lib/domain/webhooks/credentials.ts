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

const headersOwnerOf = (endpointId: string) => `${endpointId}/headers`;

/** The headers of an endpoint with a custom format, encrypted; null if there are none. */
export function sealHeaders(
  keyring: Keyring,
  endpointId: string,
  headers: Record<string, string>,
): Uint8Array<ArrayBuffer> | null {
  if (Object.keys(headers).length === 0) return null;
  return keyring.seal(JSON.stringify(headers), headersOwnerOf(endpointId));
}

/** The headers of an endpoint. Throws if no key opens them. */
export function openHeaders(
  keyring: Keyring,
  endpointId: string,
  sealed: Uint8Array | null,
): Record<string, string> {
  return sealed === null ? {} : JSON.parse(keyring.open(sealed, headersOwnerOf(endpointId)));
}

/** The same names without a value. */
export function hideCredentials(credentials: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.keys(credentials).map((name) => [name, HIDDEN]));
}
