import { domainToASCII } from 'node:url';

/** What browsers keep of a site, and of one cookie. */
const MAX_COOKIES = 180;
const MAX_COOKIE_BYTES = 4096;
/** More than most servers accept in a request. */
const MAX_SENT_BYTES = 16 * 1024;
const CONTROL = /[^\t\x20-\x7e\x80-\xff]/;
const ADDRESS = /^\[|^[\d.]+$/;

type Cookie = {
  name: string;
  value: string;
  domain: string;
  /** Whether it is only for `domain` itself. */
  isHostOnly: boolean;
  path: string;
  isSecure: boolean;
};

/**
 * The cookies that the redirects of one check set (RFC 6265). Nothing of them outlives the check, so only whether one has expired matters.
 * There is no list of public suffixes, which would be larger than all else that a probe needs: a domain of one label is none to set cookies for.
 */
export class CheckCookies {
  readonly #cookies = new Map<string, Cookie>();

  get isEmpty(): boolean {
    return this.#cookies.size === 0;
  }

  /** Keeps what the response of a URL sets. What is invalid, meant for other hosts, or too much is ignored. */
  keep(url: string, setCookies: readonly string[]): void {
    const from = new URL(url);
    for (const text of setCookies) {
      const parsed = text.length > MAX_COOKIE_BYTES ? null : parseCookie(text, from);
      if (parsed === null) continue;
      const { cookie, hasExpired } = parsed;
      const key = JSON.stringify([cookie.domain, cookie.path, cookie.name]);
      if (hasExpired) this.#cookies.delete(key);
      else if (this.#cookies.has(key) || this.#cookies.size < MAX_COOKIES) this.#cookies.set(key, cookie);
    }
  }

  /** The `Cookie` header of a request: `own` without the names that were set since, then what was set; null if there is none. */
  headerFor(url: string, own: string | undefined): string | null {
    const to = new URL(url);
    const set = [...this.#cookies.values()]
      .filter((cookie) => isFor(cookie, to))
      .sort((a, b) => b.path.length - a.path.length);
    const names = new Set(set.map(({ name }) => name));
    const pairs = (own ?? '').split(';').map((pair) => pair.trim());
    const kept = pairs.filter((pair) => pair !== '' && !names.has(pair.split('=')[0] ?? ''));
    let header = kept.join('; ');
    for (const { name, value } of set) {
      const longer = `${header}${header && '; '}${name}=${value}`;
      if (longer.length <= MAX_SENT_BYTES) header = longer;
    }
    return header || null;
  }
}

function parseCookie(text: string, from: URL): { cookie: Cookie; hasExpired: boolean } | null {
  const [pair = '', ...rest] = text.split(';');
  const [name, value] = splitPair(pair);
  if (name === '' || !pair.includes('=') || CONTROL.test(pair)) return null;
  const attributes = readAttributes(rest);
  const wanted = attributes.get('domain');
  const domain = wanted === undefined ? '' : domainToASCII(wanted.replace(/^\./, ''));
  if (wanted !== undefined && !isWithin(from.hostname, domain)) return null;
  const isSite = domain.includes('.') && !ADDRESS.test(domain);
  if (!isSite && domain !== '' && domain !== from.hostname) return null;
  const path = attributes.get('path') ?? '';
  const isSecure = attributes.has('secure');
  const cookie = {
    name,
    value,
    isSecure,
    domain: isSite ? domain : from.hostname,
    isHostOnly: !isSite,
    path: path.startsWith('/') ? path : defaultPath(from),
  };
  if (isSecure && !isTrustworthy(from)) return null;
  if (/^__(secure|host)-/i.test(name) && !isSecure) return null;
  if (/^__host-/i.test(name) && (domain !== '' || path !== '/')) return null;
  return { cookie, hasExpired: isOver(attributes) };
}

function splitPair(text: string): [name: string, value: string] {
  const at = text.indexOf('=');
  return at === -1 ? [text.trim(), ''] : [text.slice(0, at).trim(), text.slice(at + 1).trim()];
}

/** Of an attribute that is repeated, the last one counts that can be read. */
function readAttributes(texts: readonly string[]): ReadonlyMap<string, string> {
  const attributes = new Map<string, string>();
  for (const [key, value] of texts.map(splitPair)) {
    const name = key.toLowerCase();
    if (isReadable(name, value)) attributes.set(name, value);
  }
  return attributes;
}

function isReadable(name: string, value: string): boolean {
  if (name === 'domain') return value !== '';
  if (name === 'max-age') return /^-?\d+$/.test(value);
  // A date has a month in letters (RFC 6265, 5.1.1), and `Date.parse` reads numbers, too.
  return name !== 'expires' || (/[a-z]{3}/i.test(value) && !Number.isNaN(Date.parse(value)));
}

/** `Max-Age` counts more than `Expires`. */
function isOver(attributes: ReadonlyMap<string, string>): boolean {
  const age = attributes.get('max-age');
  return age === undefined ? Date.parse(attributes.get('expires') ?? '') <= Date.now() : Number(age) <= 0;
}

/** The folder of the URL. */
function defaultPath({ pathname }: URL): string {
  return pathname.slice(0, Math.max(1, pathname.lastIndexOf('/')));
}

function isFor({ domain, isHostOnly, path, isSecure }: Cookie, to: URL): boolean {
  if (isSecure && !isTrustworthy(to)) return false;
  if (isHostOnly ? to.hostname !== domain : !isWithin(to.hostname, domain)) return false;
  const isBelow = path.endsWith('/') || to.pathname[path.length] === '/';
  return to.pathname === path || (to.pathname.startsWith(path) && isBelow);
}

function isWithin(host: string, domain: string): boolean {
  return host === domain || (host.endsWith(`.${domain}`) && !ADDRESS.test(host));
}

/** Whether nobody can read along: TLS, or this machine. */
function isTrustworthy({ protocol, hostname }: URL): boolean {
  return protocol === 'https:' || /^(localhost|.*\.localhost|127\..*|\[::1\])$/.test(hostname);
}
