import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { createManualClock } from '@/lib/core/time/clock';
import type { Database } from '@/lib/platform/db/client';
import { listSlots, SHARDS, SLOTS, shardOf } from '@/lib/state/schedule-grid';
import { useTestDatabase } from '@/lib/testing/database';
import { holdBeforeCommit } from '@/lib/testing/races';
import { createTestServices } from '@/lib/testing/services';
import { openCountingDatabase } from '@/lib/testing/statements';
import { waitFor } from '@/lib/testing/wait-for';
import {
  createBeats,
  createShards,
  forgetRunner,
  pruneRegion,
  registerRunner,
  releaseShards,
  takeFree,
} from './leases';
import { type Beat, LEASE_MS } from './shard-store';

const database = useTestDatabase();
const START = new Date('2026-03-01T12:00:00.000Z');
const REGION = 'us-east';
const ALL = Array.from({ length: SHARDS }, (_, shard) => shard);
/** No server process has this ID. */
const NO_BACKEND = 2_000_000_000;

beforeEach(async () => {
  for (const table of ['shard_lease', 'check_runner', 'schedule_change'])
    await database.db.$executeRawUnsafe(`DELETE FROM raw.${table}`);
});

/** A region with shards, and its workers. */
async function begin() {
  const { db } = database;
  const clock = createManualClock(START);
  const services = createTestServices({ db, clock });
  await createShards(services, REGION);
  const worker = (workerId: string, region = REGION) => {
    const runner = { region, workerId };
    const beats = createBeats(services, workerId);
    let snapshot: string | null = null;
    /** What it sees; it knows that from then on. Null: it was forgotten. */
    const beatIfKnown = async () => {
      snapshot ??= await registerRunner(services, runner, clock.now());
      const seen = await beats({ region, snapshot, dueSince: null, judgedAgoMs: 0 });
      snapshot = seen?.snapshot ?? snapshot;
      return seen;
    };
    return {
      beatIfKnown,
      beat: async () => {
        const seen = await beatIfKnown();
        if (!seen) throw new Error('it was forgotten');
        return seen;
      },
      take: async (limit = SHARDS, by: Database = db) => {
        const leases = await takeFree({ ...services, db: by }, runner, { limit, now: clock.now() });
        return leases.map(({ shard }) => shard).sort((a, b) => a - b);
      },
      release: (shards: number[]) => releaseShards(services, runner, { shards, now: clock.now() }),
      forget: () => forgetRunner(services, runner),
    };
  };
  return { db, clock, services, worker };
}

const noteChange = (monitorId: string, db: Database = database.db, region = REGION) =>
  db.$executeRaw`INSERT INTO raw.schedule_change (region, monitor_id) VALUES (${region}, ${monitorId})`;

const changesLeft = async () =>
  (
    await database.db.$queryRaw<{ monitor_id: string }[]>`
      SELECT monitor_id FROM raw.schedule_change ORDER BY monitor_id`
  ).map((row) => row.monitor_id);

it('shards are ranges of slots without gap or overlap', () => {
  const slots = ALL.flatMap((shard) => listSlots(shard).map((slot) => ({ slot, shard })));
  expect(slots.map(({ slot }) => slot)).toEqual(Array.from({ length: SLOTS }, (_, slot) => slot));
  expect(slots.every(({ slot, shard }) => shardOf(slot) === shard)).toBe(true);
});

