import { setMaxListeners } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { createManualClock } from '@/lib/core/time/clock';
import { Prisma } from '@/lib/platform/db/generated/client';
import { useTestDatabase } from '@/lib/testing/database';
import { keepLog } from '@/lib/testing/kept-log';
import { createTestServices } from '@/lib/testing/services';
import { openCountingDatabase } from '@/lib/testing/statements';
import { waitFor } from '@/lib/testing/wait-for';
import { createTimetable } from './run-timetable';
import { type Job, TIMETABLE } from './timetable';

const START = new Date('2026-03-10T12:00:00.000Z');
const HOUR = { everyMs: 3_600_000 };
const database = useTestDatabase();

/** Starts jobs; `runs` lists the names of those that ran. */
function start(jobs: Job[], db = database.db) {
  const clock = createManualClock(START);
  const { log, lines } = keepLog();
  const stopping = new AbortController();
  setMaxListeners(0, stopping.signal);
  const services = { ...createTestServices({ db, clock }), log };
  const runs: string[] = [];
  const watched = jobs.map((job) => ({
    ...job,
    run: (needs: Parameters<Job['run']>[0]) => {
      runs.push(job.name);
      return job.run(needs);
    },
  }));
  const observed: [string, boolean][] = [];
  const observer = {
    ran: (job: string, { isFailed }: { isFailed: boolean }) => void observed.push([job, isFailed]),
  };
  const needs = { services, notices: null };
  const timetable = createTimetable(needs, { jobs: watched, observer, signal: stopping.signal, log });
  timetable.start();
  const stop = async () => {
    stopping.abort();
    await timetable.stopped();
  };
  onTestFinished(stop);
  return { timetable, clock, lines, runs, observed, stop };
}

const nothing = async () => null;

it('a job that fails or hangs holds up no other, and is the object of its error and of its report', async () => {
  const released = new AbortController();
  const hang = () => delay(HOUR.everyMs, undefined, released).catch(() => 'released');
  const { timetable, lines, observed, runs, stop } = start([
    {
      name: 'broken',
      ...HOUR,
      run: () => Promise.reject(new Error('one row is broken', { cause: new Error('its value') })),
    },
    { name: 'slow', ...HOUR, run: hang },
    { name: 'good', everyMs: 20, run: nothing },
  ]);
  await waitFor(() => expect(runs.filter((name) => name === 'good').length).toBeGreaterThan(3));
  expect(lines()[0]).toMatchObject({
    job: 'broken',
    err: { stack: expect.stringContaining('caused by: Error: its value') },
  });
  expect(observed).toContainEqual(['broken', true]);
  const at = START.toISOString();
  const [lateAt, goodLateAt] = ['2026-03-10T13:01:00.000Z', '2026-03-10T12:01:00.020Z'];
  expect(timetable.report()).toEqual([
    { job: 'broken', lateAt, ranAt: null, failedAt: at },
    { job: 'slow', lateAt, ranAt: null, failedAt: null },
    { job: 'good', lateAt: goodLateAt, ranAt: at, failedAt: null },
  ]);
  released.abort();
  await stop();
});

it('a failed job is retried within seconds, not after its period', async () => {
  let failures = 0;
  const { timetable } = start([
    {
      name: 'broken once',
      ...HOUR,
      run: async () => {
        failures += 1;
        if (failures === 1) throw new Error('broken');
      },
    },
  ]);
  await waitFor(() =>
    expect(timetable.report()).toMatchObject([{ ranAt: START.toISOString(), failedAt: null }]),
  );
});

it('a job runs when it said that it is due, when it is woken, and otherwise by its period', async () => {
  let isDueSoon = true;
  const { timetable, runs } = start([
    {
      name: 'due soon',
      ...HOUR,
      run: async () => {
        const dueAt = isDueSoon ? new Date(START.getTime() + 30) : null;
        isDueSoon = false;
        return dueAt;
      },
    },
    { name: 'woken', ...HOUR, wokenEveryMs: 10, run: nothing },
    { name: 'not woken', ...HOUR, run: nothing },
  ]);
  await waitFor(() => expect(runs.filter((name) => name === 'due soon')).toHaveLength(2));
  timetable.wake();
  await waitFor(() => expect(runs.filter((name) => name === 'woken')).toHaveLength(2));
  expect(runs.filter((name) => name === 'not woken')).toHaveLength(1);
});

