import type { ProtocolExchange } from './exchange';
import { formatReply, readReply, requireCode } from './reply-codes';

/** RFC 959, with AUTH TLS (RFC 4217). */
export const ftp: ProtocolExchange = {
  name: 'FTP',
  tlsPorts: [990],
  async begin(talk) {
    let greeting = await readReply(talk, 'greeting');
    // Ready in some minutes: another greeting follows.
    if (greeting.code === 120) greeting = await readReply(talk, 'greeting');
    requireCode(talk, greeting, 220);
    if (talk.isSecure) return formatReply(greeting);
    talk.send('AUTH TLS');
    const reply = await readReply(talk, 'reply to AUTH TLS');
    if (reply.code === 234) await talk.secure();
    else if (reply.code === 421) throw talk.refusal(formatReply(reply));
    else if (talk.isStrict) throw talk.unencrypted('AUTH TLS');
    return formatReply(greeting);
  },
  async end(talk) {
    talk.send('QUIT');
    await readReply(talk, 'reply to QUIT');
  },
};