describe('taking free shards', () => {
  it('gives each to only one of concurrent workers, which do not wait for each other', async () => {
    const { db, worker } = await begin();
    const workers = ['wrk_one', 'wrk_two', 'wrk_three'].map((id) => worker(id));
    for (const one of workers) await one.beat();
    const [first, second, third] = workers;
    const held = [
      await holdBeforeCommit(db, async (by) => first?.take(6, by)),
      await holdBeforeCommit(db, async (by) => second?.take(6, by)),
    ];
    const taken = [await third?.take(), ...(await Promise.all(held.map((one) => one.release())))];
    expect(taken.map((shards) => shards?.length)).toEqual([4, 6, 6]);
    expect(taken.flat().sort((a, b) => (a ?? 0) - (b ?? 0))).toEqual(ALL);
    expect((await third?.beat())?.own.map(({ shard }) => shard).toSorted((a, b) => a - b)).toEqual(taken[0]);
  });

  it('leaves those alone that have a living owner, and other regions', async () => {
    const { services, worker } = await begin();
    await createShards(services, 'eu-west');
    const [owner, other, elsewhere] = [worker('wrk_one'), worker('wrk_two'), worker('wrk_three', 'eu-west')];
    await owner.beat();
    expect(await owner.take()).toEqual(ALL);
    expect(await other.beat()).toMatchObject({ free: 0, runners: 2, own: [] });
    expect(await other.take()).toEqual([]);
    expect(await elsewhere.beat()).toMatchObject({ free: SHARDS, runners: 1 });
  });

  it('begins an epoch, in which the shard was never owned before', async () => {
    const { worker } = await begin();
    const one = worker('wrk_one');
    const epochs: number[] = [];
    for (let round = 0; round < 3; round++) {
      await one.beat();
      await one.take();
      const { own } = await one.beat();
      epochs.push(own.find(({ shard }) => shard === 3)?.epoch ?? 0);
      await one.release(ALL);
    }
    expect(epochs).toEqual([...new Set(epochs)].sort((a, b) => a - b));
  });

  it('gets those at once that their owner gave back, and not those that it kept', async () => {
    const { worker } = await begin();
    const [one, two] = [worker('wrk_one'), worker('wrk_two')];
    for (const each of [one, two]) await each.beat();
    await one.take();
    await one.release([2, 5]);
    expect(await two.take()).toEqual([2, 5]);
    await one.release([2, 3]);
    expect(await two.take(), 'it gives back only its own').toEqual([3]);
    await one.forget();
    expect(await two.take(), 'it stopped').toHaveLength(SHARDS - 3);
  });
});

describe('a worker', () => {
  it('keeps its shards for ten seconds after it was last seen, and not longer', async () => {
    const { clock, worker } = await begin();
    const [dead, other] = [worker('wrk_dead'), worker('wrk_other')];
    await dead.beat();
    await dead.take();
    clock.advance(LEASE_MS - 1);
    expect(await other.beat()).toMatchObject({ free: 0, runners: 2 });
    expect(await other.take()).toEqual([]);
    clock.advance(1);
    expect(await other.beat()).toMatchObject({ free: SHARDS, runners: 1 });
    expect(await other.take()).toEqual(ALL);
    expect(await dead.beat(), 'when it comes back').toMatchObject({ own: [], free: 0, runners: 2 });
  });

  it('whose connection is closed loses its shards after one and a half seconds', async () => {
    const { clock, db, worker } = await begin();
    const [dead, other] = [worker('wrk_dead'), worker('wrk_other')];
    await dead.beat();
    await dead.take();
    await db.$executeRaw`UPDATE raw.check_runner SET backend = ${NO_BACKEND}::int`;
    clock.advance(1499);
    expect(await other.beat()).toMatchObject({ free: 0, runners: 2 });
    clock.advance(1);
    expect(await other.beat()).toMatchObject({ free: SHARDS, runners: 1 });
    expect(await other.take()).toEqual(ALL);
  });

  it('learns of each change since it last asked, whenever the change was committed', async () => {
    const { db, worker } = await begin();
    const one = worker('wrk_one');
    await one.beat();
    const late = await holdBeforeCommit(db, (by) => noteChange('mon_late', by));
    await noteChange('mon_early');
    await noteChange('mon_elsewhere', db, 'eu-west');
    expect((await one.beat()).changed).toEqual(['mon_early']);
    await noteChange('mon_next');
    await late.release();
    expect((await one.beat()).changed.toSorted()).toEqual(['mon_late', 'mon_next']);
    expect((await one.beat()).changed).toEqual([]);
  });
});

