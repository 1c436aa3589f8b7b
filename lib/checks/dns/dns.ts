import {
  type HostAndPort,
  ipVersion,
  isHostname,
  parseHostAndPort,
  toAsciiName,
  toReverseName,
} from '@/lib/core/addresses';
import { DNS_RECORD_TYPES, type DnsRecordType } from '@/lib/core/dns-record-types';
import type { CheckType, TargetInputs } from '../check-type';

const DNS_PORT = 53;

export type DnsTarget = {
  /** As people write it, without a trailing dot: `münchen.example`, or an address, meaning its PTR records. */
  name: string;
  /** What DNS servers are asked for: `xn--mnchen-3ya.example`, `1.2.0.192.in-addr.arpa`. */
  asked: string;
  /** Null for a plain host name: any A or AAAA record will do. */
  type: DnsRecordType | null;
  /** Null: the configured resolver. */
  resolver: HostAndPort | null;
};

/** Separate inputs for host name, record type and resolver; a complete `dns:` URI is kept as typed. */
const parts: TargetInputs = {
  inputs: [
    {
      name: 'recordType',
      label: 'Record',
      options: [
        { value: '', label: 'Any address (A or AAAA)' },
        ...DNS_RECORD_TYPES.map((record) => ({ value: record, label: record })),
      ],
    },
    {
      name: 'resolver',
      label: 'Resolver',
      placeholder: '9.9.9.9',
      hint: 'Leave empty to use the default resolver.',
    },
  ],
  split: (url) => {
    const target = parseDnsTarget(url);
    if (target === null) return { url, recordType: '', resolver: '' };
    const { name, type, resolver } = target;
    return { url: name, recordType: type ?? '', resolver: resolver ? formatResolver(resolver) : '' };
  },
  join: ({ url = '', recordType = '', resolver = '' }) => {
    if (/^dns:/i.test(url) || (recordType === '' && resolver === '')) return url;
    const authority = resolver === '' ? '' : `//${resolver}/`;
    return `dns:${authority}${url}?type=${recordType || 'A'}`;
  },
  // A valid host means the resolver is the invalid part.
  blame: ({ url = '', resolver = '' }) => {
    if (resolver === '' || parseDnsTarget(url) === null) return null;
    const message = 'must be a host name or an IP address, with an optional port';
    return { name: 'resolver', message };
  },
};

/** Checks that a name has a record of the requested type. */
export const dns: CheckType = {
  isProbed: true,
  target: {
    shape: 'a host name or dns://resolver:port/name?type=MX',
    parse: (text) => {
      const target = parseDnsTarget(text);
      return target && { host: target.resolver?.host ?? null, lookup: target.name };
    },
  },
  form: {
    label: 'Host name',
    placeholder: 'example.com',
    groups: ['probe', 'thresholds', 'lookup', 'assertions'],
    parts,
  },
  texts: { label: 'DNS', request: () => 'dns' },
  phases: ['dns'],
  assertions: ['record', 'responseTime'],
};

/** Parses a host name or an RFC 4501 URI `dns://resolver:port/name?type=MX` (class IN); null for others. */
export function parseDnsTarget(text: string): DnsTarget | null {
  if (!/^dns:/i.test(text)) return isHostname(text) ? { ...toNames(text), type: null, resolver: null } : null;
  const match = /^dns:(?:\/\/([^/?#]*)\/)?([^/?#]+)(?:\?([^#]*))?$/i.exec(text);
  if (!match) return null;
  const [, authority = '', encoded = '', query = ''] = match;
  const name = safeDecode(encoded);
  const type = parseQuery(query);
  const resolver = authority === '' ? null : parseResolver(authority);
  if (name === null || type === null || (authority !== '' && resolver === null)) return null;
  const reverse = type === 'PTR' ? toReverseName(name) : null;
  if (reverse !== null) return { name, asked: reverse, type, resolver };
  return isHostname(name) ? { ...toNames(name), type, resolver } : null;
}

/** Parses a DNS server, `host`, `host:port` or `[v6]:port`, with port 53 by default; null for other text. */
export function parseResolver(authority: string): HostAndPort | null {
  if (ipVersion(authority) === 6) return { host: authority, port: DNS_PORT };
  return parseHostAndPort(/(^[^:]+|\])$/.test(authority) ? `${authority}:${DNS_PORT}` : authority);
}

/** A DNS server as people write it: port 53 is not shown. */
export function formatResolver({ host, port }: HostAndPort): string {
  const name = host.includes(':') ? `[${host}]` : host;
  return port === DNS_PORT ? name : `${name}:${port}`;
}

/** The requested record type, A by default (RFC 4501); null for an unsupported query. */
function parseQuery(query: string): DnsRecordType | null {
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

function toNames(text: string): Pick<DnsTarget, 'name' | 'asked'> {
  const name = text.replace(/\.$/, '');
  return { name, asked: toAsciiName(name) };
}

function safeDecode(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}
