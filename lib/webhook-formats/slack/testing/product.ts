import { z } from 'zod';
import { type Product, readJson } from '../../testing/product';

const TOKEN = 'xoxb-0123456789012-ABCDEFGHIJKLMNOPQRST';
const CHANNEL = '#pharos-alerts';
const CHANNEL_ID = 'C0123456789';

const plainText = (length: number) =>
  z.strictObject({ type: z.literal('plain_text'), text: z.string().min(1).max(length), emoji: z.boolean() });
const contentSchema = z.strictObject({
  channel: z.string(),
  text: z.string().min(1).max(40_000),
  blocks: z.array(z.strictObject({ type: z.literal('header'), text: plainText(150) })).max(50),
  attachments: z.array(
    z.strictObject({ color: z.string(), blocks: z.array(z.object({ type: z.string() })) }),
  ),
});

/** https://docs.slack.dev/reference/methods/chat.postMessage and chat.update */
const schemas = {
  'chat.postMessage': contentSchema.extend({
    thread_ts: z.string().optional(),
    reply_broadcast: z.boolean().optional(),
    ts: z.never().optional(),
  }),
  'chat.update': contentSchema.extend({
    ts: z.string(),
    thread_ts: z.never().optional(),
    reply_broadcast: z.never().optional(),
  }),
};

/** Slack's Web API, with a bot in one channel. It responds with 200 to requests that fail, too. */
export const slack: Product = {
  credentials: { token: TOKEN, channel: CHANNEL },
  secrets: [TOKEN, CHANNEL],
  respond(request, _alerts, messages = []) {
    const refuse = (error: string) => ({ status: 200, body: { ok: false, error } });
    const method = request.path.replace('/api/', '');
    if (method !== 'chat.postMessage' && method !== 'chat.update') return refuse('unknown_method');
    const { authorization, 'content-type': type } = request.headers;
    if (authorization !== `Bearer ${TOKEN}`) return refuse('invalid_auth');
    const headers = { ...request.headers, 'content-type': type?.replace('; charset=utf-8', '') };
    const { value, errors } = readJson(schemas[method], { ...request, headers });
    if (errors) return { status: 200, body: { ok: false, error: 'invalid_arguments', errors } };
    const { text, ts } = value;
    const accept = (id: string) => ({
      status: 200,
      body: { ok: true, channel: CHANNEL_ID, ts: id, message: value },
    });
    if (ts !== undefined) {
      // Unlike new messages, edits require the ID of the channel.
      if (value.channel !== CHANNEL_ID) return refuse('channel_not_found');
      const edited = messages.find(({ id }) => id === ts);
      if (!edited) return refuse('message_not_found');
      edited.text = text;
      edited.edits += 1;
      return accept(ts);
    }
    if (value.channel !== CHANNEL_ID && value.channel !== CHANNEL) return refuse('channel_not_found');
    const { thread_ts: replyTo = null, reply_broadcast: isLoud = false } = value;
    if (replyTo !== null && !messages.some(({ id }) => id === replyTo)) return refuse('thread_not_found');
    const id = `1772366400.${String(messages.length + 1).padStart(6, '0')}`;
    messages.push({ id, text, replyTo, isLoud: replyTo === null || isLoud, edits: 0 });
    return accept(id);
  },
};
