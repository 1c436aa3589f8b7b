import { type FailureEventArgs, NonRetriableError, RetryAfterError, StepError } from 'inngest';
import { describe, expect, it, vi } from 'vitest';
import { createGate, POLL, quiet, startDriver, waitingFor } from './testing/harness';

describe('steps', () => {
  it('run once each, in order, and hand on what they gave', async () => {
    const seen: string[] = [];
    const { driver } = startDriver((client) =>
      client.createFunction({ id: 'one', triggers: { event: 'app/a' } }, async ({ step }) => {
        const a = await step.run('a', () => {
          seen.push('a');
          return { n: 1 };
        });
        const b = await step.run('b', () => {
          seen.push(`b after ${a.n}`);
        });
        seen.push(`end with ${b}`);
      }),
    );
    await driver.client.send({ name: 'app/a', data: {} });
    await quiet(driver);
    expect(seen).toEqual(['a', 'b after 1', 'end with null']);
    expect(driver.counters).toMatchObject({ runsStarted: 1, runsCompleted: 1, runsFailed: 0 });
  });

  it('side by side run once each, at the same time', async () => {
    const seen: string[] = [];
    const both = createGate();
    const { time, driver } = startDriver((client) =>
      client.createFunction({ id: 'one', triggers: { event: 'app/a' } }, async ({ step }) => {
        const parallel = (name: string) =>
          step.run(name, async () => {
            seen.push(name);
            if (seen.length === 2) both.open();
            await both.opened;
            return name;
          });
        const results = await Promise.all([parallel('a'), parallel('b')]);
        await step.run('c', () => seen.push(`c after ${results}`));
        await Promise.all([step.sleep('nap', '1h'), step.run('d', () => seen.push('d'))]);
        seen.push('end');
      }),
    );
    await driver.client.send({ name: 'app/a', data: {} });
    await waitingFor(3_600_000, time);
    expect(seen).not.toContain('end');
    await vi.waitFor(() => expect(seen).toContain('d'), POLL);
    time.advance(3_600_000);
    await quiet(driver);
    expect(seen.slice(0, 2).sort()).toEqual(['a', 'b']);
    expect(seen.slice(2)).toEqual(['c after a,b', 'd', 'end']);
  });

  it('send events that start other functions', async () => {
    const seen: string[] = [];
    const { driver } = startDriver((client) => [
      client.createFunction({ id: 'one', triggers: { event: 'app/a' } }, async ({ step }) => {
        await step.sendEvent('fan', [
          { name: 'app/b', data: { n: 1 } },
          { name: 'app/b', data: { n: 2 } },
        ]);
        await client.send({ name: 'app/b', data: { n: 3 } });
      }),
      client.createFunction({ id: 'two', triggers: { event: 'app/b' } }, ({ event }) => {
        seen.push(`b ${event.data.n}`);
      }),
    ]);
    await driver.client.send({ name: 'app/a', data: {} });
    await quiet(driver);
    expect(seen.sort()).toEqual(['b 1', 'b 2', 'b 3']);
  });

  it('sleep by the clock, for a time or until a moment', async () => {
    const seen: string[] = [];
    const { time, driver } = startDriver((client) =>
      client.createFunction({ id: 'one', triggers: { event: 'app/a' } }, async ({ step }) => {
        await step.sleep('nap', 90_000);
        await step.run('noon', () => seen.push(time.clock.now().toISOString()));
        await step.sleepUntil('later', new Date('2026-11-20T12:00:00Z'));
        seen.push(time.clock.now().toISOString());
      }),
    );
    await driver.client.send({ name: 'app/a', data: {} });
    await waitingFor(90_000, time);
    time.advance(90_000);
    await waitingFor(7_080_000, time);
    expect(driver.counters.running).toBe(1);
    time.advance(7_080_000);
    await quiet(driver);
    expect(seen).toEqual(['2026-11-20T10:02:00.000Z', '2026-11-20T12:00:00.000Z']);
  });

  it('that no memory can honour fail the run at once, saying which', async () => {
    const { log, driver } = startDriver((client) =>
      client.createFunction({ id: 'one', triggers: { event: 'app/a' } }, async ({ step }) => {
        await step.waitForEvent('wait for b', { event: 'app/b', timeout: '1h' });
      }),
    );
    await driver.client.send({ name: 'app/a', data: {} });
    await quiet(driver);
    expect(log.error.mock.calls).toEqual([
      [
        expect.objectContaining({
          functionId: 'one',
          err: expect.objectContaining({ message: expect.stringContaining('"wait for b" (WaitForEvent)') }),
        }),
        'Run failed',
      ],
    ]);
  });
});