describe('pruning a region', () => {
  /** Deletes nothing that was committed after a transaction which any test of this server has open, so it is repeated. */
  const pruneUntil = (act: () => Promise<unknown>, left: string[]) =>
    waitFor(
      async () => {
        await act();
        expect(await changesLeft()).toEqual(left);
      },
      { interval: 200 },
    );

  it('deletes the changes that all living workers know, and no others', async () => {
    const { clock, services, worker } = await begin();
    const [one, two] = [worker('wrk_one'), worker('wrk_two')];
    const prune = () => pruneRegion(services, REGION, clock.now());
    for (const each of [one, two]) await each.beat();
    await noteChange('mon_first');
    for (let n = 0; n < 3; n++) await one.beat();
    await prune();
    expect(await changesLeft(), 'the other does not know it').toEqual(['mon_first']);
    expect((await two.beat()).changed).toEqual(['mon_first']);
    await prune();
    expect(await changesLeft(), 'it may have failed to follow it').toEqual(['mon_first']);
    await pruneUntil(async () => {
      for (const each of [one, two]) await each.beat();
      await prune();
    }, []);
    await noteChange('mon_second');
    await prune();
    expect(await changesLeft()).toEqual(['mon_second']);
  });

  it('keeps a change that is committed late until the worker knows it', async () => {
    const { clock, services, worker, db } = await begin();
    const one = worker('wrk_one');
    const late = await holdBeforeCommit(db, (by) => noteChange('mon_late', by));
    for (let n = 0; n < 3; n++) await one.beat();
    await pruneRegion(services, REGION, clock.now());
    await late.release();
    await pruneRegion(services, REGION, clock.now());
    expect((await one.beat()).changed).toEqual(['mon_late']);
  });

  it('deletes dead workers, which then keep no changes, and learn that they were forgotten', async () => {
    const { clock, services, worker, db } = await begin();
    const [dead, living] = [worker('wrk_dead'), worker('wrk_living')];
    await dead.beat();
    clock.advance(LEASE_MS);
    await noteChange('mon_missed');
    await pruneUntil(async () => {
      await living.beat();
      await pruneRegion(services, REGION, clock.now());
    }, []);
    const rows = await db.$queryRaw`SELECT worker_id FROM raw.check_runner`;
    expect(rows).toEqual([{ worker_id: 'wrk_living' }]);
    expect(await dead.beatIfKnown()).toBeNull();
  });
});

it('the regions of a worker report by one statement, each with its own snapshot, and one may be forgotten', async () => {
  const counting = openCountingDatabase(database.url);
  onTestFinished(() => counting.db.$disconnect());
  const services = createTestServices({ db: counting.db, clock: createManualClock(START) });
  const beats = createBeats(services, 'wrk_1');
  const known = ['us-east', 'eu-west'];
  const snapshots = new Map<string, string>();
  for (const region of known) {
    await createShards(services, region);
    snapshots.set(region, await registerRunner(services, { region, workerId: 'wrk_1' }, START));
    await noteChange(`mon_${region}`, counting.db, region);
  }
  await takeFree(services, { region: 'eu-west', workerId: 'wrk_1' }, { limit: 2, now: START });
  let seen: (Beat | null)[] = [];
  const statements = await counting.count(async () => {
    const report = (region: string) =>
      beats({ region, snapshot: snapshots.get(region) ?? '1:1:', dueSince: null, judgedAgoMs: 0 });
    seen = await Promise.all([...known, 'ap-southeast'].map(report));
  });
  expect(statements).toBe(1);
  expect(seen).toMatchObject([
    { changed: ['mon_us-east'], own: [], free: SHARDS, runners: 1, seenAt: START.getTime() },
    { changed: ['mon_eu-west'], own: [{ epoch: 1 }, { epoch: 1 }], free: SHARDS - 2, runners: 1 },
    null,
  ]);
});
