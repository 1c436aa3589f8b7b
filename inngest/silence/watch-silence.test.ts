import { expect, it, onTestFinished } from 'vitest';
import { createLogger } from '@/lib/core/logger';
import { createManualClock } from '@/lib/core/time/clock';
import { noteWake } from '@/lib/engine/runtime/slots';
import { useTestDatabase } from '@/lib/testing/database';
import { createTestServices } from '@/lib/testing/services';
import { waitFor } from '@/lib/testing/wait-for';
import type { App } from '../apps';
import { appStarted } from '../events';
import { watchSilence } from './watch-silence';

const START = new Date('2026-11-20T10:00:30.000Z');
const database = useTestDatabase();

/** A worker with one app, whose work and time are controlled by the test. */
function watch(id: string) {
  const clock = createManualClock(START);
  const services = createTestServices({ db: database.db, clock });
  const started = appStarted(id);
  const story = {
    neglectedSince: null as Date | null,
    woken: 0,
    reported: [] as (Date | null)[],
    unwoken: 0,
  };
  const app: App = {
    id,
    started,
    drains: ['checks', 'mail'].map((part) => ({
      id: `${id}/${part}`,
      run: async () => {},
      neglectedSince: async () => story.neglectedSince,
    })),
    build: (client) => [
      client.createFunction({ id: 'sweep', retries: 0, triggers: [started] }, () => {
        story.woken += 1;
      }),
    ],
  };
  const { stop } = watchSilence({
    apps: [app],
    services,
    log: createLogger('silent', 'test'),
    lookMs: 10,
    onSilence: (since) => story.reported.push(since),
    onUnwoken: () => {
      story.unwoken += 1;
    },
  });
  onTestFinished(stop);
  /** Resolves after two more polls: at least one since now. */
  const looked = async () => {
    const before = story.reported.length;
    await waitFor(() => expect(story.reported.length).toBeGreaterThan(before + 1));
  };
  /** Inngest starts a drain. */
  const wake = (part: string, by: Parameters<typeof noteWake>[0] = services) => noteWake(by, `${id}/${part}`);
  const wakeAll = async () => {
    await wake('checks');
    await wake('mail');
  };
  return { clock, services, story, looked, wake, wakeAll };
}

it('an app that Inngest wakes is left alone', async () => {
  const { clock, story, looked, wakeAll } = watch('woken');
  for (let round = 0; round < 4; round++) {
    await wakeAll();
    clock.advance(44_000);
    await looked();
  }
  expect(story).toMatchObject({ woken: 0 });
  expect(story.reported.filter((since) => since !== null)).toEqual([]);
});

it('an app that Inngest does not wake is woken by the worker, reported, and handed back when Inngest returns', async () => {
  const { clock, story, looked, wake, wakeAll } = watch('silent');
  await wakeAll();
  clock.advance(90_000);
  story.neglectedSince = new Date(clock.now().getTime() - 21_000);
  await waitFor(() => expect(story.woken).toBe(1));
  await looked();
  expect(story.reported.at(-1)).toEqual(START);
  expect(story.unwoken, 'so that it can be registered again').toBeGreaterThan(0);
  await looked();
  expect(story.woken, 'one stand-in is enough').toBe(1);

  story.neglectedSince = null;
  clock.advance(1000);
  await wake('checks');
  await looked();
  expect(story.reported.at(-1), 'the event of the other drain was lost').toEqual(START);
  await wake('mail');
  await looked();
  expect(story.reported.at(-1)).toBeNull();
  expect(story.woken).toBe(1);
  clock.advance(121_000);
  await waitFor(() => expect(story.woken, 'it handed back, and takes over again').toBe(2));
});

it('a worker that Inngest has never woken does not mistake older wakes for its own', async () => {
  const { services, story, looked, clock, wake } = watch('strange');
  const before = createManualClock(new Date(START.getTime() - 3_600_000));
  for (const part of ['checks', 'mail']) await wake(part, { ...services, clock: before });
  await looked();
  expect(story.woken).toBe(0);
  clock.advance(121_000);
  await waitFor(() => expect(story.woken).toBe(1));
});
