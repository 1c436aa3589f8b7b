import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { deleteIncident } from '@/lib/domain/incidents/change-incident';
import { deleteMaintenance } from '@/lib/domain/maintenance/change-maintenance';
import { changePage } from '@/lib/domain/status-pages/testing/pages';
import { HOUR, MINUTE } from '@/lib/engine/mail/testing/subscriber-story';
import { readMoment } from '@/lib/platform/db/moments';
import { useTestDatabase } from '@/lib/testing/database';
import { type Receiver, startReceiver } from '@/lib/testing/receiver';
import {
  claimSubscriberDeliveries,
  MAX_PER_ORGANIZATION,
  nextSubscriberDeliveryAt,
} from './claim-deliveries';
import { beginEndpointStory } from './testing/endpoint-story';

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

type Story = Awaited<ReturnType<typeof begin>>;
const begin = () => beginEndpointStory(database.db, receiver);

describe('a delivery to a subscriber', () => {
  it.each<[string, (story: Story, incident: string) => Promise<unknown>]>([
    ['its page is private', ({ ctx, page }) => changePage(ctx, page.slug, { visibility: 'members' })],
    ['its page is not published', ({ ctx, page }) => changePage(ctx, page.slug, { published: false })],
    ['its incident is deleted', ({ ctx }, incident) => deleteIncident(ctx, incident)],
  ])('is not retried once %s, because its body says more than can be seen', async (_, change) => {
    receiver.respondWith(500);
    const story = await begin();
    await story.add();
    const { id } = await story.incident();
    await story.send();
    expect([story.requests().length, await story.pending()]).toEqual([1, 1]);
    await database.db.pageNotice.deleteMany({ where: { pageId: story.page.id } });
    await change(story, id);
    receiver.respondWith(200);
    await story.send(HOUR);
    const texts = story
      .requests()
      .slice(1)
      .map(({ body }) => body);
    for (const body of texts) expect(body).not.toContain('Slow');
    expect(await story.pending()).toBe(0);
  });

  it('about a deleted window is not retried, other than that it was canceled', async () => {
    receiver.respondWith(500);
    const story = await begin();
    await story.add();
    const { id } = await story.plan(2 * HOUR, 3 * HOUR);
    await story.send();
    await deleteMaintenance(story.ctx, id);
    receiver.respondWith(200);
    await story.send(HOUR);
    expect(story.bodies().map(({ event }) => event)).toEqual([
      'maintenance.planned',
      'maintenance.cancelled',
    ]);
    expect(await story.pending()).toBe(0);
  });

  it('waits while 15 of its organization run, so that its slow endpoints leave slots for those of others', async () => {
    const [busy, other] = [await begin(), await begin()];
    for (let n = 0; n < 20; n++) await busy.add();
    await busy.incident();
    busy.clock.advance(MINUTE);
    await busy.mail();
    await other.add();
    await other.incident();
    other.clock.advance(MINUTE);
    await other.mail();
    const now = new Date(Math.max(busy.clock.now().getTime(), other.clock.now().getTime()));
    const claim = () => claimSubscriberDeliveries(busy.services, { limit: 50, workerId: 'wrk_a', now });
    expect(await claim()).toHaveLength(MAX_PER_ORGANIZATION + 1);
    expect(await claim()).toEqual([]);
    expect(
      await readMoment(busy.services.db, nextSubscriberDeliveryAt(busy.services.clock.now())),
      'nothing to look for until one of them ends',
    ).toBeNull();
  });

  it('to an endpoint that fails comes after those to others', async () => {
    const story = await begin();
    const failing = await story.add();
    const healthy = await story.add();
    const failingSince = story.clock.now();
    await database.db.endpointSubscriber.update({ where: { id: failing.id }, data: { failingSince } });
    await story.incident();
    story.clock.advance(MINUTE);
    await story.mail();
    const now = story.clock.now();
    const claim = () => claimSubscriberDeliveries(story.services, { limit: 1, workerId: 'wrk_a', now });
    expect(await claim()).toMatchObject([{ subscriberId: healthy.id }]);
    expect(await claim()).toMatchObject([{ subscriberId: failing.id }]);
  });
});