it('a job does not run before anything of it is due, and has run well all the same', async () => {
  const isDue = (sql: Prisma.Sql) => ({ everyMs: 20, dueAt: () => sql, run: nothing });
  const { timetable, runs, stop } = start([
    { name: 'nothing due', ...isDue(Prisma.sql`NULL::timestamptz`) },
    { name: 'due later', ...isDue(Prisma.sql`${new Date(START.getTime() + 1)}::timestamptz`) },
    { name: 'due', ...isDue(Prisma.sql`${START}::timestamptz`) },
  ]);
  await waitFor(() => expect(runs.length).toBeGreaterThan(20));
  await stop();
  expect(new Set(runs)).toEqual(new Set(['due']));
  expect(timetable.report().map(({ ranAt }) => ranAt)).toEqual(Array(3).fill(START.toISOString()));
});

it('a job whose moment cannot be read runs, which the log shows, and only that one', async () => {
  const broken = { everyMs: 20, dueAt: () => Prisma.sql`nowhere.at`, run: nothing };
  const { runs, lines } = start([
    { name: 'broken', ...broken },
    { name: 'good', ...broken, dueAt: () => Prisma.sql`${START}::timestamptz` },
    { name: 'not due', ...broken, dueAt: () => Prisma.sql`NULL` },
  ]);
  await waitFor(() => expect(new Set(runs)).toEqual(new Set(['broken', 'good'])));
  const shown = {
    job: 'broken',
    err: expect.objectContaining({ message: expect.stringContaining('nowhere') }),
  };
  await waitFor(() => expect(lines()).toContainEqual(expect.objectContaining(shown)));
  expect(lines().filter(({ job }) => job !== 'broken')).toEqual([]);
  expect(runs).not.toContain('not due');
});

it('while the database is unavailable, a job whose moment cannot be read has failed, and does not ask again', async () => {
  const refuse = () => Promise.reject(Object.assign(new Error('no connection'), { code: 'ECONNREFUSED' }));
  const db = Object.create(database.db, { $queryRaw: { value: refuse } });
  const dueAt = () => Prisma.sql`NULL`;
  const { timetable, observed, lines, runs } = start([{ name: 'unread', ...HOUR, dueAt, run: nothing }], db);
  await waitFor(() => expect(observed).toContainEqual(['unread', true]));
  expect(timetable.report()).toMatchObject([{ ranAt: null, failedAt: START.toISOString() }]);
  expect(lines()[0]).toMatchObject({ job: 'unread', msg: 'a job of the timetable failed; retrying' });
  expect(runs).toEqual([]);
});

it('the timetable at rest takes one statement for all jobs of a period', async () => {
  const counting = openCountingDatabase(database.url);
  onTestFinished(() => counting.db.$disconnect());
  const resting = TIMETABLE.filter(({ dueAt }) => dueAt).map((job) => ({ ...job, everyMs: 50 }));
  expect(resting.length).toBeGreaterThan(8);
  const { runs, stop } = start(resting, counting.db);
  const total = () => counting.seen('');
  await waitFor(() => expect(total()).toBeGreaterThan(5));
  await stop();
  expect(runs).toEqual([]);
  expect(total()).toBe(counting.seen('FROM (VALUES'));
  // The last of them all, numbered from 0.
  expect(counting.seen(`(${resting.length - 1}, (`)).toBeGreaterThan(0);
});

it('every job of the timetable runs with nothing to do', async () => {
  const { timetable, lines, runs } = start(TIMETABLE.map(({ dueAt: _, ...job }) => job));
  await waitFor(() => expect(timetable.report().filter(({ ranAt }) => ranAt === null)).toEqual([]));
  expect(lines()).toEqual([]);
  expect(new Set(runs).size).toBe(TIMETABLE.length);
});
