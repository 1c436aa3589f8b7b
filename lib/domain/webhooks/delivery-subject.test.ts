import { describe, expect, it } from 'vitest';
import { deleteIncident } from '@/lib/domain/incidents/change-incident';
import { createIncident } from '@/lib/domain/incidents/create-incident';
import { deleteMonitor } from '@/lib/domain/monitors/change-selected';
import { createMonitor } from '@/lib/domain/monitors/create-monitor';
import { createIncidentSchema } from '@/lib/schemas/incidents/incident';
import { createMonitorSchema } from '@/lib/schemas/monitor';
import { deliveriesQuerySchema } from '@/lib/schemas/webhooks/delivery';
import { useTestDatabase } from '@/lib/testing/database';
import { getDelivery, listDeliveries } from './read-deliveries';
import { testWebhook } from './resend-deliveries';
import { beginDeliveries } from './testing/delivery-story';

const database = useTestDatabase();

async function begin() {
  const story = await beginDeliveries(database.db);
  await story.addEndpoint();
  const subjects = async () => {
    const { items } = await listDeliveries(story.ctx, deliveriesQuerySchema.parse({}));
    return items.map(({ subject }) => subject);
  };
  return { ...story, subjects };
}

const shop = createMonitorSchema.parse({ name: 'Shop', url: 'http://shop.test/' });

describe('the subject of a delivery', () => {
  it('is the monitor with its name at the time, also once it is deleted', async () => {
    const { ctx, degrade, subjects } = await begin();
    const { id } = await createMonitor(ctx, shop);
    const delivery = await degrade({ id, name: 'Shop before' });
    const subject = { type: 'monitor', id, name: 'Shop before', deleted: false };
    expect(await subjects()).toEqual([subject]);
    expect((await getDelivery(ctx, delivery)).subject).toEqual(subject);
    await deleteMonitor(ctx, id);
    expect(await subjects()).toEqual([{ ...subject, deleted: true }]);
  });

  it('is the incident with its title at the time, also once it is deleted', async () => {
    const { ctx, subjects } = await begin();
    const { id } = await createIncident(ctx, createIncidentSchema.parse({ title: 'Search is slow' }));
    const subject = { type: 'incident', id, name: 'Search is slow', deleted: false };
    expect(await subjects()).toEqual([subject]);
    await deleteIncident(ctx, id);
    expect(new Set((await subjects()).map((each) => each?.deleted))).toEqual(new Set([true]));
  });

  it('of a test is null', async () => {
    const { ctx, addEndpoint } = await begin();
    expect(await testWebhook(ctx, await addEndpoint())).toMatchObject({ subject: null, nextAttempt: null });
  });

  it('of a monitor of another organization is a deleted one', async () => {
    const [{ degrade, subjects }, other] = [await begin(), await begin()];
    const { id } = await createMonitor(other.ctx, shop);
    await degrade({ id, name: 'Shop' });
    expect(await subjects()).toMatchObject([{ id, deleted: true }]);
  });
});

it('a pending delivery has the number of its next attempt, others have none', async () => {
  const { ctx, degrade, settle } = await begin();
  const id = await degrade({ id: 'mon_1', name: 'Shop' });
  expect((await getDelivery(ctx, id)).nextAttempt).toEqual({ number: 1, of: 6 });
  await database.db.delivery.update({ where: { id }, data: { attempts: 4, failures: 2 } });
  expect((await getDelivery(ctx, id)).nextAttempt).toEqual({ number: 3, of: 6 });
  await settle(id, 'failed');
  expect((await getDelivery(ctx, id)).nextAttempt).toBeNull();
});
