import { createId } from '@/lib/core/ids';
import { createLogger } from '@/lib/core/logger';
import { storeUrl } from '@/lib/domain/subscribers/endpoints/endpoint-target';
import { generateWebhookSecret } from '@/lib/domain/webhooks/sign';
import { beginSubscriberStory, MINUTE } from '@/lib/engine/mail/testing/subscriber-story';
import { createSlots } from '@/lib/engine/runtime/slots';
import type { Database } from '@/lib/platform/db/client';
import type { TargetPolicy } from '@/lib/platform/net/target-policy';
import type { Receiver } from '@/lib/testing/receiver';
import { createSubscriberDeliveries, startSubscriberDeliveries } from '../deliver';

/** Allows the receivers of tests. */
const HERE: TargetPolicy = { mode: 'public', allowedCidrs: ['127.0.0.0/8'] };

type Fields = { channel?: string; url?: string; language?: string; rowIds?: string[]; confirmedAt?: null };

export type EndpointStoryOptions = { page?: object; policy?: TargetPolicy };

/** A page without subscribers by email, whose endpoints are on this machine. */
export async function beginEndpointStory(
  db: Database,
  receiver: Receiver,
  { page, policy = HERE }: EndpointStoryOptions = {},
) {
  const story = await beginSubscriberStory(db, { subscribers: 0, page });
  const services = { ...story.services, appUrl: 'https://pharos.test' };
  const shared = { workerId: 'wrk_a', services, serviceName: 'Pharos', log: createLogger('silent', 'test') };
  const base = createSubscriberDeliveries(shared, () => undefined);
  const engine = { ...base, sender: { ...base.sender, policy }, slots: createSlots(50, () => undefined) };
  const path = `/${story.page.id}`;
  return {
    ...story,
    engine,
    path,
    add: async ({ channel = 'webhook', url = receiver.url + path, ...fields }: Fields = {}) => {
      const id = createId('subscriber');
      const secret = generateWebhookSecret();
      const now = story.clock.now();
      await db.endpointSubscriber.create({
        data: {
          id,
          pageId: story.page.id,
          channel,
          email: `${id}@example.com`,
          language: 'en',
          ...storeUrl(services.keyring, id, url),
          secretSealed: channel === 'webhook' ? services.keyring.seal(secret, id) : null,
          tokenHash: Buffer.from(id),
          choseRows: fields.rowIds !== undefined,
          requestedAt: now,
          confirmedAt: now,
          createdAt: now,
          ...fields,
        },
      });
      return { id, secret };
    },
    /** Queues what has happened, and makes all attempts that are due. */
    send: async (afterMs = MINUTE) => {
      story.clock.advance(afterMs);
      await story.mail();
      while ((await startSubscriberDeliveries(engine)) > 0) await engine.slots.idle();
    },
    requests: () => receiver.requests.filter((request) => request.path === path),
    bodies: () =>
      receiver.requests.filter((request) => request.path === path).map(({ body }) => JSON.parse(body)),
    pending: () => db.subscriberDelivery.count({ where: { subscriber: { pageId: story.page.id } } }),
    endpoint: (id: string) => db.endpointSubscriber.findUniqueOrThrow({ where: { id } }),
  };
}
