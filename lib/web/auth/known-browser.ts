import { createHmac, randomBytes } from 'node:crypto';
import type { Keyring } from '@/lib/core/keyring';
import { isSameText } from '@/lib/core/same-text';

/** The cookie that tells a browser in which a person has signed in before; it signs nobody in. */
export const KNOWN_BROWSER_COOKIE = 'pharos.known-browser';

/** As long as browsers keep a cookie at most. */
export const KNOWN_BROWSER_SECONDS = 400 * 24 * 3600;

const PURPOSE = 'known browser';

/** The proof that a person has signed in in this browser: a random name for the browser, and a MAC over it and the address. */
export function makeKnownBrowser(keyring: Keyring, email: string): string {
  const name = randomBytes(12).toString('base64url');
  return `${name}.${mac(keyring.derive(PURPOSE), email, name)}`;
}

/** The name of the browser where the proof is for this address, else null. */
export function readKnownBrowser(keyring: Keyring, email: string, proof: string | undefined): string | null {
  const [name = '', given = ''] = proof?.split('.') ?? [];
  const isGiven = (secret: string) => isSameText(given, mac(secret, email, name));
  return keyring.deriveAll(PURPOSE).some(isGiven) ? name : null;
}

function mac(secret: string, email: string, name: string): string {
  return createHmac('sha256', secret).update(`${name} ${email}`).digest('base64url');
}
