import { eventType } from 'inngest';
import { describe, expect, it } from 'vitest';
import { makeDriver, quiet, START, startDriver, waitingFor } from './testing/harness';

describe('cron triggers', () => {
  it('fire as each matching minute of the clock begins', async () => {
    const seen: string[] = [];
    const { time, driver } = startDriver((client) =>
      client.createFunction({ id: 'sweep', triggers: { cron: '*/2 * * * *' } }, ({ event }) => {
        seen.push(`${event.name} ${JSON.stringify(event.data)} ${new Date(event.ts ?? 0).toISOString()}`);
      }),
    );
    time.advance(29_999);
    expect(driver.counters.queued).toBe(0);
    time.advance(1);
    await quiet(driver);
    expect(seen).toEqual([]);
    time.advance(60_000);
    await quiet(driver);
    time.advance(120_000);
    await quiet(driver);
    const timer = 'inngest/scheduled.timer {"cron":"*/2 * * * *"}';
    expect(seen).toEqual([`${timer} 2026-11-20T10:02:00.000Z`, `${timer} 2026-11-20T10:04:00.000Z`]);
  });

  it('fire once, not ten times, after ten minutes in which the process was suspended', async () => {
    const seen: string[] = [];
    const { time, driver } = startDriver((client) =>
      client.createFunction({ id: 'sweep', triggers: { cron: '* * * * *' } }, ({ event }) => {
        seen.push(new Date(event.ts ?? 0).toISOString());
      }),
    );
    time.clock.advance(10 * 60_000);
    time.advance(30_000);
    await quiet(driver);
    expect(seen).toEqual(['2026-11-20T10:11:00.000Z']);
  });
});

describe('events', () => {
  it('start every function that has the event as a trigger, and no other', async () => {
    const seen: string[] = [];
    const named = eventType('app/b');
    const { driver } = startDriver((client) => [
      client.createFunction({ id: 'one', triggers: [{ event: 'app/a' }, { event: named }] }, ({ event }) => {
        seen.push(`one ${event.name}`);
      }),
      client.createFunction({ id: 'two', triggers: [named, { cron: '0 0 1 1 *' }] }, ({ event }) => {
        seen.push(`two ${event.name}`);
      }),
      client.createFunction({ id: 'three', triggers: { event: 'app/c' } }, () => {
        seen.push('three');
      }),
    ]);
    const { ids } = await driver.client.send([{ name: 'app/a', data: { n: 1 } }, named.create()]);
    await quiet(driver);
    expect(ids).toHaveLength(2);
    expect(seen.sort()).toEqual(['one app/a', 'one app/b', 'two app/b']);
  });

  it('with the same id start a function once within 24 hours', async () => {
    const seen: string[] = [];
    const { time, driver } = startDriver((client) =>
      client.createFunction({ id: 'one', triggers: { event: 'app/a' } }, ({ event }) => {
        seen.push(event.id ?? '');
      }),
    );
    const event = { name: 'app/a', data: {}, id: 'same' };
    await driver.client.send([event, event]);
    await driver.client.send(event);
    await quiet(driver);
    expect(seen).toEqual(['same']);
    time.clock.advance(24 * 60 * 60 * 1000);
    await driver.client.send(event);
    await quiet(driver);
    expect(seen).toEqual(['same', 'same']);
  });

  it('with a ts in the future start at that moment', async () => {
    const seen: string[] = [];
    const { time, driver } = startDriver((client) =>
      client.createFunction({ id: 'one', triggers: { event: 'app/a' } }, () => {
        seen.push(time.clock.now().toISOString());
      }),
    );
    await driver.client.send({ name: 'app/a', data: {}, ts: START.getTime() + 5000 });
    await waitingFor(5000, time);
    expect(seen).toEqual([]);
    time.advance(5000);
    await quiet(driver);
    expect(seen).toEqual(['2026-11-20T10:00:35.000Z']);
  });

  it('sent before the start are taken up by it', async () => {
    const seen: string[] = [];
    const { driver } = makeDriver((client) =>
      client.createFunction({ id: 'one', triggers: { event: 'app/a' } }, () => {
        seen.push('ran');
      }),
    );
    await driver.client.send({ name: 'app/a', data: {} });
    expect(driver.counters.queued).toBe(0);
    driver.start();
    await quiet(driver);
    expect(seen).toEqual(['ran']);
  });
});
