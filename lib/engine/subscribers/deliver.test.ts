import { createHmac } from 'node:crypto';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { SUBSCRIBER_TARGETS } from '@/lib/domain/subscribers/endpoints/endpoint-target';
import { MAX_PENDING, queueEndpointDeliveries } from '@/lib/domain/subscribers/endpoints/queue-deliveries';
import { HOUR, MINUTE } from '@/lib/engine/mail/testing/subscriber-story';
import { readMoment } from '@/lib/platform/db/moments';
import { serveHttp } from '@/lib/platform/net/testing/servers';
import { useTestDatabase } from '@/lib/testing/database';

import { type Receiver, startReceiver } from '@/lib/testing/receiver';
import { nextSubscriberDeliveryAt } from './claim-deliveries';
import { startSubscriberDeliveries } from './deliver';
import { beginEndpointStory, type EndpointStoryOptions } from './testing/endpoint-story';

const SECOND = 1000;
const DAY = 24 * HOUR;
const database = useTestDatabase();
let receiver: Receiver;

beforeAll(async () => {
  receiver = await startReceiver();
});
afterAll(() => receiver.close());
beforeEach(async () => {
  receiver.respondWith(200);
  await database.db.endpointSubscriber.deleteMany();
});

const begin = (options?: EndpointStoryOptions) => beginEndpointStory(database.db, receiver, options);

describe('a webhook of a subscriber', () => {
  it('gets what happens on the page as signed events, and nothing else is left', async () => {
    const story = await begin();
    const { secret } = await story.add();
    const { id } = await story.incident({ description: 'We look into it.' });
    await story.send();
    await story.update(id, { status: 'resolved', message: 'Back.' });
    await story.send();
    const [request] = story.requests();
    const { name } = story.monitor;
    const url = `https://pharos.test/status/${story.page.slug}`;
    const page = { id: story.page.id, name: 'Acme', url };
    const affected = [{ id: story.monitor.id, name }];
    const incident = { id, title: 'Slow', url: `${url}/incidents/${id}`, affected };
    expect(story.bodies()).toEqual([
      {
        id: expect.stringMatching(/^evt_/),
        event: 'incident.created',
        timestamp: expect.any(String),
        page,
        incident: { ...incident, status: 'investigating', message: 'We look into it.' },
      },
      expect.objectContaining({
        event: 'incident.resolved',
        incident: { ...incident, status: 'resolved', message: 'Back.' },
      }),
    ]);
    const digest = createHmac('sha256', secret)
      .update(request?.body ?? '')
      .digest('hex');
    expect(request?.headers).toMatchObject({
      'content-type': 'application/json',
      'x-service-event': 'incident.created',
      'x-service-signature': `sha256=${digest}`,
      'x-service-delivery-id': expect.stringMatching(/^del_/),
      'x-service-attempt': '1',
    });
    expect(await story.pending()).toBe(0);
  });

  it('gets maintenance with its time', async () => {
    const story = await begin();
    await story.add();
    await story.plan(2 * HOUR, 3 * HOUR, { message: 'New disks.' });
    await story.send();
    expect(story.bodies()).toMatchObject([
      {
        event: 'maintenance.planned',
        maintenance: {
          title: 'Upgrade',
          message: 'New disks.',
          startsAt: expect.any(String),
          endsAt: expect.any(String),
        },
      },
    ]);
  });

  it('gets nothing before it is confirmed, nor about rows that it did not choose', async () => {
    const story = await begin();
    await story.add({ confirmedAt: null });
    await story.add({ rowIds: ['mon_other'] });
    await story.add({ rowIds: [story.monitor.id] });
    await story.incident();
    await story.send();
    expect(story.requests()).toHaveLength(1);
  });

  it('learns of a private page only that there is something new', async () => {
    const story = await begin({ page: { visibility: 'members' } });
    await story.add();
    await story.add({ channel: 'slack' });
    await story.incident({ title: 'Secret leak' });
    await story.incident({ title: 'Secret loss' });
    await story.send();
    expect(story.requests()).toHaveLength(2);
    const texts = story.requests().map(({ body }) => body);
    for (const body of texts) expect(body).not.toMatch(/Secret|Slow|inc_|mon_/);
    expect(story.bodies()).toContainEqual({
      id: expect.stringMatching(/^evt_/),
      event: 'page.updated',
      timestamp: expect.any(String),
      page: { id: story.page.id, name: 'Acme', url: expect.any(String) },
    });
  });

  it('is never sent to an address that strangers must not reach', async () => {
    const story = await begin({ policy: SUBSCRIBER_TARGETS });
    const { id } = await story.add();
    await story.incident();
    await story.send();
    expect(story.requests()).toEqual([]);
    expect((await story.endpoint(id)).failingSince).not.toBeNull();
  });
});

describe('a Slack channel of a subscriber', () => {
  it('gets a message with the texts of the email in its language, unsigned', async () => {
    const story = await begin();
    await story.add({ channel: 'slack', language: 'de' });
    await story.incident({ title: 'Slow <b>', description: 'We look into it.' });
    await story.send();
    const [request] = story.requests();
    expect(request?.headers['x-service-signature']).toBeUndefined();
    const [body] = story.bodies();
    expect(body.text).toMatch(/^Acme: Slow &lt;b&gt;/);
    const shown = JSON.stringify(body);
    expect(shown).toContain('We look into it.');
    expect(shown).toContain(`Betroffen: ${story.monitor.name}`);
    expect(shown).toContain(`<https://pharos.test/status/${story.page.slug}/incidents/`);
  });
});

