import { describe, expect, it } from 'vitest';
import { createManualClock } from '@/lib/core/time/clock';
import { emitEvents } from '@/lib/notify/emit-events';
import { formatLogPlace, type LogPlace, logQuerySchema } from '@/lib/schemas/webhooks/delivery-log';
import { createWebhookSchema } from '@/lib/schemas/webhooks/webhook';
import { useTestDatabase } from '@/lib/testing/database';
import { explain } from '@/lib/testing/explain';
import { createTestOrganization, createTestServices } from '@/lib/testing/services';
import { createWebhook, deleteWebhook } from '../change-webhook';
import { readLatestDeliveries } from '../read-deliveries';
import {
  countFailedDeliveries,
  failedCountQuery,
  readMissedDeliveries,
  testWebhook,
} from '../resend-deliveries';
import { deliveryLogQuery, readDeliveryLog } from './read-delivery-log';

const START = new Date('2026-03-01T12:00:00.000Z');
const DAY_MS = 24 * 3_600_000;
const database = useTestDatabase();

async function begin() {
  const clock = createManualClock(START);
  const services = createTestServices({ db: database.db, clock });
  const { ctx, organizationId } = await createTestOrganization(services);
  const { id: webhook } = await createWebhook(
    ctx,
    createWebhookSchema.parse({ url: 'http://receiver.test/' }),
  );
  const newestId = async () => {
    const where = { organizationId };
    const order = { number: 'desc' as const };
    const { id } = await database.db.delivery.findFirstOrThrow({ where, orderBy: order });
    return id;
  };
  return {
    clock,
    ctx,
    organizationId,
    webhook,
    newestId,
    /** Creates a delivery with this status; returns its ID. */
    async make(status: 'pending' | 'delivered' | 'failed'): Promise<string> {
      const shown = { id: 'mon_1', name: 'Shop', url: 'http://shop.test/', type: 'http' as const };
      const monitor = { ...shown, ref: null, tags: [] };
      const details = { responseTime: 9000, statusCode: 200, errorMessage: null, region: 'us-east' };
      const at = clock.now();
      const payload = {
        event: 'monitor.degraded' as const,
        causedBy: null,
        timestamp: at.toISOString(),
        monitor,
        incident: null,
        details,
      };
      await database.db.$transaction((tx) =>
        emitEvents(tx, services, [{ organizationId, occurredAt: at, payload }]),
      );
      const id = await newestId();
      if (status !== 'pending') await settle(id, status);
      return id;
    },
    log: async (options: { status?: 'failed'; webhook?: string } = {}) =>
      (await readDeliveryLog(ctx, { after: null, limit: 50, ...options })).items.map(({ id }) => id),
  };
}

async function settle(id: string, status: 'delivered' | 'failed'): Promise<void> {
  await database.db.delivery.update({ where: { id }, data: { status, nextAttemptAt: null } });
}

