import { expect, it } from 'vitest';
import { createMonitor } from '@/lib/domain/monitors/create-monitor';
import { createMonitorSchema } from '@/lib/schemas/monitor';
import { useSharedDatabase } from '@/lib/testing/database';
import { recoverDeliveries, testWebhook } from '../resend-deliveries';
import { beginDeliveries, START } from '../testing/delivery-story';
import { MAX_PREVIEWED_MONITORS, previewRecovery } from './preview-recovery';

const database = useSharedDatabase();
const HOUR_MS = 3_600_000;
const NOTHING = { total: null, events: [], monitors: [], hasMoreMonitors: false };

async function begin() {
  const story = await beginDeliveries(database.db);
  const webhook = await story.addEndpoint();
  const miss = async (monitor: { id: string; name: string }) =>
    story.settle(await story.degrade(monitor), 'failed');
  return { ...story, webhook, miss };
}

it('what would be sent again is counted by event and monitor, without tests, and is what a recovery queues', async () => {
  const { ctx, clock, webhook, miss, degrade, settle, newestId } = await begin();
  expect(await previewRecovery(ctx, webhook, { since: START })).toEqual(NOTHING);
  const { id } = await createMonitor(
    ctx,
    createMonitorSchema.parse({ name: 'Shop', url: 'http://shop.test/' }),
  );
  await miss({ id: 'mon_gone', name: 'Gone' });
  clock.advance(HOUR_MS);
  await miss({ id, name: 'Old name' });
  clock.advance(HOUR_MS);
  await miss({ id, name: 'Shop' });
  await settle(await degrade({ id, name: 'Shop' }), 'delivered');
  await testWebhook(ctx, webhook);
  await settle(await newestId(), 'failed');
  const [first, last] = [START, new Date(START.getTime() + 2 * HOUR_MS)];
  expect(await previewRecovery(ctx, webhook, { since: START })).toEqual({
    total: { count: 3, first, last },
    events: [{ event: 'monitor.degraded', count: 3 }],
    monitors: [
      { id, name: 'Shop', count: 2 },
      { id: 'mon_gone', name: null, count: 1 },
    ],
    hasMoreMonitors: false,
  });

  const since = new Date(START.getTime() + 1);
  expect((await previewRecovery(ctx, webhook, { since })).total?.count).toBe(2);
  expect(await recoverDeliveries(ctx, webhook, { since, dryRun: true })).toEqual({ queued: 2 });
  expect(await recoverDeliveries(ctx, webhook, { since })).toEqual({ queued: 2 });
  expect(await recoverDeliveries(ctx, webhook, { since, dryRun: true })).toEqual({ queued: 0 });
  expect(await previewRecovery(ctx, webhook, { since })).toEqual(NOTHING);
});

it('the preview names a few monitors, and nothing of other endpoints and organizations', async () => {
  const { ctx, webhook, miss } = await begin();
  for (let n = 0; n <= MAX_PREVIEWED_MONITORS; n++) await miss({ id: `mon_${n}`, name: 'Shop' });
  const { total, monitors, hasMoreMonitors } = await previewRecovery(ctx, webhook, { since: START });
  expect([total?.count, monitors.length, hasMoreMonitors]).toEqual([11, 10, true]);
  const other = await begin();
  expect(await previewRecovery(other.ctx, webhook, { since: START })).toEqual(NOTHING);
  expect(await previewRecovery(ctx, other.webhook, { since: START })).toEqual(NOTHING);
});
