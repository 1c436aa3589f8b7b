import type { Conversation, ProtocolExchange } from './exchange';
import { formatReply, readReply, requireCode } from './reply-codes';

/** RFC 5321, with STARTTLS (RFC 3207). */
export const smtp: ProtocolExchange = {
  name: 'SMTP',
  tlsPorts: [465],
  async begin(talk) {
    const greeting = await readReply(talk, 'greeting');
    requireCode(talk, greeting, 220);
    const offers = await greet(talk);
    if (!talk.isSecure && offers.some((line) => /^STARTTLS\b/i.test(line))) {
      talk.send('STARTTLS');
      requireCode(talk, await readReply(talk, 'reply to STARTTLS'), 220);
      await talk.secure();
      await greet(talk);
    } else if (!talk.isSecure && talk.isStrict) throw talk.unencrypted('STARTTLS');
    return formatReply(greeting);
  },
  async end(talk) {
    talk.send('QUIT');
    await readReply(talk, 'reply to QUIT');
  },
};

/** What the server offers. */
async function greet(talk: Conversation): Promise<string[]> {
  talk.send(`EHLO ${talk.ownAddressLiteral}`);
  const reply = await readReply(talk, 'reply to EHLO');
  requireCode(talk, reply, 250);
  return reply.lines;
}
