import { describe, expect, it } from 'vitest';
import { createLogger } from '@/lib/core/logger';
import { createWebhookSchema } from '@/lib/schemas/webhook';
import { useTestDatabase } from '@/lib/testing/database';
import { createWebhook } from '@/lib/webhooks/create-webhook';
import { replayDelivery } from '@/lib/webhooks/replay-delivery';
import { startHeartbeat } from './heartbeat';
import { releaseClaimsOfDead } from './release-claims';
import { spreadOverdue } from './spread-overdue';
import { claimDue } from './testing/delivery-story';
import { beginStory, FAILED } from './testing/story';

const database = useTestDatabase();
const log = createLogger('silent', 'test');

describe('a worker that is seen no more', () => {
  it('loses its claims to the others within seconds, long before its leases end', async () => {
    const story = await beginStory(database.db);
    const { id } = await story.addMonitor({ timeout: 60 });
    const dead = await startHeartbeat(story.services, { workerId: 'wrk_test', regions: ['us-east'], log });
    expect(await story.claim()).toHaveLength(1);

    story.clock.advance(12_000);
    const alive = await startHeartbeat(story.services, { workerId: 'wrk_alive', regions: ['us-east'], log });
    expect(await story.claim(), 'still its own').toEqual([]);
    story.clock.advance(1);
    await releaseClaimsOfDead(story.services, new Date(story.clock.now().getTime() - 12_000));
    expect((await story.claim()).map((check) => check.monitorId)).toEqual([id]);
    await Promise.all([dead.stop(), alive.stop()]);
  });
});

describe('tries of a worker that is seen no more', () => {
  it('are due again at once, those of the schedule and those asked for by hand, and do not count as failures', async () => {
    const story = await beginStory(database.db);
    const endpoint = await createWebhook(
      story.ctx,
      createWebhookSchema.parse({ url: 'http://receiver.test/' }),
    );
    await story.addMonitor({ alertThreshold: 1 });
    await story.check(FAILED, { afterMs: 0 });
    const [sent] = await database.db.delivery.findMany({ where: { endpointId: endpoint.id } });
    const replayed = sent?.id ?? '';
    const settled = { status: 'delivered' as const, nextAttemptAt: null, settledAt: story.clock.now() };
    await database.db.delivery.update({ where: { id: replayed }, data: settled });
    await replayDelivery(story.ctx, replayed);
    const claim = (workerId: string) => claimDue(story.services, workerId);

    await database.db.worker.create({
      data: { id: 'wrk_dead', regions: [], startedAt: story.clock.now(), seenAt: story.clock.now() },
    });
    const first = await claim('wrk_dead');
    expect(first.map((delivery) => delivery.id)).toContain(replayed);
    expect(first.length).toBeGreaterThan(1);
    story.clock.advance(12_001);
    expect(await claim('wrk_alive'), 'their leases have not ended').toEqual([]);
    await releaseClaimsOfDead(story.services, new Date(story.clock.now().getTime() - 12_000));
    const again = await claim('wrk_alive');
    expect(again.map((delivery) => delivery.id).toSorted()).toEqual(
      first.map((delivery) => delivery.id).toSorted(),
    );
    expect(
      await database.db.delivery.count({ where: { endpointId: endpoint.id, failures: { gt: 0 } } }),
    ).toBe(0);
  });
});

describe('a start after a long stop', () => {
  it('checks every monitor within one interval, spread over it, and none at once', async () => {
    const story = await beginStory(database.db);
    const made = await Promise.all(
      Array.from({ length: 60 }, () => story.addMonitor({ interval: 60, regions: ['eu-west'] })),
    );
    await story.claim('eu-west');
    await database.db.probeSchedule.updateMany({
      where: { region: 'eu-west' },
      data: { claim: null, leaseUntil: null, claimedBy: null },
    });
    story.clock.advance(3_600_000);
    await spreadOverdue(story.services, ['eu-west']);
    expect(await story.claim('eu-west')).toEqual([]);

    const counts: number[] = [];
    for (let second = 0; second < 60; second += 10) {
      story.clock.advance(10_000);
      counts.push((await story.claim('eu-west')).length);
    }
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(made.length);
    expect(Math.max(...counts), `in each sixth: ${counts}`).toBeLessThan(25);
  });

  it('checks at once what is overdue by a few seconds only', async () => {
    const story = await beginStory(database.db);
    await story.addMonitor();
    story.clock.advance(4_000);
    await spreadOverdue(story.services, ['us-east']);
    expect(await story.claim()).toHaveLength(1);
  });
});
