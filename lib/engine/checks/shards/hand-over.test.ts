import { describe, expect, it } from 'vitest';
import { idsOf, settle, takeAll, useShardStory } from '@/lib/engine/testing/shard-story';
import { SHARDS } from '@/lib/state/schedule-grid';

const { begin } = useShardStory();
const MINUTE = 60_000;

describe('a worker', () => {
  it('that stops hands its shards over two at a time, and runs the checks of those that it still has', async () => {
    const { worker, addMany, owned, clock } = await begin();
    // So many that chance leaves no shard without any.
    const ids = await addMany(200);
    const [one, two] = [worker('wrk_one'), worker('wrk_two')];
    await settle(one, two);
    clock.advance(2 * MINUTE);
    await settle(one, two);
    const kept: number[] = [];
    const run: string[] = [];
    const handingOver = one.handOver(AbortSignal.timeout(10_000));
    for (let shards = SHARDS / 2; shards > 0; shards -= 2) {
      await expect.poll(async () => (await owned()).wrk_one ?? 0).toBe(shards - 2);
      await one.sync();
      const checks = one.takeDue(3);
      kept.push(checks.length);
      run.push(...idsOf(checks));
      await two.sync();
    }
    await handingOver;
    expect(await owned()).toEqual({ wrk_two: SHARDS });
    expect(
      kept.slice(0, -1).every((count) => count > 0),
      'until the last ones are given away',
    ).toBe(true);
    expect(idsOf(takeAll(two)), 'what it did not record').toEqual(ids.toSorted());
    await one.release();
  });

  it('that stops waits for nobody if no other worker takes its shards', async () => {
    const { worker, owned, messages } = await begin();
    const [one, stuck] = [worker('wrk_one'), worker('wrk_stuck')];
    await one.sync();
    await one.handOver(AbortSignal.timeout(10_000));
    expect(await owned(), 'alone').toEqual({ wrk_one: SHARDS });
    await one.release();

    const other = worker('wrk_other');
    await settle(other, stuck);
    await other.handOver(AbortSignal.timeout(10_000));
    expect(await owned(), 'one attempt').toEqual({ wrk_other: SHARDS / 2 - 2, wrk_stuck: SHARDS / 2 });
    await other.release();
    await stuck.sync();
    expect(await owned()).toEqual({ wrk_stuck: SHARDS });
    expect(messages()).not.toContain('other workers took over checks of this one');
  });
});
