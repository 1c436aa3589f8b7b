import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sized } from '@/bin/testing/thorough.mjs';
import { updateWebhook } from '@/lib/domain/webhooks/change-webhook';
import { createEvent, createEvents } from '@/lib/domain/webhooks/formats/sample-events';
import { testWebhook } from '@/lib/domain/webhooks/resend-deliveries';
import { beginDeliveryStory, incidentCreated, START } from '@/lib/engine/testing/delivery-story';
import { renderBody } from '@/lib/notify/message';
import { HIDDEN } from '@/lib/schemas/hidden';
import { eventPayloadSchema } from '@/lib/schemas/webhooks/events';
import { useTestDatabase } from '@/lib/testing/database';
import { type Receiver, startReceiver } from '@/lib/testing/receiver';
import {
  PRODUCT_FORMATS,
  PRODUCTS,
  type ServedProduct,
  serveProduct,
} from '@/lib/webhook-formats/testing/products';

const APP_URL = 'https://pharos.example.com';
const database = useTestDatabase();
let receiver: Receiver;

beforeAll(async () => {
  receiver = await startReceiver();
});
afterAll(() => receiver.close());

/** The products with which everything is tested. */
const COMPLETE = sized<readonly string[]>(['telegram'], { thorough: PRODUCT_FORMATS });

describe.each(PRODUCT_FORMATS)('%s', (format) => {
  const { credentials, secrets } = PRODUCTS[format].product;
  let product: ServedProduct;

  beforeAll(async () => {
    product = await serveProduct(format);
  });
  afterAll(() => product.close());

  // Links are tested in linked-deliveries.test.ts.
  const options = { format, credentials, appUrl: APP_URL, acknowledgeLinks: false, path: '' };
  const begin = (url = product.endpoint) => beginDeliveryStory(database.db, { url, requests: [] }, options);

  it('accepts every event and a test, each signed as it is sent, with its credentials', async () => {
    const story = await begin();
    for (const content of createEvents()) {
      if (content.event === 'webhook.test') await testWebhook(story.ctx, story.endpoint.id);
      else await story.emit(eventPayloadSchema.parse(content));
      await story.send();
      const { request, reply } = product.exchanges.at(-1) ?? {};
      expect(reply, JSON.stringify(reply?.body)).toMatchObject({ status: expect.toSatisfy(isSuccess) });
      const signature = createHmac('sha256', story.endpoint.secret)
        .update(request?.body ?? '')
        .digest('hex');
      expect(request?.headers['x-service-signature']).toBe(`sha256=${signature}`);
      expect(await story.delivery()).toMatchObject({ status: 'delivered' });
    }
  });

  it('sends nothing that is secret to the delivery log, the audit log or a response', async () => {
    const story = await begin();
    await story.emit();
    await story.send();
    const { attemptLog, body } = await story.delivery();
    expect(attemptLog).toHaveLength(1);
    expect(body).toBe(renderBody(format, incidentCreated(START), APP_URL));
    const names = Object.keys(credentials);
    expect(story.endpoint.credentials).toEqual(Object.fromEntries(names.map((name) => [name, HIDDEN])));
    const changed = Object.entries(credentials).map(([name, value]) => [name, `${value.slice(0, -1)}7`]);
    await updateWebhook(story.ctx, story.endpoint.id, { credentials: Object.fromEntries(changed) });
    const audit = await database.db.auditEntry.findMany({
      where: { organizationId: story.organizationId, action: 'webhook.update' },
    });
    expect(audit).toMatchObject([{ after: { credentials: '(hidden)' } }]);
    const kept = asText([await story.delivery(), audit, await story.webhook()]);
    for (const secret of secrets) expect(kept).not.toContain(secret.slice(0, -1));
  });

  it('that repeats credentials in a response leaves none in the record of the attempt', async () => {
    receiver.respondWith(400, `unknown: ${secrets.join(' ')}`);
    const story = await begin(receiver.url);
    await story.emit();
    await story.send();
    const record = asText(await story.delivery());
    expect(record).toContain(`unknown: ${HIDDEN}`);
    for (const secret of secrets) expect(record).not.toContain(secret);
  });

  if (!COMPLETE.includes(format)) return;

  it('that cannot be reached leaves no credentials in the error', async () => {
    const story = await begin('http://127.0.0.1:9/');
    await story.emit();
    await story.send();
    const delivery = await story.delivery();
    expect(delivery.attemptLog[0]?.error).toBeTruthy();
    for (const secret of secrets) expect(asText(delivery)).not.toContain(secret);
  });

  it('gets the same bytes on every attempt', async () => {
    receiver.respondWith(503);
    const story = await begin(receiver.url);
    await story.emit();
    await story.send();
    story.clock.advance(60_000);
    await story.send();
    const { id } = await story.delivery();
    const [first, second] = receiver.requests.filter(
      ({ headers }) => headers['x-service-delivery-id'] === id,
    );
    expect(second?.body).toBe(first?.body);
    expect(second?.path).toBe(first?.path);
    expect(second?.headers.authorization).toBe(first?.headers.authorization);
  });
});

describe('credentials that cannot be opened', () => {
  it('fail an attempt, which is retried on schedule', async () => {
    const { credentials } = PRODUCTS.pagerduty.product;
    const story = await beginDeliveryStory(database.db, receiver, { format: 'pagerduty', credentials });
    await database.db.webhookEndpoint.update({
      where: { id: story.endpoint.id },
      data: { credentialsSealed: new Uint8Array(64) },
    });
    await story.emit();
    await story.send();
    expect(await story.delivery()).toMatchObject({
      status: 'pending',
      failures: 1,
      attemptLog: [{ error: 'the credentials cannot be decrypted; set them again', url: null }],
    });
  });
});

/** An update after the acknowledgement, and another outage, which nobody acknowledges. */
const KINDS = [
  ...(['incident.created', 'incident.updated', 'incident.acknowledged', 'incident.updated'] as const),
  ...(['incident.resolved', 'incident.created', 'incident.resolved'] as const),
];

describe('an incident', () => {
  it.each(['pagerduty', 'opsgenie'] as const)(
    'is one alert in %s, which is triggered, acknowledged and ends with it',
    async (format) => {
      const { credentials } = PRODUCTS[format].product;
      const product = await serveProduct(format);
      const story = await beginDeliveryStory(
        database.db,
        { url: product.endpoint, requests: [] },
        { format, credentials, path: '' },
      );
      const open: [string, string][][] = [];
      for (const kind of KINDS) {
        await story.emit(eventPayloadSchema.parse(createEvent(kind)));
        await story.send();
        open.push([...product.alerts]);
      }
      await product.close();
      const { incident } = eventPayloadSchema.parse(createEvent('incident.created'));
      const [triggered, acknowledged] = ['triggered', 'acknowledged'].map((state) => [[incident?.id, state]]);
      expect(open).toEqual([triggered, triggered, acknowledged, acknowledged, [], triggered, []]);
    },
  );
});

/** A row as text; its number is a BigInt. */
function asText(value: unknown): string {
  return JSON.stringify(value, (_, part) => (typeof part === 'bigint' ? String(part) : part));
}

const isSuccess = (status: number) => status >= 200 && status < 300;
