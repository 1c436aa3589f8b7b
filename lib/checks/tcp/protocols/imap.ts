import type { Conversation, ProtocolExchange } from './exchange';

const MAX_LINES = 100;

/** RFC 9051, with STARTTLS. */
export const imap: ProtocolExchange = {
  name: 'IMAP',
  tlsPorts: [993],
  async begin(talk) {
    const greeting = await talk.readLine('greeting');
    if (/^\* BYE\b/i.test(greeting)) throw talk.refusal(greeting.slice('* '.length));
    if (!/^\* (OK|PREAUTH)\b/i.test(greeting)) throw talk.babble(greeting);
    if (talk.isSecure) return greeting;
    const status = await command(talk, 'a1', 'STARTTLS');
    if (/^OK\b/i.test(status)) await talk.secure();
    else if (talk.isStrict) throw talk.unencrypted('STARTTLS');
    return greeting;
  },
  async end(talk) {
    await command(talk, 'a2', 'LOGOUT');
  },
};

/** Sends a command and returns the status after its tag: `OK Begin TLS`. */
async function command(talk: Conversation, tag: string, text: string): Promise<string> {
  talk.send(`${tag} ${text}`);
  for (let count = 0; count < MAX_LINES; count += 1) {
    const line = await talk.readLine(`reply to ${text}`);
    if (line.startsWith(`${tag} `)) return line.slice(tag.length + 1);
    if (/^\* BYE\b/i.test(line) && text !== 'LOGOUT') throw talk.refusal(line.slice('* '.length));
    if (!/^[*+] /.test(line)) throw talk.babble(line);
  }
  throw talk.babble('');
}
