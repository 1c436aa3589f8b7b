import { z } from 'zod';

/** Two labels or more, of which the last begins with a letter: no IP address, and never `localhost`. */
const DOMAIN = /^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]([a-z0-9-]{0,61}[a-z0-9])?$/;
/** A name in DNS has 253 characters, of which `_pharos.` takes eight. */
const MAX_DOMAIN = 245;
/** What makes a URL more than a host; a URL parser would drop it without a word. */
const MORE_THAN_A_HOST = /[\s/\\?#@:%[\]]/;

/**
 * A host name in the one form in which it is stored and compared: lower case, in the letters of DNS (IDNA: `bücher.example`
 * is `xn--bcher-kva.example`), without the dot at the end. What is no host name comes back as it is.
 */
export function canonicalDomain(text: string): string {
  const name = text.trim().toLowerCase().replace(/\.$/, '');
  return readHost(name) ?? name;
}

function readHost(name: string): string | null {
  if (MORE_THAN_A_HOST.test(name) || !URL.canParse(`http://${name}`)) return null;
  return new URL(`http://${name}`).hostname;
}

/** Whether a text, in the canonical form, can be the domain of a page. */
export function isDomain(text: string): boolean {
  return domainSchema.safeParse(text).data === text;
}

/** The domain of a page as somebody types it; comes out in the canonical form. */
export const domainSchema = z
  .string('must be a string or null')
  .overwrite(canonicalDomain)
  .max(MAX_DOMAIN, `must be at most ${MAX_DOMAIN} characters`)
  .regex(DOMAIN, 'must be a host name such as status.example.com')
  .refine((domain) => readHost(domain) === domain, 'must be a host name such as status.example.com')
  .refine((domain) => !/\.localhost$/.test(domain), 'must be a host name that others can reach');
