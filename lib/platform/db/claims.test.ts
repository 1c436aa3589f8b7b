import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createManualClock } from '@/lib/core/time/clock';
import { useTestDatabase } from '@/lib/testing/database';
import {
  type ClaimedWork,
  claimWork,
  doOwnedWork,
  doTimedWork,
  endOfFailure,
  extendClaims,
  freeClaimsOf,
  giveBackClaims,
  type LeasedWork,
  nextClaimAt,
  settleClaims,
  type TimedWork,
} from './claims';
import type { Database } from './client';
import { joinTransaction } from './client';
import { Prisma } from './generated/client';
import { readMoment } from './moments';

const START = new Date('2026-03-10T12:00:00.000Z');
const at = (seconds: number) => new Date(START.getTime() + seconds * 1000);
const database = useTestDatabase();
const clock = createManualClock(START);
let db: Database;

beforeAll(async () => {
  db = database.db;
  await db.$executeRaw`
    CREATE TABLE errand (id TEXT PRIMARY KEY, place TEXT NOT NULL, next_attempt_at TIMESTAMPTZ(3), attempts INTEGER NOT NULL DEFAULT 0,
           failures INTEGER NOT NULL DEFAULT 0, claimed_by TEXT, lease_until TIMESTAMPTZ(3), claimed_at TIMESTAMPTZ(3),
           done_at TIMESTAMPTZ(3), error TEXT)`;
});
beforeEach(async () => {
  clock.set(START);
  await db.$executeRaw`TRUNCATE errand`;
});

/** Adds errands, each due a second after the one before. */
async function add(...errands: [id: string, place: string][]): Promise<void> {
  for (const [n, [id, place]] of errands.entries()) {
    await db.$executeRaw`
      INSERT INTO errand (id, place, next_attempt_at) VALUES (${id}, ${place}, ${at(n - errands.length + 1)})`;
  }
}

type Errand = { id: string; attempt: number; failures: number };
type Stored = {
  attempts: number;
  failures: number;
  claimed_by: string | null;
  done_at: Date | null;
  error: string | null;
};

const read = async (id: string) => (await db.$queryRaw<Stored[]>`SELECT * FROM errand WHERE id = ${id}`)[0];

const ERRANDS: LeasedWork<Errand, { doneAt: Date | null; error: string | null }> = {
  table: 'errand',
  order: 'next_attempt_at',
  hold: { by: 'lease', seconds: 30 },
  columns: { id: 'id', attempt: 'attempts', failures: 'failures' },
  retryAt: (failures, failedAt) => (failures > 2 ? null : new Date(failedAt.getTime() + failures * 60_000)),
  over: {
    columns: { doneAt: 'timestamptz', error: 'text' },
    set: 'done_at = "doneAt", error = ended.error',
    isDone: 'own.done_at IS NOT NULL',
  },
};

async function claim(
  limit: number,
  { from = db, workerId = 'wrk_a', work = ERRANDS as ClaimedWork<Errand> } = {},
) {
  const claimed = await claimWork(from, work, { limit, now: clock.now(), workerId, scope: undefined });
  return claimed.toSorted((a, b) => a.id.localeCompare(b.id));
}
const idsOf = (errands: { id: string }[]) => errands.map(({ id }) => id);

