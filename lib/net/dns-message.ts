import { randomInt } from 'node:crypto';
import { type Answer, type DecodedPacket, decode, encode, RECURSION_DESIRED } from 'dns-packet';
import type { DnsRecordType } from '@/lib/core/dns-record-types';

export type DnsQuestion = { name: string; type: DnsRecordType };
export type DnsReply = { rcode: string; truncated: boolean; answers: Answer[] };

const RCODES = ['NOERROR', 'FORMERR', 'SERVFAIL', 'NXDOMAIN', 'NOTIMP', 'REFUSED'];
const MAX_NAME_LENGTH = 253;

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

/** What a server replied; null when the bytes are no reply to this very question (late, forged or damaged). */
export function decodeReply(bytes: Buffer, id: number, question: DnsQuestion): DnsReply | null {
  const packet = tryDecode(bytes);
  const asked = packet?.questions?.[0];
  if (!packet || packet.id !== id || packet.type !== 'response') return null;
  if (asked?.type !== question.type || asked.name.toLowerCase() !== question.name.toLowerCase()) return null;
  const code = (packet.flags ?? 0) & 0xf;
  return { rcode: RCODES[code] ?? `RCODE ${code}`, truncated: packet.flag_tc, answers: packet.answers ?? [] };
}

function tryDecode(bytes: Buffer): DecodedPacket | null {
  try {
    return decode(bytes);
  } catch {
    return null;
  }
}
