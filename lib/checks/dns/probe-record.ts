import type { Answer } from 'dns-packet';
import { formatService } from './probe-service-record';

/** The data of a record as zone files write it; an address as it is. */
export function formatRecord(record: Answer | string): string {
  if (typeof record === 'string') return record;
  switch (record.type) {
    case 'A':
    case 'AAAA':
    case 'CNAME':
    case 'NS':
    case 'PTR':
      return record.data;
    case 'MX':
      return `${record.data.preference ?? 0} ${record.data.exchange}`;
    case 'TXT':
      return joinText(record.data);
    case 'SRV': {
      const { priority = 0, weight = 0, port, target } = record.data;
      return `${priority} ${weight} ${port} ${target}`;
    }
    case 'SOA': {
      const { mname, rname, serial, refresh, retry, expire, minimum } = record.data;
      return [mname, rname, serial, refresh, retry, expire, minimum].join(' ');
    }
    case 'CAA':
      return `${record.data.flags ?? 0} ${record.data.tag} "${record.data.value}"`;
    case 'TLSA': {
      const { usage, selector, matchingType, certificate } = record.data;
      return `${usage} ${selector} ${matchingType} ${certificate.toString('hex')}`;
    }
    default:
      // HTTPS and SVCB, which the codec does not know.
      return 'data' in record && Buffer.isBuffer(record.data) ? formatService(record.data) : '';
  }
}

/** The strings of a TXT record are one text. */
function joinText(data: string | Buffer | (string | Buffer)[]): string {
  return (Array.isArray(data) ? data : [data]).map(String).join('');
}
