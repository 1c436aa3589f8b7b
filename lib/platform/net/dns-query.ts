import { randomInt } from 'node:crypto';
import { createSocket, type SocketOptions } from 'node:dgram';
import { getServers } from 'node:dns';
import { isIP, isIPv6 } from 'node:net';
import {
  type Answer,
  type DecodedPacket,
  decode,
  encode,
  type Question,
  RECURSION_DESIRED,
  type StringAnswer,
} from 'dns-packet';
import { memoizeByObject } from '@/lib/core/calls/memoize';
import type { DnsRecordType } from '@/lib/core/dns-record-types';
import { connectToAddress } from './connect-address';
import { abortable, abortReason, RaceLostError, raceStaggered, type StopSignal } from './deadline';
import { FAILURES } from './failures';
import { formatPeer, NetError } from './net-error';

/** Types that the codec knows by their number only, with the data of their records as bytes. */
const NUMBERED_TYPES = { SVCB: 64, HTTPS: 65 };

export type DnsQuestion = { name: string; type: DnsRecordType };

type DnsReply = { rcode: string; truncated: boolean; answers: Answer[] };

const RCODES = ['NOERROR', 'FORMERR', 'SERVFAIL', 'NXDOMAIN', 'NOTIMP', 'REFUSED'];
const DNS_PORT = 53;
const MAX_NAME_LENGTH = 253;
/** The limit that resolvers use. */
const MAX_ALIASES = 16;
/** Resend delays while there is no reply; the last one repeats. */
const RESEND_AFTER_MS = [1000, 2000, 4000];

type DnsExchange = {
  server: DnsServer;
  query: { id: number; bytes: Buffer };
  question: DnsQuestion;
  signal: StopSignal;
};

/** How long a server may stay silent before the next one is queried in parallel. */
const NEXT_SERVER_AFTER_MS = 2000;

/** `answers` are the records of the requested type and name, following aliases. Without any, `alias` is where these lead; null: there are none. */
export type DnsResult = {
  rcode: 'NOERROR' | 'NXDOMAIN';
  answers: Answer[];
  alias: string | null;
  server: DnsServer;
};

/**
 * Queries the servers in order, moving on when one is silent or fails; uses TCP when the reply is too long
 * for UDP. Retransmits until the signal aborts. The caller is responsible for the servers' addresses.
 *
 * Throws a `NetError` (`dns` when a server returned a failure such as SERVFAIL), or the signal's reason.
 */
export async function queryDns(options: {
  question: DnsQuestion;
  servers: readonly DnsServer[];
  signal: StopSignal;
}): Promise<DnsResult> {
  const { question, servers, signal } = options;
  const [only, ...others] = servers;
  if (only === undefined) throw new NetError('unavailable', 'this worker has no DNS servers configured');
  if (others.length === 0) return queryServer(only, question, signal);
  try {
    return await raceStaggered(servers, {
      staggerMs: NEXT_SERVER_AFTER_MS,
      signal,
      attempt: (server, attemptSignal) => queryServer(server, question, attemptSignal),
    });
  } catch (error) {
    throw error instanceof RaceLostError ? error.errors[0] : error;
  }
}

async function queryServer(server: DnsServer, question: DnsQuestion, signal: StopSignal): Promise<DnsResult> {
  const query = encodeQuery(question);
  if (query === null) throw new NetError('protocol', `${question.name} is not a host name`);
  const exchange = { server, query, question, signal };
  const first = await exchangeOverUdp(exchange);
  const reply: DnsReply = first.truncated ? await exchangeOverTcp(exchange) : first;
  if (reply.rcode === 'NOERROR' || reply.rcode === 'NXDOMAIN') {
    return { rcode: reply.rcode, ...selectAnswers(reply.answers, question), server };
  }
  throw new DnsFailureError(server, question, reply.rcode);
}

/** A server returned an error code such as SERVFAIL. */
export class DnsFailureError extends NetError {
  constructor(
    readonly server: DnsServer,
    readonly question: DnsQuestion,
    readonly rcode: string,
  ) {
    super('dns', FAILURES.lookup.errorCode({ resolver: formatServer(server), rcode }));
    this.name = 'DnsFailureError';
  }
}

