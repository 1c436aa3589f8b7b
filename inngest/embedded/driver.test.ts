import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { quiet, startDriver } from './testing/harness';

describe('the driver', () => {
  it('never reaches for the network nor writes to the console', async () => {
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
          await Promise.all([step.run('a', () => 1), step.run('b', () => 2)]);
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
      'Run failed',
    );
    expect(fetchSpy).not.toHaveBeenCalled();
    for (const spy of consoleSpies) expect(spy).not.toHaveBeenCalled();
  });

  it('survives a logger that throws', async () => {
    const { log, driver } = startDriver((client) =>
      client.createFunction({ id: 'one', retries: 1, triggers: { event: 'app/a' } }, () => {
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

  it('takes hundreds of events at once', async () => {
    let ran = 0;
    const { driver } = startDriver((client) =>
      client.createFunction({ id: 'one', concurrency: 10, triggers: { event: 'app/a' } }, () => {
        ran += 1;
      }),
    );
    await driver.client.send(Array.from({ length: 300 }, () => ({ name: 'app/a', data: {} })));
    await quiet(driver);
    expect(ran).toBe(300);
    expect(driver.counters).toMatchObject({ queued: 0, running: 0, runsCompleted: 300 });
  });
});
