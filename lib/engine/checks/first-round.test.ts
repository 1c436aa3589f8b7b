import { expect, it } from 'vitest';
import { sized } from '@/bin/testing/thorough.mjs';
import { getMonitor } from '@/lib/domain/monitors/find-monitor';
import { updateMonitor } from '@/lib/domain/monitors/update-monitor';
import { createWebhook } from '@/lib/domain/webhooks/change-webhook';
import { beginStory, FAILED, OK } from '@/lib/engine/testing/story';
import type { RegionId } from '@/lib/schemas/regions';
import { createWebhookSchema } from '@/lib/schemas/webhooks/webhook';
import { useTestDatabase } from '@/lib/testing/database';

const database = useTestDatabase();

const ORDERS: RegionId[][] = [
  ['us-east', 'eu-west', 'ap-southeast'],
  ['eu-west', 'us-east', 'ap-southeast'],
  ['eu-west', 'ap-southeast', 'us-east'],
];

it.each(sized(ORDERS.slice(0, 1), { thorough: ORDERS }))(
  'one failing region of three takes no monitor down, whether new, resumed, changed or after a gap: %s, %s, %s',
  async (...order) => {
    const story = await beginStory(database.db);
    await createWebhook(story.ctx, createWebhookSchema.parse({ url: 'http://receiver.test/' }));
    const { id } = await story.addMonitor({ regions: order, alertThreshold: 1, interval: 60 });
    const statuses = new Set<string>();
    const round = async (afterMs: number) => {
      story.clock.advance(afterMs);
      for (const region of order) {
        await story.check(region === 'us-east' ? FAILED : OK, { region, afterMs: 100 });
        statuses.add((await getMonitor(story.ctx, id)).status);
      }
    };
    await round(0);
    await updateMonitor(story.ctx, id, { enabled: false });
    await updateMonitor(story.ctx, id, { enabled: true });
    await round(0);
    await updateMonitor(story.ctx, id, { url: 'http://shop.test/health' });
    await round(0);
    story.clock.advance(600_000);
    await round(0);
    await round(60_000);
    await round(60_000);
    expect(statuses).not.toContain('down');
    const { organizationId } = story;
    const events = await database.db.outboxEvent.findMany({
      where: { organizationId },
      orderBy: { id: 'asc' },
    });
    expect(events.map(({ kind }) => kind)).toEqual(['monitor.degraded', 'incident.created']);
  },
);
