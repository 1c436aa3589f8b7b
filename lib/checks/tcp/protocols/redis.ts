import type { ProtocolExchange } from './exchange';

/** Errors of a server that is ready, and wants to know who asks. */
const ASKS = /^-(NOAUTH|NOPERM|WRONGPASS)\b/;

/** RESP, with inline commands. */
export const redis: ProtocolExchange = {
  name: 'Redis',
  async begin(talk) {
    talk.send('PING');
    const reply = await talk.readLine('reply to PING');
    if (reply === '+PONG' || ASKS.test(reply)) return reply;
    throw reply.startsWith('-') ? talk.refusal(reply.slice(1)) : talk.babble(reply);
  },
  async end(talk) {
    talk.send('QUIT');
    await talk.readLine('reply to QUIT');
  },
};
