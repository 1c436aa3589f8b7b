import { describe, expect, it } from 'vitest';
import { addressRequest } from '@/lib/domain/webhooks/formats/address-request';
import { createEvent, createEvents } from '@/lib/domain/webhooks/formats/sample-events';
import type { WebhookEvent } from '@/lib/notify/message';
import { renderBody } from '@/lib/notify/message';
import { readTelegramHtml } from './telegram/testing/product';
import { createLongestEvents, WIDE } from './testing/longest-events';
import { PRODUCT_FORMATS, PRODUCTS, type ProductFormat } from './testing/products';
import { LONGEST_URL, withLink } from './testing/with-link';

const APP_URL = 'https://pharos.example.com';

/** What a product responds to the request for an event, sent to its path. */
function respond(format: ProductFormat, event: WebhookEvent) {
  const { product, path } = PRODUCTS[format];
  const body = renderBody(format, event, APP_URL) ?? '';
  const url = `https://product.test${path}`;
  const stored = { url, body, event: JSON.stringify(event), messageKey: null };
  const { sent, shown } = addressRequest(format, stored, product.credentials);
  for (const secret of product.secrets) expect(JSON.stringify({ body, shown })).not.toContain(secret);
  const { pathname, search } = new URL(sent.url);
  const authorization = sent.headers.Authorization;
  const headers = { 'content-type': 'application/json', ...(authorization ? { authorization } : {}) };
  const request = {
    method: 'POST',
    path: pathname + search,
    headers,
    body: sent.body,
    receivedAt: new Date(),
  };
  return product.respond(request, new Map());
}

describe.each(PRODUCT_FORMATS)('%s', (format) => {
  it.each(WIDE)('accepts events with texts of the maximum length of %j', (character) => {
    for (const longest of createLongestEvents(character)) {
      const event = withLink(longest, LONGEST_URL);
      const { status, body } = respond(format, event);
      expect([status, event.event, body]).toEqual([
        expect.toSatisfy((code) => code < 300),
        event.event,
        body,
      ]);
    }
  });

  it('accepts events without texts', () => {
    for (const event of createEvents({ description: '', message: '', errorMessage: '' })) {
      expect(respond(format, withLink(event)).status).toBeLessThan(300);
    }
  });
});

it.each(['@everyone @ada', '/stop #now', '<b>bold</b> & <a href="https://evil.example">x</a>', 'a &amp; b'])(
  'a monitor named %s is shown unchanged in Telegram, and mentions nobody',
  (name) => {
    const event = createEvent('monitor.down', { name, errorMessage: name, url: 'tcp' });
    const { text } = JSON.parse(renderBody('telegram', event, null) ?? '');
    const lines = readTelegramHtml(text)?.split('\n') ?? [];
    for (const line of lines) expect(line).not.toMatch(/(^|[\s(])[@#/]\w/);
    const shown = lines.slice(0, 2).map((line) => line.replaceAll('\u200b', ''));
    expect(shown).toEqual([`🔴 ${name} is down`, name]);
  },
);

it('a message of any length is valid HTML for Telegram', () => {
  for (let length = 2400; length < 2600; length += 7) {
    const event = withLink(createEvent('monitor.down', { errorMessage: '<&'.repeat(length) }));
    expect(respond('telegram', event).status).toBe(200);
  }
});

it.each([
  ['incident.acknowledged', 'acknowledge'],
  ['incident.resolved', 'close'],
] as const)('%s goes below the URL that creates alerts, whatever that ends with', (kind, action) => {
  const event = JSON.stringify(createEvent(kind));
  const address = (url: string) =>
    addressRequest('opsgenie', { url, body: '{}', event, messageKey: null }, { apiKey: 'a' }).sent.url;
  const id = 'inc_01jpa7k3q8f2v9x4m6t0r5w1ze';
  for (const url of ['https://api.eu.opsgenie.com/v2/alerts', 'https://api.eu.opsgenie.com/v2/alerts/']) {
    expect(address(url)).toBe(`https://api.eu.opsgenie.com/v2/alerts/${id}/${action}?identifierType=alias`);
  }
});
