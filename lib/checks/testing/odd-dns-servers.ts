import type { TestReply } from '@/lib/platform/net/testing/dns-server';

/** A DNS server that is odd in one way, and how a check of `a.test` judges it. */
export type OddDnsServer = {
  name: string;
  /** The reply to a question of this type. */
  replies(type: string): TestReply | null;
  /** The record type that is asked for; A unless set, null for a plain name. */
  type?: string | null;
  /** The error that the check reports; null if it succeeds. */
  error: string | null;
  /** Whether it succeeds with that error, which degrades it. */
  degraded?: boolean;
  /** Whether `dig`, which shows whatever a reply contains, accepts more. */
  digAcceptsMore?: boolean;
};

const NAME = 'a.test';
const A = { type: 'A', name: NAME, data: '192.0.2.1' } as const;
const always = (reply: TestReply) => () => reply;
const alias = (name: string, data: string) => ({ type: 'CNAME', name, data }) as const;
const NO_A = 'a.test has no A record';
const text = (...data: (string | Buffer)[]) => ({ answers: [{ type: 'TXT', name: NAME, data } as const] });

const ANSWERS: OddDnsServer[] = [
  { name: 'an address', replies: always({ answers: [A] }), error: null },
  {
    name: 'an address in a name of other case',
    replies: always({ answers: [{ ...A, name: 'A.TEST' }] }),
    error: null,
  },
  {
    name: 'an address behind aliases in the wrong order',
    replies: always({
      answers: [{ ...A, name: 'c.test' }, alias('b.test', 'c.test'), alias(NAME, 'b.test')],
    }),
    error: null,
  },
  { name: 'an alias to nothing', replies: always({ answers: [alias(NAME, 'b.test')] }), error: NO_A },
  {
    name: 'NXDOMAIN of what an alias leads to',
    replies: always({ rcode: 'NXDOMAIN', answers: [alias(NAME, 'b.test')] }),
    error: 'a.test is an alias for b.test, which does not exist (NXDOMAIN)',
  },
  {
    name: 'the address of another name',
    replies: always({ answers: [{ ...A, name: 'other.test' }] }),
    error: NO_A,
    digAcceptsMore: true,
  },
  { name: 'the same address twice', replies: always({ answers: [A, A] }), error: null },
  {
    name: 'an address with a time to live of 0',
    replies: always({ answers: [{ ...A, ttl: 0 }] }),
    error: null,
  },
  {
    name: '60 addresses in one packet',
    replies: always({ answers: Array.from({ length: 60 }, (_, n) => ({ ...A, data: `192.0.2.${n}` })) }),
    error: null,
  },
  {
    name: 'another address after the answers',
    replies: always({ answers: [A], additionals: [{ ...A, name: 'ns.test' }] }),
    error: null,
  },
  { name: 'the address only after the answers', replies: always({ additionals: [A] }), error: NO_A },
  { name: 'nothing', replies: always({}), error: NO_A },
  { name: 'a text in parts', type: 'TXT', replies: always(text('a', 'b', 'c')), error: null },
  { name: 'an empty text', type: 'TXT', replies: always(text('')), error: null },
  {
    name: 'a text that is not UTF-8',
    type: 'TXT',
    replies: always(text(Buffer.of(0xff, 0xfe))),
    error: null,
  },
  {
    name: 'a service record',
    type: 'HTTPS',
    replies: always({ numbered: { number: 65, data: Buffer.from('00010000010003026832', 'hex') } }),
    error: null,
  },
];

const CODES: OddDnsServer[] = (['FORMERR', 'SERVFAIL', 'NOTIMP', 'REFUSED'] as const).map((rcode) => ({
  name: rcode,
  replies: always({ rcode }),
  error: `resolver returned ${rcode}`,
}));

const PACKETS: OddDnsServer[] = [
  {
    name: 'its reply twice',
    replies: always({ answers: [A], sends: (reply) => [reply, reply] }),
    error: null,
  },
  {
    name: 'garbage first',
    replies: always({ answers: [A], sends: (reply) => [Buffer.from('garbage'), reply] }),
    error: null,
  },
  {
    name: 'the query first',
    replies: always({ answers: [A], sends: (reply) => [asQuery(reply), reply] }),
    error: null,
  },
  {
    name: 'bytes after the reply',
    replies: always({ answers: [A], sends: (reply) => [Buffer.concat([reply, Buffer.alloc(9)])] }),
    error: null,
  },
  { name: 'a reply over TCP only', replies: always({ answers: [A], truncated: true }), error: null },
  {
    name: 'a reply that is too long, and none over TCP',
    replies: always({ truncated: true, closes: true }),
    error: 'resolver closed the connection before replying',
  },
];

const FAMILIES: OddDnsServer[] = [
  { name: 'no AAAA', type: null, replies: (type) => (type === 'A' ? { answers: [A] } : {}), error: null },
  {
    name: 'SERVFAIL for AAAA',
    type: null,
    replies: (type) => (type === 'A' ? { answers: [A] } : { rcode: 'SERVFAIL' }),
    error: 'there is a record of type A, but the query for AAAA failed: resolver returned SERVFAIL',
    degraded: true,
  },
  {
    name: 'NXDOMAIN for AAAA',
    type: null,
    replies: (type) => (type === 'A' ? { answers: [A] } : { rcode: 'NXDOMAIN' }),
    error: 'there is a record of type A, but the query for AAAA failed: resolver returned NXDOMAIN',
    degraded: true,
  },
];

export const ODD_DNS_SERVERS: OddDnsServer[] = [...ANSWERS, ...CODES, ...PACKETS, ...FAMILIES];

/** The reply with the bit of queries. */
function asQuery(reply: Buffer): Buffer {
  const query = Buffer.from(reply);
  query.writeUInt8(query.readUInt8(2) & 0x7f, 2);
  return query;
}
