import type { ProtocolExchange } from './exchange';

/** RFC 1939, with STLS (RFC 2595). */
export const pop3: ProtocolExchange = {
  name: 'POP3',
  tlsPorts: [995],
  async begin(talk) {
    const greeting = await talk.readLine('greeting');
    if (/^-ERR\b/i.test(greeting)) throw talk.refusal(greeting);
    if (!/^\+OK\b/i.test(greeting)) throw talk.babble(greeting);
    if (talk.isSecure) return greeting;
    talk.send('STLS');
    const reply = await talk.readLine('reply to STLS');
    if (/^\+OK\b/i.test(reply)) await talk.secure();
    else if (!/^-ERR\b/i.test(reply)) throw talk.babble(reply);
    else if (talk.isStrict) throw talk.unencrypted('STLS');
    return greeting;
  },
  async end(talk) {
    talk.send('QUIT');
    await talk.readLine('reply to QUIT');
  },
};