describe('a delivery to a subscriber', () => {
  it('is retried on the schedule of webhooks, always identical, then given up', async () => {
    receiver.respondWith(500);
    const story = await begin();
    await story.add();
    await story.incident();
    await story.send();
    for (const minutes of [1, 5, 30, 120, 1440]) {
      await story.send(minutes * MINUTE - SECOND);
      await story.send(SECOND);
    }
    await story.send(2 * DAY);
    const requests = story.requests();
    expect(requests.map(({ headers }) => headers['x-service-attempt'])).toEqual([
      '1',
      '2',
      '3',
      '4',
      '5',
      '6',
    ]);
    expect(new Set(requests.map(({ body, headers }) => body + headers['x-service-delivery-id'])).size).toBe(
      1,
    );
    expect(await story.pending()).toBe(0);
  });

  it('that keeps failing stops the endpoint after 5 days and 3 lost deliveries, and its owner is emailed', async () => {
    receiver.respondWith(500);
    const story = await begin();
    const { id } = await story.add();
    for (let n = 0; n < 3; n++) await story.incident();
    await story.send();
    for (const minutes of [1, 5, 30, 120, 1440]) await story.send(minutes * MINUTE);
    expect(await story.endpoint(id)).toMatchObject({ failedDeliveries: 3, stoppedAt: null });
    await story.incident();
    await story.send(5 * DAY);
    expect(await story.endpoint(id)).toMatchObject({ stoppedAt: story.clock.now() });
    expect(await story.pending()).toBe(0);
    const mails = await story.mails();
    expect(mails).toMatchObject([{ recipient: `${id}@example.com`, content: { button: {} } }]);
    const sent = story.requests().length;
    await story.incident();
    await story.send();
    expect([story.requests().length, (await story.mails()).length]).toEqual([sent, 1]);
  });

  it('that succeeds ends the failure of the endpoint', async () => {
    receiver.respondWith(500);
    const story = await begin();
    const { id } = await story.add();
    await story.incident();
    await story.send();
    expect((await story.endpoint(id)).failingSince).toEqual(story.clock.now());
    receiver.respondWith(204);
    await story.send();
    expect(await story.endpoint(id)).toMatchObject({ failingSince: null, failedDeliveries: 0 });
  });

  it('waits with at most 99 others of its endpoint', async () => {
    const story = await begin();
    const { id } = await story.add();
    const { id: pageId, name } = story.page;
    const now = story.clock.now();
    const notice = {
      kind: 'incident.created' as const,
      subjectId: 'inc_1',
      translations: {},
      isAutomatic: false,
      title: 'Slow',
      status: 'investigating' as const,
      message: '',
      monitors: [],
      rowIds: [],
      startsAt: null,
      endsAt: null,
      occurredAt: now,
    };
    const page = { id: pageId, name, address: 'https://pharos.test', isPublic: true };
    for (let n = 0; n < 3; n++) {
      await database.db.$transaction((tx) =>
        queueEndpointDeliveries(tx, page, { notices: Array(45).fill(notice), now }),
      );
    }
    expect(await database.db.subscriberDelivery.count({ where: { subscriberId: id } })).toBe(MAX_PENDING);
  });

  it('to one endpoint is made one at a time, and a hanging one delays no other', async () => {
    const story = await begin();
    let running = 0;
    let most = 0;
    const held: (() => void)[] = [];
    const hanging = await serveHttp(async (request, response) => {
      await text(request);
      running += 1;
      most = Math.max(most, running);
      await new Promise<void>((resolve) => held.push(resolve));
      running -= 1;
      response.writeHead(200).end();
    });
    await story.add({ url: hanging.url });
    await story.add();
    for (let n = 0; n < 2; n++) await story.incident();
    story.clock.advance(MINUTE);
    await story.mail();
    expect(await startSubscriberDeliveries(story.engine)).toBe(2);
    await expect.poll(() => [story.requests().length, held.length]).toEqual([1, 1]);
    await expect.poll(() => story.pending()).toBe(3);
    expect(await startSubscriberDeliveries(story.engine), 'the second to the other').toBe(1);
    await expect.poll(() => story.requests().length).toBe(2);
    await expect.poll(() => story.pending()).toBe(2);
    expect(
      await readMoment(story.services.db, nextSubscriberDeliveryAt(story.services.clock.now())),
      'nothing is due while it hangs',
    ).toBeNull();
    held.shift()?.();
    await story.engine.slots.idle();
    expect(await startSubscriberDeliveries(story.engine)).toBe(1);
    await expect.poll(() => held.length).toBe(1);
    held.shift()?.();
    await story.engine.slots.idle();
    expect([most, await story.pending()]).toEqual([1, 0]);
  });

  it('of an endpoint that unsubscribes is not made', async () => {
    receiver.respondWith(500);
    const story = await begin();
    const { id } = await story.add();
    await story.incident();
    await story.send();
    await database.db.endpointSubscriber.delete({ where: { id } });
    await story.send(HOUR);
    expect([story.requests().length, await story.pending()]).toEqual([1, 0]);
  });
});
