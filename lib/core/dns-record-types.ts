/** The types of DNS records that can be queried. */
export const DNS_RECORD_TYPES = [
  'A',
  'AAAA',
  'CNAME',
  'MX',
  'NS',
  'TXT',
  'SOA',
  'SRV',
  'CAA',
  'PTR',
  'HTTPS',
  'SVCB',
  'TLSA',
] as const;
export type DnsRecordType = (typeof DNS_RECORD_TYPES)[number];
