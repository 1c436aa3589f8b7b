import { z } from 'zod';
import { parseUrl } from '@/lib/core/parse-url';

/** Two or more labels, the last starting with a letter: never an IP address or `localhost`. */
const DOMAIN = /^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]([a-z0-9-]{0,61}[a-z0-9])?$/;
/** DNS names have at most 253 characters; `_pharos.` takes eight. */
const MAX_DOMAIN = 245;
/** Characters that a URL parser would silently drop from a host. */
const MORE_THAN_A_HOST = /[\s/\\?#@:%[\]]/;

/**
 * A host name in canonical form, as stored and compared: lower case, in Punycode (`bücher.example` is
 * `xn--bcher-kva.example`), without the trailing dot. Other text is returned unchanged, apart from case.
 */
export function canonicalDomain(text: string): string {
  const name = text.trim().toLowerCase().replace(/\.$/, '');
  return readHost(name) ?? name;
}

function readHost(name: string): string | null {
  return MORE_THAN_A_HOST.test(name) ? null : (parseUrl(`http://${name}`)?.hostname ?? null);
}

/** Whether a URL has exactly this host. Some versions of Node.js read Punycode only next to a label that is not ASCII, and take all else as it is. */
function isHost(domain: string): boolean {
  return readHost(domain) === domain && parseUrl(`http://ü.${domain}`) !== null;
}

/** Whether a text is a valid page domain in canonical form. */
export function isDomain(text: string): boolean {
  return domainSchema.safeParse(text).data === text;
}

/** The domain of a page as typed by a user; parses to the canonical form. */
export const domainSchema = z
  .string('must be a string or null')
  .overwrite(canonicalDomain)
  .max(MAX_DOMAIN, `must be at most ${MAX_DOMAIN} characters`)
  .regex(DOMAIN, 'must be a host name such as status.example.com')
  .refine(isHost, 'must be a host name such as status.example.com')
  .refine((domain) => !/\.localhost$/.test(domain), 'must be a publicly reachable host name');
