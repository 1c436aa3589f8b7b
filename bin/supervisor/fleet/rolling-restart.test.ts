import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { WebProcess } from '@/bin/web/testing/web-process';
import type { Worker } from '@/e2e/support/start-worker';
import { createWebhook } from '@/lib/domain/webhooks/change-webhook';
import { hasPooler, startPooler } from '@/lib/platform/db/testing/pooler';
import { createWebhookSchema } from '@/lib/schemas/webhooks/webhook';
import { useTestDatabase } from '@/lib/testing/database';
import { startReceiver } from '@/lib/testing/receiver';
import { createTestOrganization, createTestServices, TEST_SECRET_KEY } from '@/lib/testing/services';
import { startTarget } from '@/lib/testing/target';
import { startBalancer } from './testing/balancer';
import { addMonitors, chooseInterval, createFleet, judgeSlots, REGIONS } from './testing/fleet';
import { startLoad } from './testing/load';

const MONITORS_PER_REGION = 40;
const FLAPPING_PER_REGION = 2;
/** Of the interval, in milliseconds per second: some checks see it down, and some up. */
const FLAP_MS_PER_S = 750;
const SETTLE_MS_PER_S = 1500;
/** Failed requests of one client, one after the other: it sends one every 100 ms, and fewer on a slower machine. */
const MAX_IN_A_ROW = 10;

const database = useTestDatabase();

describe.skipIf(!hasPooler)('a fleet behind PgBouncer (skipped where pgbouncer is not installed)', () => {
  it('is restarted part by part under load: no slot is missed, no event is lost, and no client sees errors for more than a second', async () => {
    const { db, url: directUrl } = database;
    const services = createTestServices({ db });
    const { ctx, apiKey } = await createTestOrganization(services);
    const [pooler, target, flapping, receiver] = await Promise.all([
      startPooler(directUrl, { sessions: 20 }),
      startTarget(),
      startTarget(),
      startReceiver(),
    ]);
    onTestFinished(async () => {
      await Promise.all([pooler.stop(), target.close(), flapping.close(), receiver.close()]);
    });
    await createWebhook(ctx, createWebhookSchema.parse({ url: receiver.url }));
    const { startRegion, startWeb } = createFleet({
      DATABASE_URL: pooler.url,
      DATABASE_DIRECT_URL: directUrl,
      SECRET_KEY: TEST_SECRET_KEY,
    });
    const begunAt = performance.now();
    const tried = await startRegion('us-east');
    const intervalS = chooseInterval(performance.now() - begunAt);
    await tried.stop();
    await addMonitors(ctx, target.url, { perRegion: MONITORS_PER_REGION, intervalS });
    await addMonitors(ctx, flapping.url, { perRegion: FLAPPING_PER_REGION, intervalS });
    const workers: Worker[] = await Promise.all(REGIONS.map(startRegion));
    const webs: WebProcess[] = await Promise.all([startWeb(), startWeb()]);
    onTestFinished(async () => {
      await Promise.all([...workers, ...webs].map((one) => one.stop()));
    });
    const balancer = await startBalancer(webs.map(({ url }) => url));
    onTestFinished(balancer.close);
    let isDown = false;
    const flaps = setInterval(() => {
      isDown = !isDown;
      flapping.respondWith(isDown ? 503 : 200);
    }, intervalS * FLAP_MS_PER_S);
    onTestFinished(() => clearInterval(flaps));
    await delay(intervalS * SETTLE_MS_PER_S);
    const from = new Date();
    const load = startLoad(balancer.url, apiKey);

    for (const [place, region] of REGIONS.entries()) {
      const successor = await startRegion(region);
      await workers[place]?.stop();
      workers[place] = successor;
    }
    for (const place of webs.keys()) {
      await webs[place]?.stop();
      const successor = await startWeb();
      webs[place] = successor;
      balancer.replace(place, successor.url);
    }
    await pooler.restart();
    await delay(intervalS * SETTLE_MS_PER_S);
    const until = new Date(Date.now() - intervalS * 1000);
    clearInterval(flaps);
    flapping.respondWith(200);
    await load.stop();

    const judged = await judgeSlots(db, target.url, from, until);
    expect(judged).toMatchObject({ missed: 0, doubled: 0 });
    expect(judged.slots).toBeGreaterThan(REGIONS.length * MONITORS_PER_REGION);
    expect(load.troubles.filter(({ inARow }) => inARow > MAX_IN_A_ROW)).toEqual([]);
    await expect.poll(() => db.delivery.count({ where: { status: 'pending' } })).toBe(0);
    const committed = await db.delivery.findMany({ select: { id: true, status: true } });
    const received = new Set(receiver.requests.map(({ headers }) => headers['x-service-delivery-id']));
    expect(committed.filter(({ id }) => !received.has(id))).toEqual([]);
    const kinds = new Set(receiver.requests.map(({ headers }) => headers['x-service-event']));
    expect([...kinds]).toEqual(expect.arrayContaining(['monitor.down', 'monitor.up', 'incident.created']));
    const titles = receiver.requests
      .filter(({ headers }) => headers['x-service-event'] === 'incident.created')
      .map(({ body }) => JSON.parse(body).incident.title);
    expect(
      load.incidents.filter((title) => !titles.includes(title)),
      'acknowledged by the API',
    ).toEqual([]);
  });
});