describe('leased work', () => {
  it('is claimed by urgency, each row once, without waiting for others who claim', async () => {
    await add(['a', 'x'], ['b', 'x'], ['c', 'x'], ['d', 'x']);
    const [mine, theirs] = await db.$transaction(async (tx) => {
      const first = await claim(2, { from: joinTransaction(tx) });
      return [first, await claim(9)];
    });
    expect([idsOf(mine), idsOf(theirs)]).toEqual([
      ['a', 'b'],
      ['c', 'd'],
    ]);
    expect(await claim(9)).toEqual([]);
    expect(await readMoment(db, nextClaimAt(ERRANDS, clock.now()))).toBeNull();
  });

  it('is due again when its lease ends, unless the lease is extended', async () => {
    await add(['a', 'x'], ['b', 'x']);
    await claim(2);
    clock.set(at(20));
    expect(await extendClaims(db, ERRANDS, { workerId: 'wrk_a', ids: ['a'] }, clock.now())).toBe(1);
    clock.set(at(31));
    expect(await claim(9, { workerId: 'wrk_b' })).toEqual([{ id: 'b', attempt: 2, failures: 0 }]);
    expect(
      await extendClaims(db, ERRANDS, { workerId: 'wrk_a', ids: ['b'] }, clock.now()),
      'of another',
    ).toBe(0);
    clock.set(at(51));
    expect(await extendClaims(db, ERRANDS, { workerId: 'wrk_a', ids: ['a'] }, clock.now()), 'too late').toBe(
      0,
    );
    expect(idsOf(await claim(9))).toEqual(['a']);
  });

  it('that is given back was not attempted; that of a crashed worker was, and both are due at once', async () => {
    await add(['a', 'x'], ['b', 'x'], ['c', 'x']);
    await claim(1);
    await giveBackClaims(db, ERRANDS, { workerId: 'wrk_a', ids: ['a', 'b'] });
    expect(await read('a')).toMatchObject({ attempts: 0, claimed_by: null });
    await claim(3);
    await giveBackClaims(db, ERRANDS, { workerId: 'wrk_a', takenAt: [at(0)] });
    expect(await claim(3, { workerId: 'wrk_b' })).toMatchObject([
      { attempt: 1 },
      { attempt: 1 },
      { attempt: 1 },
    ]);
    await giveBackClaims(db, ERRANDS, { workerId: 'wrk_a', takenAt: [at(0)] });
    expect(await claim(3), 'those of another stay').toEqual([]);
    await freeClaimsOf(db, ERRANDS, ['wrk_b']);
    expect(await claim(3)).toMatchObject([{ attempt: 2 }, { attempt: 2 }, { attempt: 2 }]);
  });

  it('is settled in one statement: done, failed for good, or to be retried on its schedule', async () => {
    await add(['a', 'x'], ['b', 'x'], ['c', 'x']);
    await claim(3);
    const settled = [
      { id: 'a', attempt: 1, end: { end: 'done' as const }, doneAt: at(1), error: null },
      {
        id: 'b',
        attempt: 1,
        end: endOfFailure(ERRANDS, { failures: 2 }, at(1)),
        doneAt: null,
        error: 'closed',
      },
      {
        id: 'c',
        attempt: 1,
        end: endOfFailure(ERRANDS, { failures: 0 }, at(1)),
        doneAt: null,
        error: 'busy',
      },
    ];
    expect((await settleClaims(db, ERRANDS, settled)).toSorted()).toEqual(['a', 'b', 'c']);
    expect(await read('a')).toMatchObject({
      done_at: at(1),
      next_attempt_at: null,
      failures: 0,
      claimed_by: null,
    });
    expect(await read('b')).toMatchObject({ next_attempt_at: null, failures: 3, error: 'closed' });
    expect(await read('c')).toMatchObject({
      next_attempt_at: at(61),
      failures: 1,
      error: 'busy',
      lease_until: null,
    });
    expect(await readMoment(db, nextClaimAt(ERRANDS, at(2)))).toEqual(at(61));
  });

  it('counts when it is done late, but not when it failed after another worker took over', async () => {
    await add(['a', 'x']);
    await claim(1);
    clock.set(at(31));
    await claim(1, { workerId: 'wrk_b' });
    const late = { id: 'a', attempt: 1, doneAt: null, error: 'late' };
    expect(
      await settleClaims(db, ERRANDS, [{ ...late, end: endOfFailure(ERRANDS, { failures: 0 }, at(31)) }]),
    ).toEqual([]);
    expect(await read('a')).toMatchObject({ claimed_by: 'wrk_b', failures: 0 });
    const done = { id: 'a', attempt: 1, doneAt: at(32), error: null, end: { end: 'done' as const } };
    expect(await settleClaims(db, ERRANDS, [done])).toEqual(['a']);
    const failed = { ...late, attempt: 2, end: { end: 'failed' as const, failures: 1 } };
    expect(await settleClaims(db, ERRANDS, [failed]), 'it was done').toEqual([]);
  });

  it('that is over is deleted if nothing of it is kept', async () => {
    await add(['a', 'x'], ['b', 'x'], ['c', 'x']);
    const work = { ...ERRANDS, over: 'deleted' } satisfies LeasedWork<Errand>;
    await claim(3);
    const settled = [
      { id: 'a', attempt: 1, end: { end: 'done' as const } },
      { id: 'b', attempt: 1, end: { end: 'failed' as const, failures: 3 } },
      { id: 'c', attempt: 1, end: endOfFailure(work, { failures: 1 }, at(0)) },
    ];
    await settleClaims<Errand, Record<never, never>>(db, work, settled);
    expect([await read('a'), await read('b'), await read('c')]).toMatchObject([
      undefined,
      undefined,
      { failures: 2 },
    ]);
  });

  it('is claimed for a key up to its limit, which counts what is running', async () => {
    await add(['a1', 'a'], ['a2', 'a'], ['a3', 'a'], ['b1', 'b']);
    const candidates = (now: Date) => Prisma.sql`
      SELECT id, place AS limit_key, next_attempt_at FROM errand
       WHERE next_attempt_at <= ${now} AND (lease_until IS NULL OR lease_until < ${now})`;
    const running = (now: Date) => Prisma.sql`
      SELECT place AS limit_key, count(*) AS running FROM errand WHERE lease_until >= ${now} GROUP BY 1`;
    const work: ClaimedWork<Errand> = { ...ERRANDS, limit: { candidates, running, max: 2 } };
    expect(idsOf(await claim(9, { work }))).toEqual(['a1', 'a2', 'b1']);
    expect(await claim(9, { work })).toEqual([]);
    await giveBackClaims(db, ERRANDS, { workerId: 'wrk_a', ids: ['a1'] });
    expect(idsOf(await claim(9, { work }))).toEqual(['a1']);
  });
});

