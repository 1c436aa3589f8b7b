import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { createLogger } from '@/lib/core/logger';
import { createWebhook } from '@/lib/domain/webhooks/change-webhook';
import { replayDelivery } from '@/lib/domain/webhooks/resend-deliveries';
import { claimDue } from '@/lib/engine/testing/delivery-story';
import { beginStory, FAILED } from '@/lib/engine/testing/story';
import { createWebhookSchema } from '@/lib/schemas/webhooks/webhook';
import { useTestDatabase } from '@/lib/testing/database';
import { waitFor } from '@/lib/testing/wait-for';
import { startHeartbeat } from './heartbeat';
import { releaseClaimsOfDeadWorkers } from './release-claims';

const database = useTestDatabase();
const log = createLogger('silent', 'test');

describe('workers not seen during a database outage', () => {
  it('keep their claims, and count as dead only if they are not seen afterwards either', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    onTestFinished(() => void vi.useRealTimers());
    const story = await beginStory(database.db);
    const isThere = (id: string) => database.db.worker.count({ where: { id } });
    await database.db.worker.create({
      data: { id: 'wrk_other', regions: [], startedAt: story.clock.now(), seenAt: story.clock.now() },
    });
    const own = await startHeartbeat(story.services, { workerId: 'wrk_own', regions: ['us-east'], log });
    onTestFinished(own.stop);
    const beatAfter = async (ms: number) => {
      story.clock.advance(ms);
      await vi.advanceTimersByTimeAsync(3000);
      const isSeen = () => database.db.worker.count({ where: { id: 'wrk_own', seenAt: story.clock.now() } });
      await waitFor(async () => expect(await isSeen()).toBe(1));
    };
    await beatAfter(30_000);
    for (let ms = 0; ms < 9000; ms += 3000) await beatAfter(3000);
    expect(await isThere('wrk_other')).toBe(1);
    await beatAfter(3000);
    await waitFor(async () => expect(await isThere('wrk_other')).toBe(0));
  });
});

describe('attempts of a worker that is no longer seen', () => {
  it('are due again immediately, scheduled and manual ones, and do not count as failures', async () => {
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
    await releaseClaimsOfDeadWorkers(story.services, new Date(story.clock.now().getTime() - 12_000));
    const again = await claim('wrk_alive');
    expect(again.map((delivery) => delivery.id).toSorted()).toEqual(
      first.map((delivery) => delivery.id).toSorted(),
    );
    expect(
      await database.db.delivery.count({ where: { endpointId: endpoint.id, failures: { gt: 0 } } }),
    ).toBe(0);
  });
});
