export type HostAndPort = { host: string; port: number };

const LABEL = /^(?!-)[a-z0-9_-]{1,63}(?<!-)$/i;
const IPV4 = /^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.(?!$)|$)){4}$/;

/** The IP version of an address without brackets, 0 for other text: `isIP` of Node.js, also for browsers. */
export function ipVersion(text: string): 4 | 6 | 0 {
  if (IPV4.test(text)) return 4;
  const address = text.replace(/%[\w.:-]+$/, '');
  return /^[\da-f:.]+$/i.test(address) && URL.canParse(`http://[${address}]`) ? 6 : 0;
}

/** Whether a text is a host name: labels of letters, digits, dashes and underscores, at most 253 characters. */
export function isHostname(text: string): boolean {
  const name = text.endsWith('.') ? text.slice(0, -1) : text;
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

/** Parses an http(s) URL with a host and without credentials; null for other text. */
export function parseHttpUrl(text: string): URL | null {
  if (!/^https?:\/\//i.test(text) || /\s/.test(text) || !URL.canParse(text)) return null;
  const url = new URL(text);
  if (url.username !== '' || url.password !== '' || url.hostname === '') return null;
  return url;
}

/** A URL without user, password and query string, which can contain secrets. */
export function withoutSecrets(url: string): string {
  return url.replace(/\/\/[^/?#]*@/, '//').replace(/\?.*/, '?…');
}
