import { describe, expect, it } from 'vitest';
import { storeChecks } from '@/lib/domain/monitors/testing/history';
import { recordResults } from '@/lib/engine/checks/recording/record-results';
import { lateQuery, storeLate } from '@/lib/engine/checks/recording/store-late';
import { useShardStory } from '@/lib/engine/testing/shard-story';
import { FAILED, OK } from '@/lib/engine/testing/story';
import { rollUp } from '@/lib/engine/upkeep/roll-up';
import { slotOf } from '@/lib/state/schedule-grid';
import { explain } from '@/lib/testing/explain';
import { holdBeforeCommit, untilBlocked } from '@/lib/testing/races';
import { startProbe } from './testing/remote-story';

const { database, begin } = useShardStory();
const [MINUTE, HOUR] = [60_000, 3_600_000];

/** Two probes of a region. The first had all shards; the check is of the second. */
async function beginTwice() {
  const story = await begin();
  await story.addMonitor();
  const first = await startProbe(story.services);
  const [missed] = await first.take();
  const second = await startProbe(story.services);
  await story.pass(11_000, second.keeper);
  const [check] = await second.take();
  if (!missed || !check) expect.fail('a check is due');
  const { monitor } = check;
  const grid = { phase: monitor.phase, intervalMs: monitor.config.intervalMs };
  return { ...story, first, second, missed, check, slot: slotOf(story.clock.now().getTime(), grid) };
}

const stored = () => database.db.$queryRaw<{ late: boolean | null; outcome: number }[]>`
  SELECT late, outcome FROM raw.check_result JOIN monitor ON number = monitor ORDER BY checked_at`;

describe('a slot is counted once', () => {
  it('when the same late results come again and again, to several web processes at once', async () => {
    const { first, missed, slot, clock } = await beginTwice();
    const times = Array.from({ length: 20 }, (_, n) => new Date(slot.at + n * MINUTE));
    clock.advance(HOUR);
    const counts = await Promise.all(
      Array.from({ length: 5 }, async () => {
        const { count, waiting } = await first.sendLate(missed, times);
        expect(waiting).toEqual([]);
        return count;
      }),
    );
    expect(counts.reduce((sum, count) => sum + count)).toBe(20);
    expect(await stored()).toHaveLength(20);
  });

  it('when another sends a result of it before the first is committed', async () => {
    const { first, missed, slot, clock } = await beginTwice();
    clock.advance(HOUR);
    const late = { check: { monitor: { ...missed.monitor, intervalMs: MINUTE } }, result: FAILED };
    const held = await holdBeforeCommit(database.db, (db) =>
      storeLate({ db }, [{ ...late, startedAt: new Date(slot.at + 5) }]),
    );
    const other = first.sendLate(missed, [new Date(slot.at + 20_000)]);
    await untilBlocked(database.db);
    expect(await held.release()).toBe(1);
    expect(await other).toEqual({ count: 0, waiting: [] });
  });

  it('by the owner of its shard, whose result is there', async () => {
    const { first, second, missed, check, slot, clock } = await beginTwice();
    await second.record([check]);
    clock.advance(HOUR);
    const times = [slot.from, slot.at, slot.to - 1, slot.to].map((at) => new Date(at));
    expect(await first.sendLate(missed, times)).toEqual({ count: 1, waiting: [] });
    expect(await stored()).toEqual([
      { late: null, outcome: 0 },
      { late: true, outcome: 0 },
    ]);
  });

  it.each([
    ['a routine result', OK],
    ['a failure', FAILED],
  ])(
    'by the owner of its shard, who records %s after all, as after an outage of the database',
    async (_, result) => {
      const { slot, clock, services, take } = await beginTwice();
      await take();
      clock.advance(2 * HOUR);
      const [due] = await take();
      if (!due) expect.fail('a check is due');
      await rollUp(services);
      const late = {
        check: { monitor: { ...due.monitor, intervalMs: MINUTE } },
        result: FAILED,
        startedAt: new Date(slot.at),
      };
      expect(await storeLate(services, [late])).toBe(1);
      await recordResults(services, [{ check: due, startedAt: new Date(slot.at + 10), result }]);
      expect(await stored()).toEqual([{ late: null, outcome: result === OK ? 0 : 1 }]);
    },
  );
});

it('finding what is stored of a slot reads the index of its monitor', async () => {
  const { slot, missed, services } = await beginTwice();
  await storeChecks(database.db, [missed.monitor.id], {
    since: new Date(slot.at - 4 * HOUR),
    now: new Date(slot.at),
    everySeconds: 1,
    regions: 1,
  });
  await database.db.$executeRaw`ANALYZE raw.check_result`;
  const late = Array.from({ length: 20 }, (_, n) => ({
    check: { monitor: { ...missed.monitor, intervalMs: MINUTE } },
    result: OK,
    startedAt: new Date(slot.at - n * MINUTE),
  }));
  const { steps } = await explain(services.db, lateQuery(late));
  const read = steps.filter(({ relation, loops }) => relation?.startsWith('check_result_') && loops > 0);
  expect(read.filter(({ type }) => type === 'Seq Scan')).toEqual([]);
});
