import type { Conversation, ProtocolExchange } from './exchange';

/** Lines that may come before the identification: text for people (RFC 4253 4.2). */
const MAX_LINES = 20;
const DISCONNECT = 1;
const BY_APPLICATION = 11;
const KEXINIT = 20;
const MAX_PACKET = 35_000;

/** RFC 4253: identification, and the first packet, which shows that a process serves the connection. */
export const ssh: ProtocolExchange = {
  name: 'SSH',
  async begin(talk) {
    const line = await readIdentification(talk);
    if (!/^SSH-(2\.0|1\.99)-/.test(line)) throw talk.refusal(line);
    talk.send('SSH-2.0-Pharos');
    const header = await talk.readBytes('key exchange', 6);
    const length = header.readUInt32BE(0);
    if (header[5] !== KEXINIT || length > MAX_PACKET) throw talk.babble(header);
    await talk.readBytes('key exchange', length - 2);
    talk.noteReceived('key exchange');
    return line;
  },
  async end(talk) {
    talk.sendBytes(disconnectPacket(), 'disconnect');
    await talk.awaitClose(500);
  },
};

async function readIdentification(talk: Conversation): Promise<string> {
  const before: string[] = [];
  for (;;) {
    const line = await talk.readLine('identification').catch((error: unknown) => {
      if (before.length === 0) throw error;
      const words = before.join(' ');
      // Servers that are busy say so in place of it, and close the connection.
      throw talk.isClosed ? talk.refusal(words) : talk.babble(words);
    });
    if (line.startsWith('SSH-')) return line;
    before.push(line);
    if (before.length > MAX_LINES) throw talk.babble(before.join(' '));
  }
}

/** SSH_MSG_DISCONNECT before encryption (RFC 4253 6 and 11.1). */
function disconnectPacket(): Buffer {
  const reason = Buffer.from('checked');
  const payload = Buffer.alloc(1 + 4 + 4 + reason.length + 4);
  payload[0] = DISCONNECT;
  payload.writeUInt32BE(BY_APPLICATION, 1);
  payload.writeUInt32BE(reason.length, 5);
  reason.copy(payload, 9);
  // The whole packet is a multiple of 8, with at least 4 bytes of padding.
  const unpadded = 5 + payload.length;
  const padding = 8 - (unpadded % 8) + (8 - (unpadded % 8) < 4 ? 8 : 0);
  const packet = Buffer.alloc(unpadded + padding);
  packet.writeUInt32BE(1 + payload.length + padding, 0);
  packet[4] = padding;
  payload.copy(packet, 5);
  return packet;
}
