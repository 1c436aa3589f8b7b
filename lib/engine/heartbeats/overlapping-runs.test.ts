import { expect, it } from 'vitest';
import { hashToken } from '@/lib/domain/monitors/heartbeats/heartbeat-token';
import { listResults } from '@/lib/domain/monitors/history/read-results';
import { useTestDatabase } from '@/lib/testing/database';
import type { HeartbeatCall } from './judge-calls';
import { MAX_OPEN_RUNS } from './open-runs';
import { recordCalls } from './record-calls';
import { beginCalls } from './testing/call-story';

const database = useTestDatabase();

async function begin(fields: object = {}) {
  const story = await beginCalls(database.db, { period: 86_400, grace: 3600, ...fields });
  const { ctx, id, callWith, readToken, clock, services } = story;
  const token = await readToken();
  return {
    ...story,
    run: (kind: HeartbeatCall['kind'], rid: string | null = null) => callWith(token, kind, { rid }),
    /** Calls at these seconds from now, in one batch. */
    batch: (calls: readonly [HeartbeatCall['kind'], string | null, number][]) =>
      recordCalls(
        services,
        calls.map(([kind, rid, seconds]) => ({
          kind,
          rid,
          at: clock.now().getTime() + seconds * 1000,
          message: null,
          output: null,
          tokenHash: hashToken(token),
        })),
      ),
    /** In milliseconds, oldest first. */
    durations: async () => {
      const { items } = await listResults(ctx, id, { limit: 100 });
      return items.map(({ responseTime }) => responseTime).toReversed();
    },
    openRuns: async () => (await database.db.heartbeat.findUniqueOrThrow({ where: { monitorId: id } })).runs,
  };
}

it('overlapping runs have their own durations', async () => {
  const { run, elapse, durations, openRuns } = await begin();
  await run('start', 'a');
  await elapse(10);
  await run('start', 'b');
  await elapse(20);
  await run('success', 'a');
  await elapse(30);
  await run('failure', 'b');
  expect(await durations()).toEqual([30_000, 50_000]);
  expect(await openRuns()).toEqual([]);
});

it('also if one batch has all their calls', async () => {
  const { batch, elapse, durations } = await begin();
  await elapse(60);
  await batch([
    ['start', 'a', -50],
    ['start', 'b', -40],
    ['start', 'b', -40],
    ['success', 'a', -20],
    ['success', 'b', -5],
  ]);
  expect(await durations()).toEqual([30_000, 35_000]);
});

it('a call without an ID, or with an unknown one, ends the run that started last', async () => {
  const { run, elapse, durations } = await begin();
  await run('start');
  await elapse(10);
  await run('success', 'unknown');
  await run('start', 'a');
  await elapse(20);
  await run('success');
  await elapse(5);
  await run('success', 'a');
  expect(await durations()).toEqual([10_000, 20_000, 25_000]);
});

it('the run that started last must end within the grace, even if another one ends', async () => {
  const { run, pass, status, events } = await begin({ grace: 600 });
  await run('start', 'a');
  await pass(60);
  await run('start', 'b');
  await pass(60);
  await run('success', 'a');
  await pass(539);
  expect(await status()).toBe('operational');
  await pass(1);
  expect(await status()).toBe('down');
  const [down] = await events();
  expect(down.details.errorMessage).toBe(
    'the run that started at 2026-03-01 12:01:00 UTC did not end within 10m',
  );
  // It stays open for its end, but is not late again.
  await run('start', 'c');
  await pass(5);
  await run('success', 'c');
  await pass(3600);
  expect(await status()).toBe('operational');
});

it('a run that broke off is not awaited once one that started later has ended', async () => {
  const { run, pass, status } = await begin({ grace: 600 });
  await run('start', 'a');
  await pass(60);
  await run('start', 'b');
  await run('success', 'b');
  await pass(3600);
  expect(await status()).toBe('operational');
});

it('open runs are bounded: the oldest is dropped, and a repeated ID begins again', async () => {
  const { run, elapse, durations, openRuns } = await begin();
  for (let n = 0; n <= MAX_OPEN_RUNS; n++) {
    await run('start', `run-${n}`);
    await elapse(1);
  }
  await run('start', 'run-1');
  expect(await openRuns()).toHaveLength(MAX_OPEN_RUNS);
  await elapse(7);
  await run('success', 'run-1');
  await run('success', 'run-2');
  expect(await durations()).toEqual([7000, 16_000]);
});
