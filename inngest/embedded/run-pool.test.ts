import { describe, expect, it, vi } from 'vitest';
import { createGate, POLL, quiet, startDriver, waitingFor } from './testing/harness';

describe('limits', () => {
  /**
   * Sends `groups` as events to a function whose runs stay in until the gate opens, and tells how many got
   * in.
   */
  async function crowd(
    options: { concurrency?: number | { limit: number; key?: string } },
    groups: string[],
  ) {
    const door = createGate();
    let inside = 0;
    let most = 0;
    const seen: number[] = [];
    const { driver } = startDriver((client) =>
      client.createFunction({ id: 'one', triggers: { event: 'app/a' }, ...options }, async ({ event }) => {
        inside += 1;
        most = Math.max(most, inside);
        await door.opened;
        seen.push(event.data.n);
        inside -= 1;
      }),
    );
    await driver.client.send(groups.map((group, n) => ({ name: 'app/a', data: { group, n } })));
    return { driver, door, seen, inside: () => inside, most: () => most };
  }

  it('let no more runs of a function go at once than its concurrency, the others queue in order', async () => {
    const { driver, door, seen, inside, most } = await crowd({ concurrency: 2 }, ['x', 'x', 'x', 'x', 'x']);
    await vi.waitFor(() => expect(inside()).toBe(2), POLL);
    expect(driver.counters).toMatchObject({ running: 2, queued: 3 });
    door.open();
    await quiet(driver);
    expect(most()).toBe(2);
    expect(seen).toEqual([0, 1, 2, 3, 4]);
  });

  it('count each key by itself', async () => {
    const concurrency = { limit: 1, key: 'event.data.group' };
    const { driver, door, inside, most } = await crowd({ concurrency }, ['x', 'x', 'y', 'y']);
    await vi.waitFor(() => expect(inside()).toBe(2), POLL);
    door.open();
    await quiet(driver);
    expect(most()).toBe(2);
    expect(driver.counters.runsCompleted).toBe(4);
  });

  it('give a place free while a run sleeps', async () => {
    const seen: string[] = [];
    const { driver } = startDriver((client) =>
      client.createFunction({ id: 'one', concurrency: 1, triggers: { event: 'app/a' } }, async ({ step }) => {
        await step.run('begin', () => seen.push('begun'));
        await step.sleep('nap', '10s');
      }),
    );
    await driver.client.send([
      { name: 'app/a', data: {} },
      { name: 'app/a', data: {} },
    ]);
    await vi.waitFor(() => expect(seen).toEqual(['begun', 'begun']), POLL);
  });

  it('skip a run of a singleton while another is under way', async () => {
    const seen: number[] = [];
    const door = createGate();
    const { log, driver } = startDriver((client) =>
      client.createFunction(
        { id: 'one', singleton: { mode: 'skip', key: 'event.data.shard' }, triggers: { event: 'app/a' } },
        async ({ event, step }) => {
          await step.run('work', () => door.opened);
          seen.push(event.data.shard);
        },
      ),
    );
    const send = (shard: number) => driver.client.send({ name: 'app/a', data: { shard } });
    await Promise.all([send(1), send(2), send(1)]);
    await vi.waitFor(() => expect(driver.counters).toMatchObject({ running: 2, runsSkipped: 1 }), POLL);
    door.open();
    await quiet(driver);
    await send(1);
    await quiet(driver);
    expect(seen.sort()).toEqual([1, 1, 2]);
    expect(log.warn).not.toHaveBeenCalled();
  });

  it('drop a run that waited longer than timeouts.start', async () => {
    const door = createGate();
    const { time, driver } = startDriver((client) =>
      client.createFunction(
        { id: 'one', concurrency: 1, timeouts: { start: '1m' }, triggers: { event: 'app/a' } },
        () => door.opened,
      ),
    );
    await driver.client.send([
      { name: 'app/a', data: {} },
      { name: 'app/a', data: {} },
    ]);
    await vi.waitFor(() => expect(driver.counters.running).toBe(1), POLL);
    time.clock.advance(60_001);
    door.open();
    await quiet(driver);
    expect(driver.counters).toMatchObject({ runsStarted: 1, runsCompleted: 1, runsCancelled: 1 });
  });

  it('let a run that took longer than timeouts.finish go no further', async () => {
    const seen: string[] = [];
    const { time, driver } = startDriver((client) =>
      client.createFunction(
        { id: 'one', timeouts: { finish: '1m' }, triggers: { event: 'app/a' } },
        async ({ step }) => {
          await step.sleep('nap', '2m');
          seen.push('woke');
        },
      ),
    );
    await driver.client.send({ name: 'app/a', data: {} });
    await waitingFor(120_000, time);
    time.advance(120_000);
    await quiet(driver);
    expect(seen).toEqual([]);
    expect(driver.counters).toMatchObject({ runsCancelled: 1, runsFailed: 0 });
  });
});

describe('stop', () => {
  it('waits for the run that is under way, its further steps included, and begins no new one', async () => {
    const seen: string[] = [];
    const door = createGate();
    const { log, driver } = startDriver((client) =>
      client.createFunction({ id: 'one', concurrency: 1, triggers: { event: 'app/a' } }, async ({ step }) => {
        await step.run('a', () => door.opened);
        await step.run('b', () => seen.push('b'));
      }),
    );
    await driver.client.send([
      { name: 'app/a', data: {} },
      { name: 'app/a', data: {} },
    ]);
    await vi.waitFor(() => expect(driver.counters.running).toBe(1), POLL);
    const stopped = driver.stop({ graceMs: 10_000 }).then(() => seen.push('stopped'));
    await driver.client.send({ name: 'app/a', data: {} });
    door.open();
    await stopped;
    await quiet(driver);
    expect(seen).toEqual(['b', 'stopped']);
    expect(driver.counters.runsStarted).toBe(1);
    expect(log.error).not.toHaveBeenCalled();
  });

  it('gives up waiting after the grace, says so, and lets the run go no further', async () => {
    const seen: string[] = [];
    const door = createGate();
    const { time, log, driver } = startDriver((client) =>
      client.createFunction({ id: 'one', triggers: { event: 'app/a' } }, async ({ step }) => {
        await step.run('a', () => door.opened);
        await step.run('b', () => seen.push('b'));
      }),
    );
    await driver.client.send({ name: 'app/a', data: {} });
    await vi.waitFor(() => expect(driver.counters.running).toBe(1), POLL);
    const stopped = driver.stop({ graceMs: 10_000 });
    time.advance(10_000);
    await stopped;
    expect(log.warn).toHaveBeenCalledWith(
      { runs: [expect.objectContaining({ functionId: 'one' })], graceMs: 10_000 },
      expect.any(String),
    );
    door.open();
    await quiet(driver);
    expect(seen).toEqual([]);
  });

  it('forgets sleeping runs at once and fires no cron any more', async () => {
    const seen: string[] = [];
    const { time, driver } = startDriver((client) =>
      client.createFunction(
        { id: 'one', triggers: [{ event: 'app/a' }, { cron: '* * * * *' }] },
        async ({ step }) => {
          await step.sleep('nap', '1h');
          seen.push('woke');
        },
      ),
    );
    await driver.client.send({ name: 'app/a', data: {} });
    await waitingFor(3_600_000, time);
    await driver.stop({ graceMs: 10_000 });
    time.advance(7_200_000);
    await quiet(driver);
    expect(time.waits()).toEqual([]);
    expect(seen).toEqual([]);
    expect(driver.counters).toMatchObject({ runsStarted: 1, runsFailed: 0 });
  });
});
