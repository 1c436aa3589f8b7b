import { beforeAll, describe, expect, it } from 'vitest';
import { createManualClock } from '@/lib/core/time/clock';
import { createMonitor } from '@/lib/domain/monitors/create-monitor';
import { ownMonitor } from '@/lib/domain/monitors/find-monitor';
import { copyMonitor, writeLedger, writePeriods } from '@/lib/domain/monitors/testing/history';
import { updateMonitor } from '@/lib/domain/monitors/update-monitor';
import { beginStory, FAILED, OK } from '@/lib/engine/testing/story';
import { createMonitorSchema } from '@/lib/schemas/monitor';
import { transitionSchema, transitionsQuerySchema } from '@/lib/schemas/monitor/transition';
import { useTestDatabase } from '@/lib/testing/database';
import { explain } from '@/lib/testing/explain';
import { createTestOrganization, createTestServices, type TestOrganization } from '@/lib/testing/services';
import { listTransitions, transitionsQuery } from './ledger';

const HOUR = 3_600_000;
const NOW = new Date('2026-03-10T18:00:00.000Z');
const ago = (hours: number) => new Date(NOW.getTime() - hours * HOUR);
const FIRST_PAGE = transitionsQuerySchema.parse({});

const database = useTestDatabase();
let mine: TestOrganization;

beforeAll(async () => {
  mine = await createTestOrganization(createTestServices({ db: database.db, clock: createManualClock(NOW) }));
});

const addMonitor = () =>
  createMonitor(mine.ctx, createMonitorSchema.parse({ name: 'Shop', url: 'http://shop.test' }));

describe('the list of transitions', () => {
  it('contains each with its back-dated start, the time of the decision, and the reason', async () => {
    const story = await beginStory(database.db);
    const { id } = await story.addMonitor({ alertThreshold: 2 });
    await story.check(OK, { afterMs: 0 });
    await story.check(FAILED);
    const firstFailure = story.clock.now().toISOString();
    await story.check(FAILED);
    const decidedAt = story.clock.now().toISOString();

    const { items, next } = await listTransitions(story.ctx, id, FIRST_PAGE);
    expect(next).toBeNull();
    expect(items.map(({ from, to }) => [from, to])).toEqual([
      ['operational', 'down'],
      ['pending', 'operational'],
      [null, 'pending'],
    ]);
    expect(items[0]).toEqual({
      from: 'operational',
      to: 'down',
      at: firstFailure,
      decidedAt,
      endedAt: null,
      why: {
        rule: expect.any(String),
        regions: [
          {
            region: 'us-east',
            verdict: 'failing',
            failures: 2,
            slows: 0,
            goods: 0,
            vote: true,
            error: { code: 'status', message: 'responded with 503, expected 200' },
          },
        ],
        voting: 1,
        quorum: 1,
        configVersion: 1,
      },
    });
    expect(items[1]?.endedAt).toBe(firstFailure);
    expect(items[2]?.why).toBeNull();
    for (const item of items) expect(transitionSchema.parse(item)).toEqual(item);
  });

  it('contains changes by people, without votes', async () => {
    const { id } = await addMonitor();
    await updateMonitor(mine.ctx, id, { enabled: false });
    const { items } = await listTransitions(mine.ctx, id, FIRST_PAGE);
    expect(items[0]).toMatchObject({
      from: 'pending',
      to: 'paused',
      why: { rule: 'monitoring was paused', regions: [], voting: null, quorum: null, configVersion: null },
    });
  });

  it('has pages in which each entry has the previous state', async () => {
    const { id } = await addMonitor();
    // Two that start at the same time: a back-dated state replaced the first.
    await writePeriods(database.db, id, [
      { state: 'pending', from: ago(9) },
      { state: 'degraded', from: ago(8) },
      { state: 'operational', from: ago(8) },
      { state: 'down', from: ago(7) },
      { state: 'operational', from: ago(6) },
    ]);
    const seen = [];
    let query = transitionsQuerySchema.parse({ limit: '2' });
    for (;;) {
      const { items, next } = await listTransitions(mine.ctx, id, query);
      seen.push(...items.map(({ from, to }) => `${from} → ${to}`));
      if (next === null) break;
      query = { ...query, cursor: next };
    }
    expect(seen).toEqual([
      'down → operational',
      'operational → down',
      'degraded → operational',
      'pending → degraded',
      'null → pending',
    ]);
  });

  it("throws NOT_FOUND for another organization's monitor", async () => {
    const { id } = await addMonitor();
    const other = await createTestOrganization(createTestServices(database));
    await expect(listTransitions(other.ctx, id, FIRST_PAGE)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('reads a page from the index, however long the ledger is', async () => {
    const { id } = await addMonitor();
    const others = await copyMonitor(database.db, id, 30);
    await writeLedger(database.db, [id, ...others], { since: ago(9000), now: NOW, changes: 1000 });
    await database.db.$executeRawUnsafe('VACUUM ANALYZE status_period');
    for (const cursor of [undefined, { at: ago(4000), tie: 1 }]) {
      const { steps, pages } = await explain(
        database.db,
        transitionsQuery(ownMonitor('id', mine.ctx, id), 50, cursor),
      );
      const read = steps.filter(({ relation }) => relation === 'status_period');
      expect(read.map(({ type }) => type)).toEqual(['Index Scan']);
      expect(pages).toBeLessThan(100);
    }
  });
});
