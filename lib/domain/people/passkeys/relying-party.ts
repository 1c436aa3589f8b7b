import { isIP } from 'node:net';

/** Whom passkeys are created for: browsers use one only at this origin, and only for this domain. */
export type RelyingParty = { id: string; origin: string };

/** Why a service has no passkeys: its address is unknown, not encrypted, or not a name. */
export type PasskeyProblem = 'no address' | 'insecure' | 'ip address';

/** `id`: the host of the service. Browsers have passkeys for names only, over https or on this machine. */
export function readRelyingParty(appUrl: string | null): RelyingParty | PasskeyProblem {
  if (appUrl === null) return 'no address';
  const { protocol, hostname, origin } = new URL(appUrl);
  if (isIP(hostname.replace(/^\[|\]$/g, '')) !== 0) return 'ip address';
  const isLocal = hostname === 'localhost' || hostname.endsWith('.localhost');
  return protocol === 'https:' || isLocal ? { id: hostname, origin } : 'insecure';
}
