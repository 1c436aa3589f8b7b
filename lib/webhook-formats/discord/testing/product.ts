import { z } from 'zod';
import { type Product, readJson } from '../../testing/product';

const WEBHOOK = '/api/webhooks/1094857362910485736/hook-token-of-a-channel';

/** https://discord.com/developers/docs/resources/webhook#execute-webhook and #edit-webhook-message */
const messageSchema = z.strictObject({
  embeds: z
    .array(
      z.strictObject({
        title: z.string().min(1).max(256),
        url: z.url().optional(),
        description: z.string().min(1).max(4096).optional(),
        color: z.int().min(0).max(0xffffff),
        fields: z
          .array(z.object({ name: z.string().min(1).max(256), value: z.string().min(1).max(1024) }))
          .max(25),
        timestamp: z.iso.datetime(),
      }),
    )
    .length(1),
  allowed_mentions: z.strictObject({ parse: z.array(z.never()) }),
});

/** The webhook of a Discord channel: its URL is all that it needs. */
export const discord: Product = {
  credentials: {},
  secrets: [],
  respond(request, _alerts, messages = []) {
    const { pathname, searchParams } = new URL(request.path, 'https://discord.test');
    const [, id] = /^\/messages\/(\d+)$/.exec(pathname.slice(WEBHOOK.length)) ?? [];
    if (!pathname.startsWith(WEBHOOK) || (id === undefined && pathname !== WEBHOOK)) {
      return { status: 404, body: { code: 10_015, message: 'Unknown Webhook' } };
    }
    const expected = id === undefined ? 'POST' : 'PATCH';
    const { value, errors } = readJson(messageSchema, request, expected);
    if (errors) return { status: 400, body: { code: 50_035, message: 'Invalid Form Body', errors } };
    const text = value.embeds[0]?.title ?? '';
    if (id !== undefined) {
      const edited = messages.find((message) => message.id === id);
      if (!edited) return { status: 404, body: { code: 10_008, message: 'Unknown Message' } };
      edited.text = text;
      edited.edits += 1;
      return { status: 200, body: { id, embeds: value.embeds } };
    }
    const sent = {
      id: String(1_477_000_000_000_000 + messages.length),
      text,
      replyTo: null,
      isLoud: true,
      edits: 0,
    };
    messages.push(sent);
    // Without waiting, the response is empty.
    return searchParams.get('wait') === 'true'
      ? { status: 200, body: { id: sent.id, embeds: value.embeds } }
      : { status: 204, body: {} };
  },
};

export const DISCORD_PATH = WEBHOOK;