describe('work that somebody waits for', () => {
  it('is claimed once, for good, within the scope of a worker', async () => {
    await add(['a', 'x'], ['b', 'y']);
    const work: ClaimedWork<{ id: string }, string[]> = {
      table: 'errand',
      where: (_, places) => Prisma.sql`place = ANY(${places})`,
      order: 'next_attempt_at',
      hold: { by: 'mark' },
      columns: { id: 'id' },
    };
    const claimIn = (places: string[]) => claimWork(db, work, { limit: 9, now: clock.now(), scope: places });
    expect([await claimIn(['y']), await claimIn(['x', 'y']), await claimIn(['x', 'y'])]).toEqual([
      [{ id: 'b' }],
      [{ id: 'a' }],
      [],
    ]);
  });
});

describe('work that is looked for by time alone', () => {
  const acted: string[][] = [];
  const timed: TimedWork<{ id: string; place: string }, { db: Database; clock: typeof clock }> = {
    table: 'errand',
    order: 'next_attempt_at',
    hold: { by: 'postponing', column: 'next_attempt_at', ms: 60_000 },
    columns: { id: 'own.id', place: 'own.place' },
    batch: 2,
    act: async (services, errands) => {
      acted.push(idsOf([...errands]).toSorted());
      if (errands.some(({ id }) => id === 'bad')) throw new Error('closed');
      for (const { id } of errands) await services.db.$executeRaw`DELETE FROM errand WHERE id = ${id}`;
    },
    failure: ({ id }) => `could not run the errand ${id}`,
  };
  const run = (work = timed) => doTimedWork({ db, clock }, work);
  beforeEach(() => void acted.splice(0));

  it('is done in batches; one that fails delays no other and is due again', async () => {
    await add(['bad', 'x'], ['b', 'x'], ['c', 'x']);
    await expect(run()).rejects.toThrow('could not run the errand bad');
    expect(acted).toEqual([['bad'], ['b']]);
    expect([await run(), await run()]).toEqual([1, 0]);
    clock.set(at(60));
    await expect(run()).rejects.toThrow('could not run the errand bad');
  });

  it('is done together for rows that share a key, claim after claim', async () => {
    await add(['x1', 'x'], ['y1', 'y'], ['x2', 'x'], ['z1', 'z']);
    const together = { ...timed, together: 'place', batch: 1, repeats: { max: 2, forMs: 60_000 } };
    expect(await run(together)).toBe(2);
    expect(acted).toEqual([['x1', 'x2'], ['y1']]);
    expect(await run(together)).toBe(1);
  });
});

describe('work of an owner', () => {
  it('is left to the worker that holds the owner, and one that fails delays no other', async () => {
    await add(['held', 'x'], ['bad', 'x'], ['good', 'x']);
    const done: string[] = [];
    const failed: string[] = [];
    await db.$transaction(async (tx) => {
      await tx.$queryRaw`SELECT FROM errand WHERE id = 'held' FOR NO KEY UPDATE`;
      await doOwnedWork<{ place: string }>(db, {
        owners: 'errand',
        columns: Prisma.sql`place`,
        due: Prisma.sql`SELECT id FROM errand ORDER BY next_attempt_at`,
        act: async (own, { id, place }) => {
          await own.$executeRaw`UPDATE errand SET error = 'tried' WHERE id = ${id}`;
          if (id === 'bad') throw new Error('closed');
          done.push(`${id} ${place}`);
        },
        onError: (id) => void failed.push(id),
      });
    });
    expect([done, failed]).toEqual([['good x'], ['bad']]);
    expect(await read('bad')).toMatchObject({ error: null });
  });
});