/** A server in messages: its port is shown if it is not the usual one. */
export function formatServer({ address, port }: DnsServer): string {
  return port === DNS_PORT ? address : formatPeer(address, port);
}

/** The address of a server is never a name. */
const asGiven: SocketOptions['lookup'] = (address, _options, done) => done(null, address, isIP(address));

/** Queries one server over UDP, resending until the signal aborts. Throws a `NetError` of code `connect`, or its reason. */
function exchangeOverUdp({ server, query, question, signal }: DnsExchange): Promise<DnsReply> {
  return abortable(signal, (resolve, reject) => {
    const family = isIPv6(server.address) ? 6 : 4;
    const socket = createSocket({ type: `udp${family}`, lookup: asGiven });
    let timer: NodeJS.Timeout | undefined;
    let sends = 0;
    let isClosed = false;

    const fail = (error: Error | null) => {
      if (error) reject(toUnreachableError(server, error));
    };
    const send = () => {
      if (isClosed) return;
      socket.send(query.bytes, fail);
      timer = setTimeout(send, RESEND_AFTER_MS[Math.min(sends, RESEND_AFTER_MS.length - 1)]);
      sends += 1;
    };

    socket.on('error', fail);
    socket.on('message', (bytes) => {
      const reply = decodeReply(bytes, query.id, question);
      if (reply) resolve(reply);
    });
    // A connected socket only accepts packets from this server and learns when its port is closed.
    socket.connect(server.port, server.address, (error?: Error) => (error ? fail(error) : send()));
    return () => {
      isClosed = true;
      clearTimeout(timer);
      socket.close();
    };
  });
}

/** Queries one server over TCP. Throws a `NetError`, or the signal's reason. */
async function exchangeOverTcp({ server, query, question, signal }: DnsExchange): Promise<DnsReply> {
  const socket = await connectToAddress(server.address, server, signal);
  const resolver = formatPeer(server.address, server.port);
  const stop = () => socket.destroy(abortReason(signal));
  signal.addEventListener('abort', stop, { once: true });
  try {
    const length = Buffer.alloc(2);
    length.writeUInt16BE(query.bytes.length);
    socket.write(Buffer.concat([length, query.bytes]));
    let received = Buffer.alloc(0);
    for await (const chunk of socket) {
      received = Buffer.concat([received, chunk]);
      if (received.length < 2 || received.length < 2 + received.readUInt16BE(0)) continue;
      const reply = decodeReply(received.subarray(2, 2 + received.readUInt16BE(0)), query.id, question);
      if (reply) return reply;
      throw new NetError('protocol', FAILURES.lookup.mismatched({ resolver }));
    }
    throw new NetError('connection_lost', FAILURES.lookup.closed({ resolver }));
  } catch (error) {
    if (signal.aborted) throw abortReason(signal);
    if (error instanceof NetError) throw error;
    throw new NetError('connection_lost', FAILURES.lookup.dropped({ resolver }), { cause: error });
  } finally {
    signal.removeEventListener('abort', stop);
    socket.destroy();
  }
}

function toUnreachableError(server: DnsServer, error: Error): NetError {
  const cause = 'code' in error && error.code === 'ECONNREFUSED' ? 'refused' : 'unreachable';
  const resolver = formatPeer(server.address, server.port);
  return new NetError('connect', FAILURES.lookup[cause]({ resolver }), { cause: error });
}

/** Encodes a query with a random id; null when the name is not a valid DNS name. */
function encodeQuery(question: DnsQuestion): { id: number; bytes: Buffer } | null {
  const template = encodeQuestion(question);
  if (template === null) return null;
  const id = randomInt(0x10000);
  const bytes = Buffer.from(template);
  bytes.writeUInt16BE(id, 0);
  return { id, bytes };
}

