import { isIP } from 'node:net';
import { DNS_RECORD_TYPES, type DnsRecordType } from '@/lib/core/dns-record-types';

export type HostAndPort = { host: string; port: number };

export type DnsTarget = {
  name: string;
  /** Null for a plain host name: any address will do, A or AAAA. */
  type: DnsRecordType | null;
  /** Null asks the configured resolver. */
  resolver: HostAndPort | null;
};

const LABEL = /^(?!-)[a-z0-9_-]{1,63}(?<!-)$/i;

/** The host that a monitor's `url` names (of a dns monitor: its resolver); null where none can be read from it. */
export function targetHost({
  type,
  url,
}: {
  type: 'http' | 'tcp' | 'ping' | 'dns';
  url: string;
}): string | null {
  switch (type) {
    case 'http':
      return parseHttpTarget(url)?.hostname ?? null;
    case 'tcp':
      return parseTcpTarget(url)?.host ?? null;
    case 'ping':
      return parsePingTarget(url);
    case 'dns':
      return parseDnsTarget(url)?.resolver?.host ?? null;
  }
}

/** Whether a text is a host name: labels of letters, digits, dashes and underscores, at most 253 characters. */
export function isHostname(text: string): boolean {
  const name = text.endsWith('.') ? text.slice(0, -1) : text;
  return name.length > 0 && name.length <= 253 && name.split('.').every((label) => LABEL.test(label));
}

/** The URL of an http monitor or a webhook; null where it is not an http(s) URL with a host and without credentials. */
export function parseHttpTarget(text: string): URL | null {
  if (!/^https?:\/\//i.test(text) || /\s/.test(text) || !URL.canParse(text)) return null;
  const url = new URL(text);
  if (url.username !== '' || url.password !== '' || url.hostname === '') return null;
  return url;
}

/** `host:port` or `[v6]:port`; null where it is neither, or the port is not 1–65535. */
export function parseTcpTarget(text: string): HostAndPort | null {
  const match = /^(?:\[([0-9a-fA-F:.]+)\]|([^:[\]/?#@\s]+)):(\d{1,5})$/.exec(text);
  if (!match) return null;
  const [, bracketed, plain, digits] = match;
  const port = Number(digits);
  if (port < 1 || port > 65_535) return null;
  if (bracketed !== undefined) return isIP(bracketed) === 6 ? { host: bracketed, port } : null;
  return plain !== undefined && isHostname(plain) ? { host: plain, port } : null;
}

/** The host of a ping monitor: a host name or an IP address; null where it is neither. */
export function parsePingTarget(text: string): string | null {
  const host = text.startsWith('[') && text.endsWith(']') ? text.slice(1, -1) : text;
  if (isIP(host) !== 0) return host;
  return host === text && isHostname(host) ? host : null;
}

/** A host name, or an RFC 4501 URI `dns://resolver:port/name?type=MX` (class IN only); null where it is neither. */
export function parseDnsTarget(text: string): DnsTarget | null {
  if (!/^dns:/i.test(text))
    return isHostname(text) ? { name: toName(text), type: null, resolver: null } : null;
  const match = /^dns:(?:\/\/([^/?#]*)\/)?([^/?#]+)(?:\?([^#]*))?$/i.exec(text);
  if (!match) return null;
  const [, authority = '', encoded = '', query = ''] = match;
  const name = safeDecode(encoded);
  const type = parseDnsQuery(query);
  const resolver = authority === '' ? null : parseResolver(authority);
  if (name === null || !isHostname(name) || type === null || (authority !== '' && resolver === null))
    return null;
  return { name: toName(name), type, resolver };
}

function parseResolver(authority: string): HostAndPort | null {
  if (isIP(authority) === 6) return { host: authority, port: 53 };
  return parseTcpTarget(/(^[^:]+|\])$/.test(authority) ? `${authority}:53` : authority);
}

/** The record type that is asked for, A unless said (RFC 4501); null where the query is not understood. */
function parseDnsQuery(query: string): DnsRecordType | null {
  let type: DnsRecordType = 'A';
  for (const pair of query.split(/[;&]/).filter((part) => part !== '')) {
    const [key = '', value = ''] = pair.split('=');
    if (key.toLowerCase() === 'class' && value.toUpperCase() === 'IN') continue;
    const known = DNS_RECORD_TYPES.find((one) => one === value.toUpperCase());
    if (key.toLowerCase() !== 'type' || known === undefined) return null;
    type = known;
  }
  return type;
}

/** Without the final dot, which says no more than the URL does. */
function toName(text: string): string {
  return text.replace(/\.$/, '');
}

function safeDecode(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}
