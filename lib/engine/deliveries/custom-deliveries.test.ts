import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { updateWebhook } from '@/lib/domain/webhooks/change-webhook';
import { getDelivery } from '@/lib/domain/webhooks/read-deliveries';
import { testWebhook } from '@/lib/domain/webhooks/resend-deliveries';
import { beginDeliveryStory } from '@/lib/engine/testing/delivery-story';
import { HIDDEN } from '@/lib/schemas/hidden';
import { updateWebhookSchema } from '@/lib/schemas/webhooks/webhook';
import { useTestDatabase } from '@/lib/testing/database';
import { type Receiver, startReceiver } from '@/lib/testing/receiver';

const database = useTestDatabase();
let receiver: Receiver;

beforeAll(async () => {
  receiver = await startReceiver();
});
afterAll(() => receiver.close());

const TOKEN = 'Bearer 0123456789';
const begin = (template: string, headers: Record<string, string> = {}) =>
  beginDeliveryStory(database.db, receiver, { format: 'custom', template, headers });

it('a custom endpoint receives what its template writes, signed, with its headers', async () => {
  receiver.respondWith(200, `hello ${TOKEN}`);
  const story = await begin('{"text": {{ incident.title | json }}}', { Authorization: TOKEN });
  expect(story.endpoint).toMatchObject({ headers: { Authorization: HIDDEN } });
  await story.emit();
  await story.send();
  const [request] = story.requests();
  expect(request).toMatchObject({ body: '{"text": "Shop is down"}', headers: { authorization: TOKEN } });
  const signature = createHmac('sha256', story.endpoint.secret)
    .update(request?.body ?? '')
    .digest('hex');
  expect(request?.headers['x-service-signature']).toBe(`sha256=${signature}`);
  const { id } = await story.delivery();
  const detail = await getDelivery(story.ctx, id);
  expect(detail).toMatchObject({ status: 'delivered', payload: { text: 'Shop is down' } });
  expect(JSON.stringify(detail)).not.toContain(TOKEN);
  expect(detail.tries[0]?.request?.headers.Authorization).toBe(HIDDEN);
});

it('its body can be any text, with a content type of its own', async () => {
  receiver.respondWith(200);
  const story = await begin('{{ event }}: {{ incident.title }}', { 'content-type': 'text/plain' });
  await story.emit();
  await story.send();
  const [request] = story.requests();
  expect(request).toMatchObject({
    body: 'incident.created: Shop is down',
    headers: { 'content-type': 'text/plain' },
  });
  const { id } = await story.delivery();
  expect(await getDelivery(story.ctx, id)).toMatchObject({
    payloadText: 'incident.created: Shop is down',
    payload: { event: 'incident.created' },
  });
});

it('gets the same bytes on every attempt, even if its template or format changes meanwhile', async () => {
  receiver.respondWith(500);
  const story = await begin('"{{ event }}"');
  await story.emit();
  await story.send();
  await updateWebhook(story.ctx, story.endpoint.id, { template: '"changed"' });
  story.clock.advance(60_000);
  await story.send();
  await updateWebhook(story.ctx, story.endpoint.id, { format: 'slack' });
  story.clock.advance(300_000);
  await story.send();
  expect(story.requests().map(({ body }) => body)).toEqual(
    Array.from({ length: 3 }, () => '"incident.created"'),
  );
});

it('a delivery that was pending in the standard format is sent as it was', async () => {
  receiver.respondWith(500);
  const story = await beginDeliveryStory(database.db, receiver);
  await story.emit();
  await story.send();
  const changes = { format: 'custom', template: '"changed"' };
  await updateWebhook(story.ctx, story.endpoint.id, updateWebhookSchema.parse(changes));
  story.clock.advance(60_000);
  await story.send();
  const [first, second] = story.requests();
  expect(second?.body).toBe(first?.body);
});

it('a template that fails fails the attempt, never the change that the event is about; a new one is used next', async () => {
  receiver.respondWith(200);
  const story = await begin('"{{ event }}"');
  await database.db.webhookEndpoint.update({
    where: { id: story.endpoint.id },
    data: {
      template:
        '{% for a in (1..400) %}{% for b in (1..400) %}{% for c in (1..400) %}x{% endfor %}{% endfor %}{% endfor %}',
    },
  });
  await story.emit();
  await story.send();
  expect(story.requests()).toEqual([]);
  expect(await story.delivery()).toMatchObject({
    status: 'pending',
    failures: 1,
    attemptLog: [{ error: expect.stringMatching(/^the template (takes longer than 250 ms|line 1)/) }],
  });
  await updateWebhook(story.ctx, story.endpoint.id, { template: '"fixed"' });
  story.clock.advance(60_000);
  await story.send();
  expect(story.requests().map(({ body }) => body)).toEqual(['"fixed"']);
});

it('a test shows no URL', async () => {
  receiver.respondWith(200);
  const story = await begin('{"url": {{ webhook.url | json }}}');
  await testWebhook(story.ctx, story.endpoint.id);
  await story.send();
  expect(story.requests()[0]?.body).toBe(`{"url": "${receiver.url}/[hidden]"}`);
});

it.each([
  ['{{ monitor.name', /^fails for monitor\.down: line 1, column 1: /],
  ['a\n{% include "x" %}', /^fails for monitor\.down: line 2, column 1: tag "include" not found/],
  ['{"text": "{{ monitor.name }}"}', /^does not write valid JSON for monitor\.down/],
])('a template %j is refused when it is saved', async (template, message) => {
  await expect(begin(template)).rejects.toMatchObject({
    code: 'VALIDATION_ERROR',
    details: [{ path: 'template', message: expect.stringMatching(message) }],
  });
});