const encodeQuestion = memoizeByObject((question: DnsQuestion): Buffer | null => {
  const labels = question.name.split('.');
  if (question.name.length > MAX_NAME_LENGTH) return null;
  if (!labels.every((label) => label !== '' && Buffer.byteLength(label) <= 63)) return null;
  const { name, type } = question;
  const asked: Question = { name, type: isNumbered(type) ? 'A' : type, class: 'IN' };
  const bytes = encode({ type: 'query', flags: RECURSION_DESIRED, questions: [asked] });
  // A query ends with the type and the class of its question.
  if (isNumbered(type)) bytes.writeUInt16BE(NUMBERED_TYPES[type], bytes.length - 4);
  return bytes;
});

function isNumbered(type: DnsRecordType): type is keyof typeof NUMBERED_TYPES {
  return type in NUMBERED_TYPES;
}

/** Whether a record or question has a type: the codec calls one that it does not know by its number. */
function isOfType(packet: { type: string }, type: DnsRecordType): boolean {
  return packet.type === (isNumbered(type) ? `UNKNOWN_${NUMBERED_TYPES[type]}` : type);
}

/** Decodes a reply; null unless it matches this exact question, which an error reply may omit. */
function decodeReply(bytes: Buffer, id: number, question: DnsQuestion): DnsReply | null {
  const packet = tryDecode(bytes);
  if (!packet || packet.id !== id || packet.type !== 'response') return null;
  const code = (packet.flags ?? 0) & 0xf;
  const echoed = packet.questions?.[0];
  const isSame = echoed && isOfType(echoed, question.type) && isSameName(echoed.name, question.name);
  if (echoed ? !isSame : code === 0) return null;
  return { rcode: RCODES[code] ?? `RCODE ${code}`, truncated: packet.flag_tc, answers: packet.answers ?? [] };
}

/** The records of the requested type for the name or the name its aliases (CNAME) lead to, and no others. */
function selectAnswers(
  records: readonly Answer[],
  { name, type }: DnsQuestion,
): Pick<DnsResult, 'answers' | 'alias'> {
  let owner = name;
  for (let aliases = 0; aliases <= MAX_ALIASES; aliases += 1) {
    const own = records.filter((record) => isSameName(record.name, owner));
    const found = own.filter((record) => isOfType(record, type));
    const alias = own.find((record): record is StringAnswer => record.type === 'CNAME');
    if (found.length > 0) return { answers: found, alias: null };
    if (alias === undefined) return { answers: [], alias: aliases === 0 ? null : owner };
    owner = alias.data;
  }
  return { answers: [], alias: owner };
}

function isSameName(one: string, other: string): boolean {
  const [left, right] = [one, other].map((name) => name.toLowerCase().replace(/\.$/, ''));
  return left === right;
}

function tryDecode(bytes: Buffer): DecodedPacket | null {
  try {
    return decode(bytes);
  } catch {
    return null;
  }
}

export type DnsServer = { address: string; port: number };

/** The servers in `configured` (as DNS_SERVERS: `10.0.0.2`, `10.0.0.2:5353`, `[::1]:53`), or else the system's. */
export function listDnsServers(configured: readonly string[] = []): readonly DnsServer[] {
  if (configured.length > 0) return parseServers(configured);
  if (performance.now() - system.readAt > SYSTEM_FOR_MS) {
    system = { servers: parseAll(getServers()), readAt: performance.now() };
  }
  return system.servers;
}

/** How long the servers of the system are kept. */
const SYSTEM_FOR_MS = 1000;
let system = { servers: [] as DnsServer[], readAt: Number.NEGATIVE_INFINITY };
const parseAll = (texts: readonly string[]) => texts.map(parseDnsServer).filter((server) => server !== null);
const parseServers = memoizeByObject(parseAll);

/** Parses `address`, `address:port` or `[address]:port`; null if it contains no address. */
export function parseDnsServer(text: string): DnsServer | null {
  const match = /^\[(.+)\](?::(\d+))?$/.exec(text) ?? /^([^:]+):(\d+)$/.exec(text);
  const address = match?.[1] ?? text;
  const port = Number(match?.[2] ?? DNS_PORT);
  return isIP(address) !== 0 && port >= 1 && port <= 65_535 ? { address, port } : null;
}
