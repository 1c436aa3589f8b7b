import { expect, it, onTestFinished } from 'vitest';
import { simulateNetwork } from '@/lib/engine/testing/simulated-network';
import { createTestEngine } from '@/lib/engine/testing/test-engine';
import { createMoments } from '@/lib/platform/db/moments';
import { useTestDatabase } from '@/lib/testing/database';
import { keepLog } from '@/lib/testing/kept-log';
import { drainDeadlines } from './drain-deadlines';
import { createWayIn } from './lost-calls';
import { beginCalls } from './testing/call-story';

const database = useTestDatabase();

/** A job that calls once an hour, and called half an hour ago, when the worker lost its network; two hours have passed since. */
async function beginCutOff(others: object[] = []) {
  const story = await beginCalls(database.db, { period: 3600, grace: 60 });
  const { clock, services, call, pass, elapse } = story;
  await call();
  await pass(1800);
  const cutOffAt = clock.now();
  await elapse(7200);
  const network = { isReached: false };
  const { log } = keepLog();
  await database.db.worker.deleteMany();
  for (const [place, other] of others.entries()) {
    const now = clock.now();
    const worker = { id: `wrk_${place}`, regions: ['eu-west'], startedAt: now, seenAt: now };
    await database.db.worker.create({ data: { ...worker, host: 'box', machine: 'box', ...other } });
  }
  const wayIn = createWayIn(services, {
    workerId: 'wrk_own',
    log,
    reachesNetwork: async () => network.isReached,
  });
  return {
    ...story,
    /** Looks for missed deadlines once. */
    judge: async () => {
      const once = new AbortController();
      const onlyOnce = {
        isOpen: async () => {
          once.abort();
          return wayIn.isOpen();
        },
      };
      const until = new Date(clock.now().getTime() + 60_000);
      await drainDeadlines(
        { services, moments: createMoments(services.db), wayIn: onlyOnce, log },
        { until, signal: once.signal },
      );
    },
    reachAgain: () => {
      network.isReached = true;
      wayIn.onBack(cutOffAt);
    },
  };
}

it('while the worker is cut off no job is late, and afterwards its next call is awaited', async () => {
  const { judge, reachAgain, status, pass } = await beginCutOff();
  await judge();
  expect(await status()).toBe('operational');
  reachAgain();
  await judge();
  expect(await status()).toBe('operational');
  await pass(3659);
  expect(await status()).toBe('operational');
  await pass(1);
  expect(await status()).toBe('down');
});

it.each([
  ['another worker was cut off, too', { cutOffAt: new Date() }, 'operational'],
  ['only a remote probe was not', { duties: 'probe' }, 'operational'],
  ['another worker was not: calls could arrive', {}, 'down'],
])('if %s, its job is then judged so', async (_, other, expected) => {
  const { judge, reachAgain, status } = await beginCutOff([other]);
  reachAgain();
  await judge();
  expect(await status()).toBe(expected);
});

it('a worker asks its proofs before it judges a missed deadline, and records how long it was cut off', async () => {
  const story = await beginCalls(database.db, { period: 3600, grace: 60 });
  await story.call();
  await database.db.worker.deleteMany();
  const lookup = { id: 'lookup', way: 'routed', isConfigured: false, responds: () => works } as const;
  let works = true;
  const { network, asked } = simulateNetwork([lookup]);
  const engine = createTestEngine(story.services, { network });
  onTestFinished(() => engine.stop(0));
  void engine.drainDeadlines(new Date(8.64e15));
  await expect.poll(() => asked.get('lookup')).toBe(1);
  const askedAt = performance.now();
  works = false;
  // What responded just now is not asked again.
  await expect.poll(() => performance.now() - askedAt).toBeGreaterThan(3500);
  await story.elapse(3660);
  await expect.poll(() => engine.network().cutOffAt).not.toBeNull();
  expect(await story.status()).toBe('operational');
  works = true;
  await expect.poll(() => database.db.receptionGap.count()).toBe(1);
  expect(await story.status()).toBe('operational');
});
