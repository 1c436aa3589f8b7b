import type { Conversation, ProtocolExchange } from './exchange';

const SSL_REQUEST = Buffer.from([0, 0, 0, 8, 0x04, 0xd2, 0x16, 0x2f]);
const VERSION_3 = 196_608;
const MAX_MESSAGE = 30_000;
const USER = 'pharos';

/** Classes of errors about the user or database of a check, which does not exist: a server that gets there is ready. */
const READY_CLASSES = ['28', '3D'];

/** The frontend/backend protocol, version 3: encrypted if the server can, with any certificate, as its own clients do by default. */
export const postgresql: ProtocolExchange = {
  name: 'PostgreSQL',
  async begin(talk) {
    talk.sendBytes(SSL_REQUEST, 'SSLRequest');
    const [reply] = await talk.readBytes('reply to the request for encryption', 1);
    const letter = String.fromCharCode(reply ?? 0);
    if (letter === 'S') await talk.secure({ verify: false });
    else if (letter === 'E') throw talk.refusal((await readError(talk)).message);
    else if (letter !== 'N') throw talk.babble(letter);
    talk.sendBytes(startupMessage(), `StartupMessage user=${USER}`);
    const type = String.fromCharCode((await talk.readBytes('reply to the startup message', 1))[0] ?? 0);
    if (type === 'R') {
      talk.noteReceived('Authentication');
      return null;
    }
    if (type !== 'E') throw talk.babble(type);
    const { code, message } = await readError(talk);
    if (!READY_CLASSES.some((each) => code.startsWith(each))) throw talk.refusal(message);
    return null;
  },
};

function startupMessage(): Buffer {
  const parameters = Buffer.from(`user\0${USER}\0database\0postgres\0application_name\0Pharos\0\0`);
  const head = Buffer.alloc(8);
  head.writeInt32BE(head.length + parameters.length, 0);
  head.writeInt32BE(VERSION_3, 4);
  return Buffer.concat([head, parameters]);
}

/** Reads an ErrorResponse whose type was read. */
async function readError(talk: Conversation): Promise<{ code: string; message: string }> {
  const length = (await talk.readBytes('error', 4)).readInt32BE(0);
  // A server that cannot start a process for the connection sends text without a length.
  if (length < 4 || length > MAX_MESSAGE) throw talk.babble('an error that cannot be read');
  const fields = new Map<string, string>();
  for (const part of (await talk.readBytes('error', length - 4)).toString('utf8').split('\0'))
    fields.set(part.slice(0, 1), part.slice(1));
  const { severity, code, message } = {
    severity: fields.get('S') ?? 'FATAL',
    code: fields.get('C') ?? '',
    message: fields.get('M') ?? '',
  };
  const text = `${severity}: ${message}`;
  talk.noteReceived(`${text} (${code})`);
  return { code, message: text };
}