describe('a function that throws', () => {
  it('is tried again after the wait it asks for, as often as its retries allow, then reported', async () => {
    const seen: string[] = [];
    const { time, log, driver } = startDriver((client) =>
      client.createFunction({ id: 'one', retries: 2, triggers: { event: 'app/a' } }, ({ attempt }) => {
        seen.push(`attempt ${attempt}`);
        throw new RetryAfterError('not now', 7000);
      }),
    );
    await driver.client.send({ name: 'app/a', data: {} });
    await waitingFor(7000, time);
    time.advance(7000);
    await waitingFor(7000, time);
    expect(log.error).not.toHaveBeenCalled();
    time.advance(7000);
    await quiet(driver);
    expect(seen).toEqual(['attempt 0', 'attempt 1', 'attempt 2']);
    expect(driver.counters).toMatchObject({ runsStarted: 1, runsFailed: 1 });
    expect(log.warn).toHaveBeenCalledTimes(2);
    expect(log.error.mock.calls).toEqual([
      [
        expect.objectContaining({ functionId: 'one', err: expect.objectContaining({ message: 'not now' }) }),
        'Run failed',
      ],
    ]);
  });

  it('is tried again after 15 seconds or a little more when it asks for nothing', async () => {
    const seen: string[] = [];
    const { time, log, driver } = startDriver((client) =>
      client.createFunction({ id: 'one', triggers: { event: 'app/a' } }, ({ attempt }) => {
        seen.push(`attempt ${attempt}`);
        if (attempt === 0) throw new Error('once');
      }),
    );
    await driver.client.send({ name: 'app/a', data: {} });
    await vi.waitFor(() => expect(log.warn).toHaveBeenCalledOnce(), POLL);
    time.advance(14_999);
    expect(driver.counters.running).toBe(1);
    time.advance(1501);
    await quiet(driver);
    expect(seen).toEqual(['attempt 0', 'attempt 1']);
    expect(log.error).not.toHaveBeenCalled();
  });

  it.each([
    ['with retries: 0', 0 as const, () => new Error('gone')],
    ['a NonRetriableError', 3 as const, () => new NonRetriableError('gone')],
  ])('%s is not tried again', async (_, retries, makeError) => {
    const seen: string[] = [];
    const { log, driver } = startDriver((client) =>
      client.createFunction({ id: 'one', retries, triggers: { event: 'app/a' } }, () => {
        seen.push('ran');
        throw makeError();
      }),
    );
    await driver.client.send({ name: 'app/a', data: {} });
    await quiet(driver);
    expect(seen).toEqual(['ran']);
    expect(log.warn).not.toHaveBeenCalled();
    expect(log.error).toHaveBeenCalledOnce();
  });

  it('has its onFailure handler run with the error and the event', async () => {
    const seen: string[] = [];
    const { driver } = startDriver((client) =>
      client.createFunction(
        {
          id: 'one',
          retries: 0,
          triggers: { event: 'app/a' },
          onFailure: ({ error, event }: FailureEventArgs) => {
            seen.push(`${error.message} ${event.data.event.name} ${event.data.function_id}`);
          },
        },
        () => {
          throw new TypeError('broken');
        },
      ),
    );
    await driver.client.send({ name: 'app/a', data: {} });
    await quiet(driver);
    expect(seen).toEqual(['broken app/a test-one']);
  });
});

describe('a step that throws', () => {
  it('is tried again by itself: steps that were done stay done', async () => {
    const seen: string[] = [];
    const { time, driver } = startDriver((client) =>
      client.createFunction(
        { id: 'one', retries: 1, triggers: { event: 'app/a' } },
        async ({ step, attempt }) => {
          await step.run('a', () => seen.push('a'));
          await step.run('b', () => {
            seen.push(`b attempt ${attempt}`);
            if (attempt === 0) throw new RetryAfterError('busy', '3s');
          });
          await step.run('c', () => seen.push(`c attempt ${attempt}`));
        },
      ),
    );
    await driver.client.send({ name: 'app/a', data: {} });
    await waitingFor(3000, time);
    time.advance(3000);
    await quiet(driver);
    expect(seen).toEqual(['a', 'b attempt 0', 'b attempt 1', 'c attempt 0']);
    expect(driver.counters).toMatchObject({ runsCompleted: 1, runsFailed: 0 });
  });

  it('beside another is tried again alone, and can be caught by the function once it has given up', async () => {
    const seen: string[] = [];
    const { time, driver } = startDriver((client) =>
      client.createFunction({ id: 'one', retries: 1, triggers: { event: 'app/a' } }, async ({ step }) => {
        const bad = step.run('bad', () => {
          seen.push('bad');
          throw new RetryAfterError('never', '2s');
        });
        const good = step.run('good', () => seen.push('good'));
        const [caught] = await Promise.all([bad.catch((error: unknown) => error), good]);
        seen.push(`caught ${caught instanceof StepError && caught.message}`);
      }),
    );
    await driver.client.send({ name: 'app/a', data: {} });
    await waitingFor(2000, time);
    time.advance(2000);
    await quiet(driver);
    expect(seen.slice(0, 2).sort()).toEqual(['bad', 'good']);
    expect(seen.slice(2)).toEqual(['bad', 'caught never']);
    expect(driver.counters.runsCompleted).toBe(1);
  });

  it('fails the run when the function does not catch it', async () => {
    const seen: string[] = [];
    const { log, driver } = startDriver((client) =>
      client.createFunction({ id: 'one', retries: 0, triggers: { event: 'app/a' } }, async ({ step }) => {
        await step.run('bad', () => {
          seen.push('bad');
          throw new Error('no');
        });
      }),
    );
    await driver.client.send({ name: 'app/a', data: {} });
    await quiet(driver);
    expect(seen).toEqual(['bad']);
    expect(log.error).toHaveBeenCalledOnce();
  });
});
