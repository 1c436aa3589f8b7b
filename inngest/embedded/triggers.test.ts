import { eventType } from 'inngest';
import { describe, expect, it } from 'vitest';
import { StartupError } from '@/lib/core/errors';
import { createManualClock } from '@/lib/core/time/clock';
import { createRecentIds, startMinuteTicker } from './driver';
import { quiet, startDriver } from './testing/harness';
import { createManualTime } from './testing/manual-timers';

describe('cron triggers', () => {
  it('fire at the start of each minute of the clock', async () => {
    const seen: string[] = [];
    const { time, driver } = startDriver((client) =>
      client.createFunction({ id: 'sweep', retries: 0, triggers: { cron: '* * * * *' } }, ({ event }) => {
        seen.push(`${event.name} ${JSON.stringify(event.data)} ${new Date(event.ts ?? 0).toISOString()}`);
      }),
    );
    time.advance(29_999);
    expect(driver.counters.runsStarted).toBe(0);
    time.advance(1);
    await quiet(driver);
    time.advance(60_000);
    await quiet(driver);
    const timer = 'inngest/scheduled.timer {"cron":"* * * * *"}';
    expect(seen).toEqual([`${timer} 2026-11-20T10:01:00.000Z`, `${timer} 2026-11-20T10:02:00.000Z`]);
  });

  it('fire once, not ten times, after the process was suspended for ten minutes', async () => {
    const seen: string[] = [];
    const { time, driver } = startDriver((client) =>
      client.createFunction({ id: 'sweep', retries: 0, triggers: { cron: '* * * * *' } }, ({ event }) => {
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
  it('start every function with the event as a trigger, and no other', async () => {
    const seen: string[] = [];
    const named = eventType('app/b');
    const { driver } = startDriver((client) => [
      client.createFunction(
        { id: 'one', retries: 0, triggers: [{ event: 'app/a' }, { event: named }] },
        ({ event }) => {
          seen.push(`one ${event.name}`);
        },
      ),
      client.createFunction(
        { id: 'two', retries: 0, triggers: [named, { cron: '* * * * *' }] },
        ({ event }) => {
          seen.push(`two ${event.name}`);
        },
      ),
      client.createFunction({ id: 'three', retries: 0, triggers: { event: 'app/c' } }, () => {
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
      client.createFunction({ id: 'one', retries: 0, triggers: { event: 'app/a' } }, ({ event }) => {
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

  it('scheduled for later are rejected when sent', async () => {
    const seen: string[] = [];
    const { driver } = startDriver((client) =>
      client.createFunction({ id: 'one', retries: 0, triggers: { event: 'app/a' } }, () => {
        seen.push('ran');
      }),
    );
    const later = { name: 'app/a', data: {}, ts: Date.now() + 60_000 };
    await expect(driver.client.send(later)).rejects.toThrow('starts later is not supported');
    await quiet(driver);
    expect(seen).toEqual([]);
  });
});

describe('unsupported options are rejected when the driver is created', () => {
  it.each<[string, object, string]>([
    ['an if expression', { triggers: { event: 'a', if: 'event.data.x > 1' } }, '"if" expression'],
    ['an event pattern', { triggers: { event: 'app/*' } }, '"app/*"'],
    ['a cron with seconds', { triggers: { cron: '* * * * * *' } }, 'cron "* * * * * *"'],
    ['a cron of every hour', { triggers: { cron: '0 * * * *' } }, 'cron "0 * * * *"'],
    ['a cron in a time zone', { triggers: { cron: 'TZ=Europe/Berlin 0 9 * * *' } }, 'cron "TZ='],
    ['no trigger', { triggers: [] }, 'no trigger'],
    ['retries of failed runs', { retries: 1 }, '"retries: 0"'],
    ['the default retries of the SDK', { retries: undefined }, '"retries: 0"'],
    ['a concurrency limit', { concurrency: 1 }, '"concurrency"'],
    ['timeouts', { timeouts: { start: '1m' } }, '"timeouts"'],
    ['a failure handler', { onFailure: () => {} }, '"onFailure"'],
    ['batchEvents', { batchEvents: { maxSize: 2, timeout: '1s' } }, '"batchEvents"'],
    ['debounce', { debounce: { period: '1s' } }, '"debounce"'],
    ['throttle', { throttle: { limit: 1, period: '1s' } }, '"throttle"'],
    ['rateLimit', { rateLimit: { limit: 1, period: '1s' } }, '"rateLimit"'],
    ['cancelOn', { cancelOn: [{ event: 'b' }] }, '"cancelOn"'],
    ['idempotency', { idempotency: 'event.data.x' }, '"idempotency"'],
    ['a singleton that cancels', { singleton: { mode: 'cancel' } }, '"mode":"cancel"'],
    ['a singleton by key', { singleton: { mode: 'skip', key: 'event.data.x' } }, '"key":"event.data.x"'],
  ])('%s', (_, options, words) => {
    const make = () =>
      startDriver((client) => [
        client.createFunction({ id: 'fine', retries: 0, triggers: { event: 'a' } }, () => {}),
        client.createFunction({ id: 'bad', retries: 0, triggers: { event: 'a' }, ...options }, () => {}),
      ]);
    expect(make).toThrow(StartupError);
    expect(make).toThrow('bad: ');
    expect(make).toThrow(words);
  });
});

describe('the ticker', () => {
  function startAt(start: string) {
    const time = createManualTime(new Date(start));
    const ticks: string[] = [];
    const stop = startMinuteTicker(time, (minute) => ticks.push(minute.toISOString().slice(11, 19)));
    return { time, ticks, stop };
  }

  it('reports each minute as it starts, but not the one it was started in', () => {
    const { time, ticks } = startAt('2026-11-20T10:00:00.000Z');
    time.advance(59_999);
    expect(ticks).toEqual([]);
    time.advance(60_001);
    expect(ticks).toEqual(['10:01:00', '10:02:00']);
  });

  it('reports only the latest of several missed minutes', () => {
    const { time, ticks } = startAt('2026-11-20T10:00:00.000Z');
    time.clock.advance(2 * 60_000);
    time.advance(60_000);
    expect(ticks).toEqual(['10:03:00']);
  });

  it('reports no minute twice when the clock is set back slightly', () => {
    const { time, ticks } = startAt('2026-11-20T10:00:30.000Z');
    time.advance(30_000);
    time.clock.set(new Date('2026-11-20T10:00:58.000Z'));
    time.advance(61_999);
    expect(ticks).toEqual(['10:01:00']);
    time.advance(1);
    expect(ticks).toEqual(['10:01:00', '10:02:00']);
  });

  it('continues from the new time when the clock is set back by an hour', () => {
    const { time, ticks } = startAt('2026-11-20T10:00:30.000Z');
    time.clock.set(new Date('2026-11-20T09:00:30.000Z'));
    time.advance(30_000);
    expect(ticks).toEqual([]);
    time.advance(60_000);
    expect(ticks).toEqual(['09:02:00']);
  });

  it('reports nothing once stopped', () => {
    const { time, ticks, stop } = startAt('2026-11-20T10:00:00.000Z');
    stop();
    time.advance(180_000);
    expect(ticks).toEqual([]);
    expect(time.waits()).toEqual([]);
  });
});

describe('recent ids', () => {
  it('remembers an id until it expires, counted from when it was first recorded', () => {
    const clock = createManualClock(new Date(0));
    const hasSeen = createRecentIds({ clock, forMs: 1000, atMost: 10 });
    expect(hasSeen('a')).toBe(false);
    clock.advance(999);
    expect(hasSeen('a')).toBe(true);
    clock.advance(1);
    expect(hasSeen('a')).toBe(false);
    expect(hasSeen('a')).toBe(true);
  });

  it('drops the oldest when it is full', () => {
    const hasSeen = createRecentIds({ clock: createManualClock(new Date(0)), forMs: 1000, atMost: 2 });
    for (const id of ['a', 'b', 'c']) hasSeen(id);
    expect(['c', 'b'].map(hasSeen)).toEqual([true, true]);
    expect(hasSeen('a')).toBe(false);
  });
});
