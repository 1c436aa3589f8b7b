import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { waitFor } from '@/lib/testing/wait-for';
import { createGate, POLL, quiet, startDriver } from './testing/harness';

describe('the driver', () => {
  it('never uses the network or the console', async () => {
    onTestFinished(() => {
      vi.restoreAllMocks();
    });
    const fetchSpy = vi.spyOn(globalThis, 'fetch').mockRejectedValue(new Error('no network in this test'));
    const consoleSpies = (['log', 'info', 'warn', 'error', 'debug'] as const).map((level) =>
      vi.spyOn(console, level).mockImplementation(() => {}),
    );
    const { log, driver } = startDriver((client) => [
      client.createFunction(
        { id: 'one', retries: 0, triggers: { event: 'app/a' } },
        async ({ step, logger }) => {
          logger.info('hello');
          await step.sendEvent('tell', { name: 'app/b', data: {} });
          await step.run('a', () => 1);
          throw new Error('at the end');
        },
      ),
      client.createFunction({ id: 'signal', retries: 0, triggers: { event: 'app/b' } }, async ({ step }) => {
        await step.sendSignal('signal', { signal: 'x', data: {} });
      }),
    ]);
    await driver.client.send({ name: 'app/a', data: {} });
    await quiet(driver);
    expect(driver.counters).toMatchObject({ runsStarted: 2, runsFailed: 2 });
    expect(log.error).toHaveBeenCalledWith(
      expect.objectContaining({
        functionId: 'signal',
        err: expect.objectContaining({ message: expect.stringContaining('has no server to call') }),
      }),
      'run failed',
    );
    expect(fetchSpy).not.toHaveBeenCalled();
    for (const spy of consoleSpies) expect(spy).not.toHaveBeenCalled();
  });

  it('survives a logger that throws', async () => {
    const { log, driver } = startDriver((client) =>
      client.createFunction({ id: 'one', retries: 0, triggers: { event: 'app/a' } }, () => {
        throw new Error('no');
      }),
    );
    const fail = () => {
      throw new Error('the disk is full');
    };
    log.warn.mockImplementation(fail);
    log.error.mockImplementation(fail);
    await driver.client.send({ name: 'app/a', data: {} });
    await quiet(driver);
    expect(driver.counters.runsFailed).toBe(1);
  });

  it('accepts hundreds of events at once', async () => {
    let ran = 0;
    const { driver } = startDriver((client) =>
      client.createFunction({ id: 'one', retries: 0, triggers: { event: 'app/a' } }, () => {
        ran += 1;
      }),
    );
    await driver.client.send(Array.from({ length: 200 }, () => ({ name: 'app/a', data: {} })));
    await quiet(driver);
    expect(ran).toBe(200);
    expect(driver.counters).toMatchObject({ running: 0, runsCompleted: 200 });
  });

  it('skips a run of a singleton while another is in progress', async () => {
    let ran = 0;
    const door = createGate();
    const { log, driver } = startDriver((client) =>
      client.createFunction(
        { id: 'one', retries: 0, singleton: { mode: 'skip' }, triggers: { event: 'app/a' } },
        async ({ step }) => {
          await step.run('work', () => door.opened);
          ran += 1;
        },
      ),
    );
    const send = () => driver.client.send({ name: 'app/a', data: {} });
    await Promise.all([send(), send()]);
    await waitFor(() => expect(driver.counters).toMatchObject({ running: 1, runsSkipped: 1 }), POLL);
    door.open();
    await quiet(driver);
    await send();
    await quiet(driver);
    expect(ran).toBe(2);
    expect(log.warn).not.toHaveBeenCalled();
  });
});

describe('stop', () => {
  it('waits for running runs, including their remaining steps, and starts no new ones', async () => {
    const seen: string[] = [];
    const door = createGate();
    const { log, driver } = startDriver((client) =>
      client.createFunction({ id: 'one', retries: 0, triggers: { event: 'app/a' } }, async ({ step }) => {
        await step.run('a', () => door.opened);
        await step.run('b', () => seen.push('b'));
      }),
    );
    await driver.client.send({ name: 'app/a', data: {} });
    await waitFor(() => expect(driver.counters.running).toBe(1), POLL);
    const stopped = driver.stop({ graceMs: 10_000 }).then(() => seen.push('stopped'));
    await driver.client.send({ name: 'app/a', data: {} });
    door.open();
    await stopped;
    await quiet(driver);
    expect(seen).toEqual(['b', 'stopped']);
    expect(driver.counters.runsStarted).toBe(1);
    expect(log.error).not.toHaveBeenCalled();
  });

  it('stops waiting after the grace period, logs it, and lets no run continue', async () => {
    const seen: string[] = [];
    const door = createGate();
    const { time, log, driver } = startDriver((client) =>
      client.createFunction({ id: 'one', retries: 0, triggers: { event: 'app/a' } }, async ({ step }) => {
        await step.run('a', () => door.opened);
        await step.run('b', () => seen.push('b'));
      }),
    );
    await driver.client.send({ name: 'app/a', data: {} });
    await waitFor(() => expect(driver.counters.running).toBe(1), POLL);
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

  it('fires no more crons', async () => {
    const seen: string[] = [];
    const { time, driver } = startDriver((client) =>
      client.createFunction({ id: 'one', retries: 0, triggers: { cron: '* * * * *' } }, () => {
        seen.push('ran');
      }),
    );
    await driver.stop({ graceMs: 10_000 });
    time.advance(7_200_000);
    await quiet(driver);
    expect(time.waits()).toEqual([]);
    expect(seen).toEqual([]);
  });
});
