import { type GetStepTools, type Inngest, RetryAfterError, StepError } from 'inngest';
import { describe, expect, it } from 'vitest';
import { quiet, startDriver } from './testing/harness';

describe('steps', () => {
  it('run once each, in order, and pass on their results', async () => {
    const seen: string[] = [];
    const { driver } = startDriver((client) =>
      client.createFunction({ id: 'one', retries: 0, triggers: { event: 'app/a' } }, async ({ step }) => {
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

  it('send events that start other functions', async () => {
    const seen: string[] = [];
    const { driver } = startDriver((client) => [
      client.createFunction({ id: 'one', retries: 0, triggers: { event: 'app/a' } }, async ({ step }) => {
        await step.sendEvent('fan', [
          { name: 'app/b', data: { n: 1 } },
          { name: 'app/b', data: { n: 2 } },
        ]);
        await client.send({ name: 'app/b', data: { n: 3 } });
      }),
      client.createFunction({ id: 'two', retries: 0, triggers: { event: 'app/b' } }, ({ event }) => {
        seen.push(`b ${event.data.n}`);
      }),
    ]);
    await driver.client.send({ name: 'app/a', data: {} });
    await quiet(driver);
    expect(seen.sort()).toEqual(['b 1', 'b 2', 'b 3']);
  });

  it.each<[string, (step: GetStepTools<Inngest>) => Promise<unknown>]>([
    [
      '"wait for b" (WaitForEvent)',
      (step) => step.waitForEvent('wait for b', { event: 'app/b', timeout: '1h' }),
    ],
    ['"nap" (Sleep)', (step) => step.sleep('nap', '1h')],
    ['"a" (StepPlanned)', (step) => Promise.all([step.run('a', () => 1), step.run('b', () => 2)])],
  ])('that are unsupported fail the run immediately, naming the step: %s', async (words, work) => {
    const { log, driver } = startDriver((client) =>
      client.createFunction({ id: 'one', retries: 0, triggers: { event: 'app/a' } }, async ({ step }) => {
        await work(step);
      }),
    );
    await driver.client.send({ name: 'app/a', data: {} });
    await quiet(driver);
    expect(log.error.mock.calls).toEqual([
      [
        expect.objectContaining({
          functionId: 'one',
          err: expect.objectContaining({ message: expect.stringContaining(words) }),
        }),
        'run failed',
      ],
    ]);
  });
});

describe('a function that throws', () => {
  it('is not called again, and the original error is logged', async () => {
    const seen: string[] = [];
    const { log, driver } = startDriver((client) =>
      client.createFunction({ id: 'one', retries: 0, triggers: { event: 'app/a' } }, () => {
        seen.push('ran');
        throw new RetryAfterError('gone', 7000);
      }),
    );
    await driver.client.send({ name: 'app/a', data: {} });
    await quiet(driver);
    expect(seen).toEqual(['ran']);
    expect(driver.counters).toMatchObject({ runsStarted: 1, runsFailed: 1 });
    expect(log.warn).not.toHaveBeenCalled();
    expect(log.error.mock.calls).toEqual([
      [
        expect.objectContaining({ functionId: 'one', err: expect.objectContaining({ message: 'gone' }) }),
        'run failed',
      ],
    ]);
  });
});

describe('a step that throws', () => {
  it('can be caught by the function, which continues with completed steps kept', async () => {
    const seen: string[] = [];
    const { driver } = startDriver((client) =>
      client.createFunction({ id: 'one', retries: 0, triggers: { event: 'app/a' } }, async ({ step }) => {
        await step.run('good', () => seen.push('good'));
        const bad = step.run('bad', () => {
          seen.push('bad');
          throw new RetryAfterError('never', '2s');
        });
        const caught = await bad.catch((error: unknown) => error);
        await step.run('last', () => seen.push('last'));
        seen.push(`caught ${caught instanceof StepError && caught.message}`);
      }),
    );
    await driver.client.send({ name: 'app/a', data: {} });
    await quiet(driver);
    expect(seen).toEqual(['good', 'bad', 'last', 'caught never']);
    expect(driver.counters).toMatchObject({ runsCompleted: 1, runsFailed: 0 });
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
