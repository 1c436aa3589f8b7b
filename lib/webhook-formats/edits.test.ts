import { describe, expect, it } from 'vitest';
import { createEvent } from '@/lib/domain/webhooks/formats/sample-events';
import { renderBody } from '@/lib/notify/message';
import { editableProduct } from './formats';
import type { ProductRequest } from './request';
import { createLongestEvents, WIDE } from './testing/longest-events';
import type { ChatMessage } from './testing/product';
import { CHATS, type ChatFormat } from './testing/products';

const APP_URL = 'https://pharos.example.com';
const FORMATS = Object.keys(CHATS) as ChatFormat[];
const STEPS = ['same', 'quiet', 'loud'] as const;

function openProduct(format: ChatFormat) {
  const product = editableProduct(format, true);
  if (!product) throw new Error(format);
  const { product: served, path } = CHATS[format];
  const target = { url: `https://product.test${path}`, credentials: served.credentials };
  const messages: ChatMessage[] = [];
  const respond = ({ method, url, headers, body }: ProductRequest) => {
    const { pathname, search } = new URL(url);
    const sent = { 'content-type': headers['Content-Type'] ?? 'application/json' };
    const authorization = headers.Authorization === undefined ? {} : { authorization: headers.Authorization };
    const all = { ...sent, ...authorization };
    const request = { method, path: pathname + search, headers: all, body, receivedAt: new Date() };
    const { status, body: reply } = served.respond(request, new Map(), messages);
    const text = JSON.stringify(reply);
    return { text, verdict: product.judge({ statusCode: status, headers: {}, text }), status };
  };
  return { product, target, respond, messages };
}

describe.each(FORMATS)('%s', (format) => {
  const { product, target } = openProduct(format);
  const body = renderBody(format, createEvent('incident.resolved'), APP_URL) ?? '';
  const message = product.readPosted(
    JSON.stringify({
      ok: true,
      id: '1477000000000000',
      ts: '1772366400.000001',
      channel: 'C0123456789',
      result: { message_id: 41 },
    }),
  );
  if (!message) throw new Error(format);

  it('takes an edit and what changed as in the golden file', async () => {
    const replies = STEPS.map((step) => [step, product.reply(message, body, step)?.(target) ?? null]);
    const calls = { edit: product.edit(target, message, body), reply: Object.fromEntries(replies) };
    const readable = JSON.stringify(
      calls,
      (name, value) => (name === 'body' && typeof value === 'string' ? JSON.parse(value) : value),
      2,
    );
    await expect(`${readable}\n`).toMatchFileSnapshot(`./${format}/testing/golden/edits.json`);
  });

  it.each(WIDE)('takes edits with texts of the maximum length of %j', (character) => {
    const { respond, messages } = openProduct(format);
    const [first, ...others] = createLongestEvents(character).map(
      (event) => renderBody(format, event, APP_URL) ?? '',
    );
    const posted = product.readPosted(respond(product.post(target, first ?? '')).text);
    if (!posted) throw new Error('not posted');
    for (const longest of others) {
      const { status, verdict, text } = respond(product.edit(target, posted, longest));
      expect([verdict?.error ?? null, status < 300 || verdict !== null, text]).toEqual([null, true, text]);
      const reply = product.reply(posted, longest, 'loud')?.(target);
      if (reply) expect(respond(reply)).toMatchObject({ status: expect.toSatisfy((code) => code < 300) });
    }
    expect(messages[0]?.edits).toBeGreaterThan(0);
  });

  it('is known to have lost a message', () => {
    const { respond } = openProduct(format);
    expect(respond(product.edit(target, message, body)).verdict).toMatchObject({ isGone: true });
  });
});

it('Slack can edit with the token of a bot only', () => {
  expect(editableProduct('slack', true)).not.toBeNull();
  expect(editableProduct('slack', false)).toBeNull();
  expect(editableProduct('teams', true)).toBeNull();
});
