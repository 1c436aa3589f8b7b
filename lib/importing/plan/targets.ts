import { ipVersion, parseHostAndPort } from '@/lib/core/addresses';
import { DNS_RECORD_TYPES } from '@/lib/core/dns-record-types';

/** `host:port`, with brackets around an IPv6 address; null without a host or a valid port. */
export function hostAndPort(host: string | null, port: number | null): string | null {
  if (host === null || port === null) return null;
  const bare = host.trim().replaceAll(/^\[|\]$/g, '');
  const text = `${ipVersion(bare) === 6 ? `[${bare}]` : bare}:${port}`;
  return parseHostAndPort(text) && text;
}

/**
 * The host and port of a connection string (`scheme://user:password@host:port/…`, `Server=host,port;…` or `host:port/…`), of
 * several hosts the first; null if there is none. User name and password are never part of the result.
 */
export function connectionTarget(text: string, defaultPort: number | null): string | null {
  const pair = /(?:^|;)\s*(?:server|data source|address|addr|host)\s*=\s*(?:tcp:)?([^;]+)/i.exec(text)?.[1];
  if (pair !== undefined) {
    const [host = '', given] = pair.trim().split(/[,:]/);
    const port = given ?? /(?:^|;)\s*port\s*=\s*(\d+)/i.exec(text)?.[1];
    return hostAndPort(host.split('\\')[0] ?? null, port === undefined ? defaultPort : Number(port));
  }
  const [authority = ''] = text
    .trim()
    .replace(/^[a-z][a-z0-9+.-]*:\/\//i, '')
    .split(/[/?#]/);
  const [first = ''] = authority.slice(authority.lastIndexOf('@') + 1).split(',');
  const match = /^(\[[^\]]*\]|[^:]*)(?::(\d+))?$/.exec(first);
  return match
    ? hostAndPort(match[1] ?? null, match[2] === undefined ? defaultPort : Number(match[2]))
    : null;
}

/**
 * The target of a DNS monitor: `dns://resolver:port/name?type=MX`, or without resolver. Of several resolvers, which are
 * separated by commas, the first. Null for a record type that Pharos does not query.
 */
export function dnsTarget(
  name: string,
  type: string | null,
  resolver: string | null,
  port: number | null,
): string | null {
  const record = (type ?? 'A').toUpperCase();
  if (!DNS_RECORD_TYPES.some((each) => each === record)) return null;
  const [first] = listResolvers(resolver, port);
  return first === undefined ? `dns:${name}?type=${record}` : `dns://${first}/${name}?type=${record}`;
}

/** The resolvers of a text, which separates them by commas, with this port unless they have one; 53 is not written. */
export function listResolvers(text: string | null, port: number | null): string[] {
  const given = (text ?? '').split(',').map((each) => each.trim());
  return given
    .filter((each) => each !== '')
    .map((each) => (parseHostAndPort(each) ? each : (hostAndPort(each, port ?? 53) ?? each)))
    .map((each) => each.replace(/:53$/, ''));
}

/** The URL without user name and password. */
export function withoutPassword(url: string): string {
  return url.replace(/^([a-z][a-z0-9+.-]*:\/\/)[^/?#]*@/i, '$1');
}

/** A name for a target that has none: without user name, password, query and fragment, which can be secret. */
export function nameOfTarget(target: string): string {
  const [plain = ''] = withoutPassword(target).split(/[?#]/);
  return plain.replace(/^https?:\/\//i, '').replace(/\/$/, '') || plain;
}
