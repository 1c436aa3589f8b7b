import { describe, expect, it } from 'vitest';
import { deleteIncident } from '@/lib/domain/incidents/change-incident';
import { createIncident } from '@/lib/domain/incidents/create-incident';
import { deleteMonitor } from '@/lib/domain/monitors/change-selected';
import { createMonitor } from '@/lib/domain/monitors/create-monitor';
import { createIncidentSchema } from '@/lib/schemas/incidents/incident';
import { createMonitorSchema } from '@/lib/schemas/monitor';
import { deliveriesQuerySchema } from '@/lib/schemas/webhooks/delivery';
import { useTestDatabase } from '@/lib/testing/database';
import { explain } from '@/lib/testing/explain';
import { deliveriesQuery, getDelivery, listDeliveries } from '../read-deliveries';
import { testWebhook } from '../resend-deliveries';
import { beginDeliveries } from '../testing/delivery-story';
import { deliveryLogQuery, readDeliveryLog } from './read-delivery-log';

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

it('deliveries of a monitor are those of its events and of incidents that affected it then', async () => {
  const { ctx, degrade } = await begin();
  const [{ id: monitor }, { id: other }] = [await createMonitor(ctx, shop), await createMonitor(ctx, shop)];
  const own = await degrade({ id: monitor, name: 'Shop' });
  await degrade({ id: other, name: 'Search' });
  const affectedMonitors = [other, monitor];
  await createIncident(ctx, createIncidentSchema.parse({ title: 'Outage', affectedMonitors }));
  const kinds = async (query: object) =>
    (await listDeliveries(ctx, deliveriesQuerySchema.parse(query))).items.map(({ event }) => event);
  expect(await kinds({ monitor })).toEqual(['incident.created', 'monitor.degraded']);
  await deleteMonitor(ctx, monitor);
  expect(await kinds({ monitor, event: 'monitor.degraded' })).toEqual(['monitor.degraded']);
  const log = await readDeliveryLog(ctx, { after: null, limit: 1, monitor });
  const next = await readDeliveryLog(ctx, { after: log.next, limit: 1, monitor });
  expect(next.items.map(({ id }) => id)).toEqual([own]);
});

it('a page of a monitor is found without reading the deliveries of other monitors', async () => {
  const { organizationId, degrade } = await begin();
  const sample = await degrade({ id: 'mon_busy', name: 'Search' });
  await database.db.$executeRaw`
    WITH copy AS (
      INSERT INTO outbox_event
      SELECT 'evt_' || n, organization_id, kind, occurred_at + make_interval(secs => n), payload
        FROM outbox_event, generate_series(1, 20000) AS n WHERE organization_id = ${organizationId}
      RETURNING id, occurred_at),
    about AS (INSERT INTO event_monitor SELECT id, 'mon_busy', occurred_at FROM copy)
    INSERT INTO delivery
    SELECT (jsonb_populate_record(delivery, jsonb_build_object(
             'id', 'del_' || copy.id, 'number', nextval('delivery_number_seq'), 'event_id', copy.id,
             'created_at', occurred_at, 'status', 'delivered', 'next_attempt_at', NULL))).*
      FROM delivery, copy WHERE delivery.id = ${sample}`;
  await degrade({ id: 'mon_quiet', name: 'Shop' });
  await database.db.$executeRaw`ANALYZE outbox_event, event_monitor, delivery`;
  const listed = deliveriesQuerySchema.parse({ monitor: 'mon_quiet' });
  for (const query of [
    deliveryLogQuery(organizationId, { after: null, limit: 50, monitor: 'mon_quiet' }),
    deliveriesQuery(organizationId, listed),
  ]) {
    const { steps, pages } = await explain(database.db, query);
    expect(steps.map(({ index }) => index)).toContain('event_monitor_monitor_id_occurred_at_idx');
    expect(pages).toBeLessThan(100);
  }
  const busy = deliveriesQuery(organizationId, { ...listed, monitor: 'mon_busy' });
  expect((await explain(database.db, busy)).pages).toBeLessThan(1000);
});
