import { describe, expect, it } from 'vitest';
import { createManualClock } from '@/lib/core/time/clock';
import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import { emitEvents } from '@/lib/notify/emit-events';
import type { Transaction } from '@/lib/platform/db/client';
import { deliveriesQuerySchema } from '@/lib/schemas/webhooks/delivery';
import { createWebhookSchema } from '@/lib/schemas/webhooks/webhook';
import { useSharedDatabase } from '@/lib/testing/database';
import { createTestOrganization, createTestServices } from '@/lib/testing/services';
import { createWebhook, deleteWebhook, finishRotation, rotateSecret } from './change-webhook';
import { getDelivery, listDeliveries, listEndpointDeliveries } from './read-deliveries';
import { recoverDeliveries, replayDelivery, testWebhook } from './resend-deliveries';

const START = new Date('2026-03-01T12:00:00.000Z');
const database = useSharedDatabase();

async function begin() {
  const clock = createManualClock(START);
  const services = createTestServices({ db: database.db, clock });
  const { ctx, organizationId } = await createTestOrganization(services);
  return {
    clock,
    ctx,
    addEndpoint: () => createWebhook(ctx, createWebhookSchema.parse({ url: 'http://receiver.test/' })),
    emit: () => {
      const now = clock.now();
      const shown = { id: 'mon_1', name: 'Shop', url: 'http://shop.test/', type: 'http' as const };
      const monitor = { ...shown, ref: null, tags: [] };
      const details = { responseTime: 9000, statusCode: 200, errorMessage: null, region: 'us-east' };
      const payload = {
        event: 'monitor.degraded' as const,
        causedBy: null,
        timestamp: now.toISOString(),
        monitor,
        incident: null,
        details,
      };
      return database.db.$transaction((tx) =>
        emitEvents(tx, services, [{ organizationId, occurredAt: now, payload }]),
      );
    },
    list: (query: object = {}) => listDeliveries(ctx, deliveriesQuerySchema.parse(query)),
  };
}

/** A context after each of whose transactions everything that is queued has been delivered. */
function withInstantWorker(ctx: OrganizationContext): OrganizationContext {
  const transact = async (work: (tx: Transaction) => Promise<unknown>) => {
    const result = await ctx.db.$transaction(work);
    const delivered = {
      status: 'delivered',
      manualAttemptAt: null,
      nextAttemptAt: null,
      settledAt: START,
    } as const;
    await ctx.db.delivery.updateMany({ where: { organizationId: ctx.organizationId }, data: delivered });
    return result;
  };
  const db = new Proxy(ctx.db, {
    get: (target, name) => (name === '$transaction' ? transact : Reflect.get(target, name)),
  });
  return { ...ctx, db };
}

