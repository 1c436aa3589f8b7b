import { domainToASCII } from 'node:url';
import { DNS_RECORD_TYPES, type DnsRecordType } from '@/lib/net/dns-message';

/** What a dns monitor asks. */
export type DnsTarget = {
  /** In ASCII, without the final dot. */
  name: string;
  /** Null for a plain host name, where an A or an AAAA record will do. */
  type: DnsRecordType | null;
  /** The resolver that the URI names; null for the configured one. */
  resolver: { host: string; port: number } | null;
};

/** Reads a host name or an RFC 4501 URI (`dns://resolver:port/name?type=MX`, `dns:name?type=TXT`); null when it is neither. */
export function parseDnsTarget(url: string): DnsTarget | null {
  const uri = /^dns:(?:\/\/([^/?]*)\/)?([^/?]+)(?:\?(.*))?$/i.exec(url.trim());
  if (uri === null) {
    const name = /[/:?\s]/.test(url.trim()) ? null : toDnsName(url.trim());
    return name === null ? null : { name, type: null, resolver: null };
  }
  const [, authority = '', encodedName = '', query = ''] = uri;
  const name = decodeName(encodedName);
  const type = readType(query);
  const resolver = authority === '' ? null : parseAuthority(authority);
  if (name === null || type === undefined || resolver === undefined) return null;
  return { name, type, resolver };
}

function readType(query: string): DnsRecordType | undefined {
  let type: string = 'A';
  for (const parameter of query.split(/[;&]/)) {
    const [key = '', value = ''] = parameter.split('=');
    if (key.toLowerCase() === 'type') type = value.toUpperCase();
    if (key.toLowerCase() === 'class' && value.toUpperCase() !== 'IN') return undefined;
  }
  return DNS_RECORD_TYPES.find((known) => known === type);
}

function parseAuthority(authority: string): DnsTarget['resolver'] | undefined {
  const match = /^(?:\[([^\]]+)\]|([^:[\]@]+))(?::(\d{1,5}))?$/.exec(authority);
  const host = match?.[1] ?? match?.[2];
  const port = Number(match?.[3] ?? 53);
  return host !== undefined && port >= 1 && port <= 65_535 ? { host, port } : undefined;
}

function decodeName(encoded: string): string | null {
  try {
    return toDnsName(decodeURIComponent(encoded));
  } catch {
    return null;
  }
}

/** Only names with letters beyond ASCII need the conversion, which refuses some names that DNS allows. */
function toDnsName(text: string): string | null {
  const ascii = /^[\x20-\x7e]*$/.test(text) ? text : domainToASCII(text);
  const name = ascii.replace(/\.$/, '');
  return name === '' ? null : name;
}
