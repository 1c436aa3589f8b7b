import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Keyring } from '@/lib/core/keyring';

/** The cookie that tells a browser in which a person has signed in before; it signs nobody in. */
export const KNOWN_BROWSER_COOKIE = 'pharos.known-browser';

/** As long as browsers keep a cookie at most. */
export const KNOWN_BROWSER_SECONDS = 400 * 24 * 3600;

/** The proof that a person has signed in in this browser: a random name for the browser, and a MAC over it and the address. */
export function makeKnownBrowser(keyring: Keyring, email: string): string {
  const name = randomBytes(12).toString('base64url');
  return `${name}.${mac(keyring, email, name)}`;
}

/** The name of the browser where the proof is for this address, else null. */
export function readKnownBrowser(keyring: Keyring, email: string, proof: string | undefined): string | null {
  const [name = '', given = ''] = proof?.split('.') ?? [];
  const [left, right] = [Buffer.from(given), Buffer.from(mac(keyring, email, name))];
  return left.length === right.length && timingSafeEqual(left, right) ? name : null;
}

function mac(keyring: Keyring, email: string, name: string): string {
  return createHmac('sha256', keyring.derive('known browser')).update(`${name} ${email}`).digest('base64url');
}
