import { randomInt } from 'node:crypto';
import {
  type Answer,
  type DecodedPacket,
  decode,
  encode,
  RECURSION_DESIRED,
  type StringAnswer,
} from 'dns-packet';
import type { DnsRecordType } from '@/lib/core/dns-record-types';

export type DnsQuestion = { name: string; type: DnsRecordType };
export type DnsReply = { rcode: string; truncated: boolean; answers: Answer[] };

const RCODES = ['NOERROR', 'FORMERR', 'SERVFAIL', 'NXDOMAIN', 'NOTIMP', 'REFUSED'];
const MAX_NAME_LENGTH = 253;
/** As many as resolvers follow. */
const MAX_ALIASES = 16;

/** A query with a random id, as bytes; null when the name cannot be a DNS name. */
export function encodeQuery(question: DnsQuestion): { id: number; bytes: Buffer } | null {
  const labels = question.name.split('.');
  if (question.name.length > MAX_NAME_LENGTH) return null;
  if (!labels.every((label) => label !== '' && Buffer.byteLength(label) <= 63)) return null;
  const id = randomInt(0x10000);
  const bytes = encode({
    type: 'query',
    id,
    flags: RECURSION_DESIRED,
    questions: [{ ...question, class: 'IN' }],
  });
  return { id, bytes };
}

/**
 * What a server replied; null when the bytes are no reply to this very question (late, forged or damaged). A failure need
 * not repeat the question: it says nothing that a forger could want believed.
 */
export function decodeReply(bytes: Buffer, id: number, question: DnsQuestion): DnsReply | null {
  const packet = tryDecode(bytes);
  if (!packet || packet.id !== id || packet.type !== 'response') return null;
  const code = (packet.flags ?? 0) & 0xf;
  const asked = packet.questions?.[0];
  const isSame = asked?.type === question.type && isSameName(asked.name, question.name);
  if (asked ? !isSame : code === 0) return null;
  return { rcode: RCODES[code] ?? `RCODE ${code}`, truncated: packet.flag_tc, answers: packet.answers ?? [] };
}

/**
 * The records that answer a question: those of its type that belong to its name, or to the name that the aliases (CNAME)
 * of its name lead to. Records of other names say nothing of it.
 */
export function selectAnswers(records: readonly Answer[], { name, type }: DnsQuestion): Answer[] {
  let owner = name;
  for (let aliases = 0; aliases <= MAX_ALIASES; aliases += 1) {
    const own = records.filter((record) => isSameName(record.name, owner));
    const found = own.filter((record) => record.type === type);
    const alias = own.find((record): record is StringAnswer => record.type === 'CNAME');
    if (found.length > 0 || alias === undefined) return found;
    owner = alias.data;
  }
  return [];
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
