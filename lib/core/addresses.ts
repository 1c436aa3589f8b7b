import { parseUrl } from '@/lib/core/parse-url';
export type HostAndPort = { host: string; port: number };

const LABEL = /^(?!-)[a-z0-9_-]{1,63}(?<!-)$/i;
const IPV4 = /^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.(?!$)|$)){4}$/;

/** The IP version of an address without brackets, 0 for other text: `isIP` of Node.js, also for browsers. */
export function ipVersion(text: string): 4 | 6 | 0 {
  if (IPV4.test(text)) return 4;
  const address = text.replace(/%[\w.:-]+$/, '');
  return /^[\da-f:.]+$/i.test(address) && parseUrl(`http://[${address}]`) !== null ? 6 : 0;
}

/** A host name as it is looked up: that of an internationalized one is punycode (`xn--mnchen-3ya.example`). Other text stays as it is. */
export function toAsciiName(text: string): string {
  if (/^[ -~]*$/.test(text) || /[\s/\\?#@:%[\]]/.test(text)) return text;
  return parseUrl(`http://${text}`)?.hostname ?? text;
}

/**
 * Whether a text is a host name: labels of letters, digits, dashes and underscores, at most 253 characters. The letters can be those of any
 * language.
 */
export function isHostname(text: string): boolean {
  const ascii = toAsciiName(text);
  const name = ascii.endsWith('.') ? ascii.slice(0, -1) : ascii;
  return name.length > 0 && name.length <= 253 && name.split('.').every((label) => LABEL.test(label));
}

/** Parses `host:port` or `[v6]:port` with a port of 1–65535; null for other text. */
export function parseHostAndPort(text: string): HostAndPort | null {
  const match = /^(?:\[([0-9a-fA-F:.]+)\]|([^:[\]/?#@\s]+)):(\d{1,5})$/.exec(text);
  if (!match) return null;
  const [, bracketed, plain, digits] = match;
  const port = Number(digits);
  if (port < 1 || port > 65_535) return null;
  if (bracketed !== undefined) return ipVersion(bracketed) === 6 ? { host: bracketed, port } : null;
  return plain !== undefined && isHostname(plain) ? { host: plain, port } : null;
}

/** Parses a host name or an IP address with an optional port: `host`, `host:port`, `::1`, `[::1]:port`; null for other text. */
export function parseHostWithPort(text: string): { host: string; port: number | null } | null {
  if (ipVersion(text) === 6) return { host: text, port: null };
  if (!/(^[^:]+|\])$/.test(text)) return parseHostAndPort(text);
  const parsed = parseHostAndPort(`${text}:1`);
  return parsed && { host: parsed.host, port: null };
}

/** The name under which DNS has the host names of an address (RFC 1035, RFC 3596); null for other text. */
export function toReverseName(address: string): string | null {
  const version = ipVersion(address);
  if (version === 4) return `${address.split('.').toReversed().join('.')}.in-addr.arpa`;
  if (version !== 6 || address.includes('%')) return null;
  const [start = '', end] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::');
  const [head, tail] = [start, end ?? ''].map((part) => part.split(':').filter((group) => group !== ''));
  const gap = 8 - (head?.length ?? 0) - (tail?.length ?? 0);
  const groups = [...(head ?? []), ...Array<string>(gap).fill('0'), ...(tail ?? [])];
  const digits = groups.map((group) => group.padStart(4, '0')).join('');
  return `${[...digits].toReversed().join('.')}.ip6.arpa`;
}

/** The address whose host names DNS has under a name, the first one for that of a network; null for other names. */
export function fromReverseName(name: string): string | null {
  const [, labels = '', zone = ''] = /^(.+)\.(in-addr|ip6)\.arpa\.?$/i.exec(name) ?? [];
  const parts = labels.split('.').toReversed();
  if (zone === '') return null;
  if (zone.toLowerCase() === 'in-addr') return [...parts, 0, 0, 0].slice(0, 4).join('.');
  const digits = parts.join('').padEnd(32, '0');
  return (digits.match(/.{4}/g) ?? []).slice(0, 8).join(':');
}

/** Parses an http(s) URL with a host and without credentials; null for other text. */
export function parseHttpUrl(text: string): URL | null {
  const url = /^https?:\/\//i.test(text) && !/\s/.test(text) ? parseUrl(text) : null;
  if (url === null || url.username !== '' || url.password !== '' || url.hostname === '') return null;
  return url;
}

/**
 * A URL that was typed without a scheme, as an https URL: `example.com:8443/path`, `localhost:3000`. Null for a text with a scheme, and
 * for one that is no URL with it.
 */
export function addScheme(text: string): string | null {
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(text)) return null;
  const url = `https://${text.replace(/^\/\//, '')}`;
  return parseHttpUrl(url) && url;
}

/** What is wrong with a text that is not an http(s) URL, as a predicate. */
export function findUrlProblem(text: string): string {
  if (text === '') return 'must not be empty';
  if (!/^https?:\/\//i.test(text)) return 'must start with https:// or http://';
  if (/\s/.test(text)) return 'must not contain spaces';
  if (/^https?:\/\/[^/?#]*@/i.test(text)) return 'must not contain a user name or password';
  return 'must have a valid host, such as https://example.com/health';
}

/** A URL without user, password and query string, which can contain secrets. */
export function withoutSecrets(url: string): string {
  return url.replace(/\/\/[^/?#]*@/, '//').replace(/\?.*/, '?…');
}
