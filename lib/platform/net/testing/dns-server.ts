import { createSocket } from 'node:dgram';
import { createServer } from 'node:net';
import { type Answer, decode, encode, type Question, streamDecode, TRUNCATED_RESPONSE } from 'dns-packet';
import { onTestFinished } from 'vitest';
import { findFreePort } from '@/lib/core/ports';

const RCODES = { NOERROR: 0, FORMERR: 1, SERVFAIL: 2, NXDOMAIN: 3, NOTIMP: 4, REFUSED: 5 };

/** How the server replies to a question. */
export type TestReply = {
  rcode?: keyof typeof RCODES;
  answers?: Answer[];
  /** A record of the asked name whose type the codec knows by its number only. */
  numbered?: { number: number; data: Buffer } | undefined;
  /** What follows the answers. */
  additionals?: Answer[];
  /** The packets that are sent over UDP instead of the reply. */
  sends?: (reply: Buffer) => Buffer[];
  /** Closes a TCP connection without a reply. */
  closes?: boolean;
  /** Reports over UDP that the reply is too long. */
  truncated?: boolean;
  /** How many UDP queries are lost before one gets a reply. */
  lose?: number;
  /** A wrong ID or question arrives first, as from a forger. */
  forged?: 'id' | 'question';
  /** Omits the question from the reply, as some servers do in errors. */
  withoutQuestion?: boolean;
};

/**
 * A DNS server on 127.0.0.1, UDP and TCP on the same port; it ends with the test. No reply is sent if `reply`
 * returns null.
 */
export async function serveDns(reply: (question: Question) => TestReply | null) {
  const seen = { udp: 0, tcp: 0 };
  const udp = createSocket('udp4');
  udp.on('message', (bytes, peer) => {
    seen.udp += 1;
    const query = decode(bytes);
    const question = query.questions?.[0];
    const wanted = question ? reply(question) : null;
    if (!question || !wanted || seen.udp <= (wanted.lose ?? 0)) return;
    const send = (packet: Buffer) => udp.send(packet, peer.port, peer.address);
    const id = query.id ?? 0;
    if (wanted.forged === 'id') send(encodeReply(id ^ 1, question, wanted, false));
    if (wanted.forged === 'question')
      send(encodeReply(id, { ...question, name: 'other.test' }, wanted, false));
    if (wanted.forged !== undefined) return;
    const packet = encodeReply(id, question, wanted, wanted.truncated ?? false);
    for (const each of wanted.sends?.(packet) ?? [packet]) send(each);
  });
  // Free for TCP, whose ports are in use far more often.
  const port = await findFreePort();
  await new Promise<void>((resolve, reject) => udp.once('error', reject).bind(port, '127.0.0.1', resolve));

  const tcp = createServer((socket) => {
    socket.on('error', () => {});
    socket.on('data', (bytes) => {
      seen.tcp += 1;
      const query = streamDecode(bytes);
      const question = query.questions?.[0];
      const wanted = question ? reply(question) : null;
      if (wanted?.closes) socket.end();
      else if (question && wanted) socket.end(frame(encodeReply(query.id ?? 0, question, wanted, false)));
    });
  });
  await new Promise<void>((resolve, reject) => tcp.once('error', reject).listen(port, '127.0.0.1', resolve));
  onTestFinished(async () => {
    udp.close();
    await new Promise((resolve) => tcp.close(resolve));
  });
  return { port, server: `127.0.0.1:${port}`, seen };
}

function encodeReply(id: number, question: Question, reply: TestReply, truncated: boolean): Buffer {
  const flags = RCODES[reply.rcode ?? 'NOERROR'] | (truncated ? TRUNCATED_RESPONSE : 0);
  const { numbered } = reply;
  const unknown: Answer[] = numbered ? [{ type: 'NULL', name: question.name, data: numbered.data }] : [];
  const answers = truncated ? [] : [...(reply.answers ?? []), ...unknown];
  const questions = reply.withoutQuestion ? [] : [question];
  const additionals = reply.additionals ?? [];
  const packet = encode({ type: 'response', id, flags, questions, answers, additionals });
  // The last record ends with its type, class, time to live, length and data.
  if (numbered && !truncated)
    packet.writeUInt16BE(numbered.number, packet.length - numbered.data.length - 10);
  return packet;
}

function frame(packet: Buffer): Buffer {
  const length = Buffer.alloc(2);
  length.writeUInt16BE(packet.length);
  return Buffer.concat([length, packet]);
}
