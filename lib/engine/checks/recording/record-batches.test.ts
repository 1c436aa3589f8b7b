import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createWebhook } from '@/lib/domain/webhooks/change-webhook';
import { beginStory, FAILED, OK, SLOW } from '@/lib/engine/testing/story';
import { resolveOrphanedIncidents } from '@/lib/engine/upkeep/resolve-orphaned-incidents';
import { eventPayloadSchema } from '@/lib/schemas/webhooks/events';
import { createWebhookSchema } from '@/lib/schemas/webhooks/webhook';
import { useTestDatabase } from '@/lib/testing/database';
import { openCountingDatabase } from '@/lib/testing/statements';
import { recordResults } from './record-results';

const database = useTestDatabase();
let counting: ReturnType<typeof openCountingDatabase>;

beforeAll(() => {
  counting = openCountingDatabase(database.url);
});
afterAll(() => counting.db.$disconnect());

/** An organization with two endpoints and this many operational monitors. */
async function beginWith(monitors: number) {
  const story = await beginStory(counting.db, { mail: true });
  for (const path of ['one', 'two']) {
    await createWebhook(story.ctx, createWebhookSchema.parse({ url: `http://receiver.test/${path}` }));
  }
  for (let n = 0; n < monitors; n++) await story.addMonitor({ alertThreshold: 1, recoveryThreshold: 1 });
  await story.check(OK, { afterMs: 0 });
  /** Takes every monitor and counts the statements of one batch of results. */
  const countRecording = async (result: typeof OK) => {
    story.clock.advance(90_000);
    const taken = await story.take();
    expect(taken).toHaveLength(monitors);
    const finished = taken.map((check) => ({ check, startedAt: story.clock.now(), result }));
    return counting.count(() => recordResults(story.services, finished));
  };
  const payloads = async () => {
    const rows = await database.db.outboxEvent.findMany({
      where: { organizationId: story.organizationId },
      orderBy: { id: 'asc' },
    });
    return rows.map((row) => eventPayloadSchema.parse(JSON.parse(row.payload)));
  };
  return { ...story, countRecording, payloads };
}

describe('recording a batch of results', () => {
  it('takes the same number of statements for two status changes and for many', async () => {
    /** The first incident is opened, escalated, de-escalated, and resolved. */
    const countAll = async (story: Awaited<ReturnType<typeof beginWith>>) => {
      const counts: number[] = [];
      for (const result of [SLOW, FAILED, SLOW, OK]) counts.push(await story.countRecording(result));
      return counts;
    };
    // Two are a story already, like many.
    const forTwo = await countAll(await beginWith(2));
    const many = await beginWith(8);
    expect(await countAll(many)).toEqual(forTwo);
    expect(Math.max(...forTwo)).toBeLessThan(27);
    const kinds = (await many.payloads()).map(({ event }) => event);
    const count = (kind: string) => kinds.filter((one) => one === kind).length;
    expect(['monitor.degraded', 'monitor.down', 'monitor.up'].map(count)).toEqual([16, 8, 8]);
    const incidents = ['incident.created', 'incident.updated', 'incident.resolved'];
    expect(incidents.map(count)).toEqual([8, 16, 8]);
    expect(await database.db.delivery.count({ where: { organizationId: many.organizationId } })).toBe(
      2 * kinds.length,
    );
  });

  it('resolves the incidents of many paused monitors in as many statements as of one', async () => {
    const counts: number[] = [];
    for (const monitors of [1, 5]) {
      const story = await beginWith(monitors);
      await story.countRecording(FAILED);
      const { organizationId } = story;
      await database.db.monitor.updateMany({ where: { organizationId }, data: { enabled: false } });
      counts.push(await counting.count(() => resolveOrphanedIncidents(story.services)));
      const open = { organizationId, resolvedAt: null };
      expect(await database.db.incident.count({ where: open })).toBe(0);
      expect((await story.payloads()).filter(({ event }) => event === 'incident.resolved')).toHaveLength(
        monitors,
      );
    }
    expect(counts[1]).toBe(counts[0]);
  });
});

describe('several changes of one monitor in a batch', () => {
  /** Records results of one monitor, from three regions, in one batch; each decides on its own. */
  async function recordTogether(results: (typeof OK)[]) {
    const story = await beginStory(database.db);
    await createWebhook(story.ctx, createWebhookSchema.parse({ url: 'http://receiver.test/' }));
    const { id } = await story.addMonitor({ alertThreshold: 1 });
    await story.check(OK, { afterMs: 0 });
    story.clock.advance(90_000);
    const [check] = await story.take();
    if (!check) throw new Error('the monitor was not due');
    const startedAt = (index: number) => new Date(story.clock.now().getTime() + index);
    const finished = results.map((result, index) => ({ check, startedAt: startedAt(index), result }));
    await recordResults(story.services, finished);
    const incidents = await database.db.incident.findMany({
      where: { monitorId: id },
      include: { updates: { orderBy: { id: 'asc' } } },
    });
    const rows = await database.db.outboxEvent.findMany({
      where: { organizationId: story.organizationId },
      orderBy: { id: 'asc' },
    });
    return { incidents, kinds: rows.map(({ kind }) => kind) };
  }

  it('open one incident, apply all changes to it, and notify of each', async () => {
    const { incidents, kinds } = await recordTogether([SLOW, FAILED, SLOW, FAILED]);
    expect(kinds).toEqual([
      'monitor.degraded',
      'incident.created',
      'monitor.down',
      'incident.updated',
      'monitor.degraded',
      'incident.updated',
      'monitor.down',
      'incident.updated',
    ]);
    expect(incidents).toMatchObject([{ status: 'investigating', severity: 'critical', resolvedAt: null }]);
    expect(incidents[0]?.updates.map(({ status }) => status)).toEqual([
      'investigating',
      'investigating',
      'monitoring',
      'investigating',
    ]);
  });

  it('leave nothing open if the outage ended, and open another incident later', async () => {
    const { incidents, kinds } = await recordTogether([FAILED, OK]);
    expect(kinds).toEqual(['monitor.down', 'incident.created', 'monitor.up', 'incident.resolved']);
    expect(incidents).toMatchObject([{ status: 'resolved', updates: [{}, {}] }]);
    expect(incidents[0]?.resolvedAt).not.toBeNull();
    const again = await recordTogether([FAILED, OK, FAILED]);
    expect(again.incidents.map(({ resolvedAt }) => resolvedAt === null).toSorted()).toEqual([false, true]);
  });
});
