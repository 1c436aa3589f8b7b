import type { Conversation, ProtocolExchange } from './exchange';

const PROTOCOL_10 = 10;
const ERROR = 0xff;
const OK = 0x00;
const MORE_DATA = 0x01;
const SWITCH = 0xfe;
const COM_QUIT = 0x01;
const MAX_PACKET = 16_384;
const USER = 'pharos';

const CLIENT_LONG_PASSWORD = 0x1;
const CLIENT_PROTOCOL_41 = 0x200;
const CLIENT_SECURE_CONNECTION = 0x8000;
const CLIENT_PLUGIN_AUTH = 0x80000;
const UTF8MB4 = 45;

/** Errors about the user of a check, which does not exist, or about how it signs in: a server that gets there is ready. */
const READY_ERRORS = new Set([
  1044, // ER_DBACCESS_DENIED_ERROR
  1045, // ER_ACCESS_DENIED_ERROR
  1049, // ER_BAD_DB_ERROR
  1251, // ER_NOT_SUPPORTED_AUTH_MODE
  1524, // ER_PLUGIN_IS_NOT_LOADED
  1698, // ER_ACCESS_DENIED_NO_PASSWORD_ERROR
  1820, // ER_MUST_CHANGE_PASSWORD
  1862, // ER_MUST_CHANGE_PASSWORD_LOGIN
  3118, // ER_ACCOUNT_HAS_BEEN_LOCKED
  3159, // ER_SECURE_TRANSPORT_REQUIRED
  4151, // ER_ACCOUNT_HAS_BEEN_LOCKED of MariaDB
]);

type Packet = { sequence: number; payload: Buffer };

/**
 * The client/server protocol, version 10. A connection that ends after the greeting counts against its host, which the server then blocks; one that
 * signs in as somebody who does not exist is complete, and does not count.
 */
export const mysql: ProtocolExchange = {
  name: 'MySQL',
  async begin(talk) {
    const greeting = await readPacket(talk, 'greeting');
    if (greeting.payload[0] === ERROR) throw talk.refusal(readError(talk, greeting.payload).message);
    const end = greeting.payload.indexOf(0, 1);
    if (greeting.payload[0] !== PROTOCOL_10 || greeting.sequence !== 0 || end === -1)
      throw talk.babble(greeting.payload);
    const version = greeting.payload.toString('utf8', 1, end);
    talk.noteReceived(`version ${version}`);
    sendPacket(talk, greeting.sequence + 1, handshakeResponse(), `HandshakeResponse user=${USER}`);
    await awaitVerdict(talk);
    return version;
  },
};

/** Waits until the server has decided about the user: before that, the connection would count as one that broke. */
async function awaitVerdict(talk: Conversation): Promise<void> {
  for (let round = 0; round < 5; round += 1) {
    const { sequence, payload } = await readPacket(talk, 'reply to the handshake');
    const [kind] = payload;
    if (kind === ERROR) {
      const { code, message } = readError(talk, payload);
      if (!READY_ERRORS.has(code)) throw talk.refusal(message);
      return;
    }
    if (kind === OK) {
      sendPacket(talk, 0, Buffer.from([COM_QUIT]), 'COM_QUIT');
      return;
    }
    if (kind !== SWITCH && kind !== MORE_DATA) throw talk.babble(payload);
    talk.noteReceived('asks for a password');
    sendPacket(talk, sequence + 1, Buffer.alloc(0), 'no password');
  }
}

async function readPacket(talk: Conversation, what: string): Promise<Packet> {
  const head = await talk.readBytes(what, 4);
  const length = head.readUIntLE(0, 3);
  if (length === 0 || length > MAX_PACKET) throw talk.babble(head);
  return { sequence: head[3] ?? 0, payload: await talk.readBytes(what, length) };
}

function sendPacket(talk: Conversation, sequence: number, payload: Buffer, shown: string): void {
  const head = Buffer.alloc(4);
  head.writeUIntLE(payload.length, 0, 3);
  head[3] = sequence;
  talk.sendBytes(Buffer.concat([head, payload]), shown);
}

function handshakeResponse(): Buffer {
  const head = Buffer.alloc(32);
  head.writeUInt32LE(
    CLIENT_LONG_PASSWORD | CLIENT_PROTOCOL_41 | CLIENT_SECURE_CONNECTION | CLIENT_PLUGIN_AUTH,
    0,
  );
  head.writeUInt32LE(MAX_PACKET, 4);
  head[8] = UTF8MB4;
  return Buffer.concat([head, Buffer.from(`${USER}\0\0mysql_native_password\0`)]);
}

/** Before the handshake, an error has no SQL state. */
function readError(talk: Conversation, payload: Buffer): { code: number; message: string } {
  if (payload.length < 3) throw talk.babble(payload);
  const code = payload.readUInt16LE(1);
  const text = payload.toString('utf8', 3).replace(/^#.{5}/, '');
  const message = `ERROR ${code}: ${text}`;
  talk.noteReceived(message);
  return { code, message };
}