describe('the delivery log', () => {
  it('has failed deliveries first, then pending, then delivered, each newest first', async () => {
    const story = await begin();
    const [failed, pending] = [await story.make('failed'), await story.make('pending')];
    story.clock.advance(1000);
    const [delivered, later] = [await story.make('delivered'), await story.make('failed')];
    expect(await story.log()).toEqual([later, failed, pending, delivered]);
    expect(await story.log({ status: 'failed' })).toEqual([later, failed]);
    expect(await story.log({ webhook: story.webhook })).toHaveLength(4);
    expect(await story.log({ webhook: 'whk_other' })).toEqual([]);
    expect(await (await begin()).log()).toEqual([]);
  });

  it('has pages with each delivery once, across statuses and within a millisecond', async () => {
    const story = await begin();
    for (const status of ['delivered', 'failed', 'pending', 'failed', 'delivered', 'pending'] as const) {
      await story.make(status);
    }
    const seen: string[] = [];
    let after: LogPlace | null = null;
    do {
      const page = await readDeliveryLog(story.ctx, { after, limit: 2 });
      seen.push(...page.items.map(({ id }) => id));
      after = page.next && logQuerySchema.parse({ after: formatLogPlace(page.next) }).after;
    } while (after);
    expect(seen).toEqual(await story.log());
    expect(seen).toHaveLength(6);
  });

  it.each(['failed', 'failed.', 'lost.MS4x', 'MS4x', 'failed.?'])(
    'begins at the top for the place %j',
    (text) => {
      expect(logQuerySchema.parse({ after: text, status: 'lost' })).toEqual({
        after: null,
        status: undefined,
      });
    },
  );

  it('finds a few failures without reading many other deliveries', async () => {
    const story = await begin();
    const sample = await story.make('delivered');
    await database.db.$executeRaw`
      INSERT INTO delivery
      SELECT (jsonb_populate_record(delivery, jsonb_build_object(
               'id', ${`${sample}_`} || n, 'number', nextval('delivery_number_seq'),
               'created_at', delivery.created_at + make_interval(secs => n)))).*
        FROM delivery, generate_series(1, 20000) AS n WHERE id = ${sample}`;
    await story.make('failed');
    await database.db.$executeRaw`ANALYZE delivery`;
    for (const query of [
      deliveryLogQuery(story.organizationId, { after: null, limit: 50 }),
      deliveryLogQuery(story.organizationId, { after: null, limit: 50, webhook: story.webhook }),
      deliveryLogQuery(story.organizationId, { after: null, limit: 50, status: 'failed' }),
      failedCountQuery(story.organizationId, START),
    ]) {
      const { steps, pages } = await explain(database.db, query);
      expect(steps.map(({ index }) => index)).toContain('delivery_undelivered');
      // A page of 50 with event and latest attempt each; all deliveries would be more than 600.
      expect(pages).toBeLessThan(500);
    }
    const failedOnly = failedCountQuery(story.organizationId, START);
    expect((await explain(database.db, failedOnly)).pages).toBeLessThan(20);
  });
});

describe('failed deliveries', () => {
  it('are counted for a week, without tests and deliveries of deleted endpoints', async () => {
    const story = await begin();
    await story.make('delivered');
    expect(await countFailedDeliveries(story.ctx)).toBe(0);
    await story.make('failed');
    await testWebhook(story.ctx, story.webhook);
    await settle(await story.newestId(), 'failed');
    expect(await countFailedDeliveries(story.ctx)).toBe(1);
    expect(await countFailedDeliveries((await begin()).ctx)).toBe(0);
    story.clock.advance(7 * DAY_MS + 1);
    expect(await countFailedDeliveries(story.ctx)).toBe(0);
    await story.make('failed');
    expect(await countFailedDeliveries(story.ctx)).toBe(1);
    await deleteWebhook(story.ctx, story.webhook);
    expect(await countFailedDeliveries(story.ctx)).toBe(0);
  });

  it('of one endpoint are counted with the time of the oldest', async () => {
    const story = await begin();
    expect(await readMissedDeliveries(story.ctx, story.webhook)).toBeNull();
    await story.make('failed');
    story.clock.advance(60_000);
    await story.make('failed');
    await story.make('pending');
    await testWebhook(story.ctx, story.webhook);
    await settle(await story.newestId(), 'failed');
    expect(await readMissedDeliveries(story.ctx, story.webhook)).toEqual({ count: 2, since: START });
    expect(await readMissedDeliveries((await begin()).ctx, story.webhook)).toBeNull();
  });
});

it('the latest delivery of each endpoint is found by its ID', async () => {
  const story = await begin();
  const { id: silent } = await createWebhook(
    story.ctx,
    createWebhookSchema.parse({ url: 'http://other.test/', events: ['monitor.up'] }),
  );
  await story.make('delivered');
  story.clock.advance(1);
  const newest = await story.make('failed');
  const latest = await readLatestDeliveries(story.ctx);
  expect(latest.get(story.webhook)).toMatchObject({ id: newest, status: 'failed' });
  expect(latest.has(silent)).toBe(false);
  expect((await readLatestDeliveries((await begin()).ctx)).size).toBe(0);
});