describe('the log of deliveries', () => {
  it('has the exact body and every attempt with its response', async () => {
    const story = await begin();
    const endpoint = await story.addEndpoint();
    await story.emit();
    const { items } = await story.list();
    expect(items).toMatchObject([
      { event: 'monitor.degraded', webhookId: endpoint.id, status: 'pending', lastAttemptAt: null },
    ]);
    const id = items[0]?.id ?? '';
    const response = {
      statusCode: 500,
      responseHeaders: { server: 'x' },
      responseBody: 'no',
      error: 'responded with 500',
    };
    const request = { url: 'http://receiver.test/', headers: { 'X-Service-Attempt': '1' } };
    await database.db.delivery.update({ where: { id }, data: { attempts: 1 } });
    await database.db.deliveryAttempt.create({
      data: {
        id: 'att_1',
        deliveryId: id,
        number: 1,
        startedAt: START,
        finishedAt: START,
        duration: 7,
        url: request.url,
        requestHeaders: request.headers,
        ...response,
      },
    });
    const detail = await getDelivery(story.ctx, id);
    expect(JSON.parse(detail.payloadText)).toEqual(detail.payload);
    expect(detail).toMatchObject({ lastStatusCode: 500, lastError: 'responded with 500' });
    expect(detail.tries).toEqual([
      {
        id: 'att_1',
        attempt: 1,
        manual: false,
        startedAt: START.toISOString(),
        finishedAt: START.toISOString(),
        duration: 7,
        ...response,
        request: { ...request, method: 'POST', body: detail.payloadText },
        response: { status: 500, headers: { server: 'x' }, body: 'no' },
      },
    ]);
    expect((await story.list()).items).toMatchObject([
      { lastStatusCode: 500, lastError: 'responded with 500' },
    ]);
  });

  it('has pages, newest first, with each delivery once', async () => {
    const story = await begin();
    await story.addEndpoint();
    await story.addEndpoint();
    for (let event = 0; event < 3; event++) await story.emit();
    const seen: string[] = [];
    let cursor = null;
    do {
      const query = deliveriesQuerySchema.parse({ limit: '4' });
      const page = await listDeliveries(story.ctx, { ...query, ...(cursor ? { cursor } : {}) });
      seen.push(...page.items.map(({ id }) => id));
      cursor = page.next;
    } while (cursor);
    expect(seen).toHaveLength(6);
    expect(new Set(seen).size).toBe(6);
  });

  it('is filtered by status, event and endpoint and outlives the endpoint', async () => {
    const story = await begin();
    const [one, two] = [await story.addEndpoint(), await story.addEndpoint()];
    await story.emit();
    await testWebhook(story.ctx, one.id);
    const count = async (query: object) => (await story.list(query)).items.length;
    expect(await count({})).toBe(3);
    expect(await count({ status: 'pending' })).toBe(3);
    expect(await count({ status: 'failed' })).toBe(0);
    expect(await count({ event: 'webhook.test' })).toBe(1);
    expect(await count({ webhook: one.id })).toBe(2);
    const query = deliveriesQuerySchema.parse({ event: 'monitor.degraded' });
    expect((await listEndpointDeliveries(story.ctx, two.id, query)).items).toHaveLength(1);
    await deleteWebhook(story.ctx, two.id);
    expect(await count({ webhook: two.id })).toBe(1);
    const gone = listEndpointDeliveries(story.ctx, two.id, query);
    await expect(gone).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('returns a test and a replay as they were queued, even if a worker sends them at once', async () => {
    const story = await begin();
    const { id } = await story.addEndpoint();
    const test = await testWebhook(withInstantWorker(story.ctx), id);
    expect(test).toMatchObject({ status: 'pending', manualAttemptAt: START.toISOString() });
    expect(await getDelivery(story.ctx, test.id)).toMatchObject({ status: 'delivered' });
    const replay = await replayDelivery(withInstantWorker(story.ctx), test.id);
    expect(replay).toMatchObject({ status: 'delivered', manualAttemptAt: START.toISOString() });
    expect(await getDelivery(story.ctx, test.id)).toMatchObject({ manualAttemptAt: null });
  });

  it('and all verbs on endpoints do not see other organizations', async () => {
    const [story, other] = [await begin(), await begin()];
    const { id } = await story.addEndpoint();
    await story.emit();
    const [delivery] = (await story.list()).items;
    const deliveryId = delivery?.id ?? '';
    expect((await other.list()).items).toEqual([]);
    expect((await other.list({ webhook: id })).items).toEqual([]);
    for (const attempt of [
      () => getDelivery(other.ctx, deliveryId),
      () => replayDelivery(other.ctx, deliveryId),
      () => listEndpointDeliveries(other.ctx, id, deliveriesQuerySchema.parse({})),
      () => testWebhook(other.ctx, id),
      () => recoverDeliveries(other.ctx, id, { since: START }),
      () => rotateSecret(other.ctx, id, { immediate: true }),
      () => finishRotation(other.ctx, id),
    ]) {
      await expect(attempt()).rejects.toMatchObject({ code: 'NOT_FOUND' });
    }
    expect((await story.list()).items).toEqual([delivery]);
  });

  it('rejects replay, test, recovery and rotation with a read-only key', async () => {
    const story = await begin();
    const { id } = await story.addEndpoint();
    const ctx = { ...story.ctx, actor: { kind: 'key', keyId: 'key_1', scope: 'read' } as const };
    for (const attempt of [
      () => replayDelivery(ctx, 'del_1'),
      () => testWebhook(ctx, id),
      () => recoverDeliveries(ctx, id, { since: START }),
      () => rotateSecret(ctx, id, { immediate: true }),
      () => finishRotation(ctx, id),
    ]) {
      await expect(attempt()).rejects.toMatchObject({ code: 'FORBIDDEN' });
    }
  });
});
