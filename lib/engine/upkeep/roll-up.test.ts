import { beforeEach, describe, expect, it } from 'vitest';
import { createManualClock } from '@/lib/core/time/clock';
import {
  addResponseTime,
  EMPTY_HISTOGRAM,
  packHistogram,
  quantile,
  unpackHistogram,
} from '@/lib/domain/monitors/history/read-latency';
import { Prisma } from '@/lib/platform/db/generated/client';
import { useTestDatabase } from '@/lib/testing/database';
import { explain } from '@/lib/testing/explain';
import { holdBeforeCommit } from '@/lib/testing/races';
import { ensureResultPartitions } from './retention';
import { rollUp } from './roll-up';

const MINUTE = 60_000;
const database = useTestDatabase();
const clock = createManualClock(new Date(0));
const services = () => ({ db: database.db, clock });
const at = (time: string) => new Date(`2026-03-10T${time}Z`);

type Check = { at: Date; monitor?: number; region?: number; outcome?: number; ms?: number | null };

async function store(...checks: Check[]): Promise<void> {
  for (const { at, monitor = 1, region = 1, outcome = 0, ms = 20 } of checks) {
    await database.db.$executeRaw`
      INSERT INTO raw.check_result (checked_at, monitor, region, outcome, response_time)
      VALUES (${at}, ${monitor}, ${region}, ${outcome}, ${ms})`;
  }
}

type Rollup = {
  hour: Date;
  monitor: number;
  region: number;
  checks: number;
  failures: number;
  unknown: number;
  sum: number;
  latency: number[];
};

const readRollups = () => database.db.$queryRaw<Rollup[]>`
  SELECT hour, monitor, region, checks, failures, unknown, response_time_sum::int AS sum, latency
    FROM raw.rollup_hour ORDER BY hour, monitor, region`;

const packed = (...times: number[]) => packHistogram(times.reduce(addResponseTime, EMPTY_HISTOGRAM));

/** Every test starts at noon, with everything before rolled up and deleted. */
beforeEach(async () => {
  clock.set(at('12:00:00.000'));
  await database.db.$executeRaw`TRUNCATE raw.check_result, raw.rollup_hour, raw.rollup_progress`;
  await ensureResultPartitions(database.db, clock.now());
  await database.db.$executeRaw`
    INSERT INTO raw.rollup_progress (rolled_until) VALUES (${at('12:00:00.000')})`;
});

describe('rolling up', () => {
  it('counts each monitor and region of a closed hour separately, with response times of good checks', async () => {
    await store(
      { at: at('12:00:00.000'), ms: 20 },
      { at: at('12:30:00.000'), ms: 300 },
      { at: at('12:59:59.999'), outcome: 1, ms: 1 },
      { at: at('12:10:00.000'), outcome: 1, ms: null },
      { at: at('12:11:00.000'), outcome: 2, ms: null },
      { at: at('12:12:00.000'), region: 2, ms: 0 },
      { at: at('12:13:00.000'), monitor: 7, outcome: 1 },
      { at: at('13:00:00.000'), ms: 9 },
    );
    clock.set(at('13:02:00.000'));
    expect(await rollUp(services())).toBe(1);
    const hour = at('12:00:00.000');
    expect(await readRollups()).toEqual([
      { hour, monitor: 1, region: 1, checks: 4, failures: 2, unknown: 1, sum: 320, latency: packed(20, 300) },
      { hour, monitor: 1, region: 2, checks: 1, failures: 0, unknown: 0, sum: 0, latency: packed(0) },
      { hour, monitor: 7, region: 1, checks: 1, failures: 1, unknown: 0, sum: 0, latency: [] },
    ]);
  });

  it('puts each response time into the bucket that the histogram would', async () => {
    const times = Array.from({ length: 400 }, (_, n) => Math.floor(1.029 ** n));
    await store(...times.map((ms, n) => ({ at: new Date(at('12:00:00.000').getTime() + n), ms })));
    clock.set(at('13:02:00.000'));
    await rollUp(services());
    const [row] = await readRollups();
    expect(row?.latency).toEqual(packed(...times));
    expect(quantile(unpackHistogram(row?.latency ?? []), 1)).toBeGreaterThan(50_000);
  });

  it('waits two minutes after the hour for late results', async () => {
    clock.set(at('13:01:59.999'));
    expect(await rollUp(services())).toBe(0);
    clock.advance(1);
    expect(await rollUp(services())).toBe(1);
    expect(await rollUp(services())).toBe(0);
  });

  it('recounts the previous hour, for even later results', async () => {
    await store({ at: at('12:30:00.000') });
    clock.set(at('13:02:00.000'));
    await rollUp(services());
    await store({ at: at('12:59:00.000') });
    clock.set(at('14:02:00.000'));
    await rollUp(services());
    expect(await readRollups()).toMatchObject([{ hour: at('12:00:00.000'), checks: 2 }]);
  });

  it('catches up hour by hour after a long downtime, across months', async () => {
    const start = new Date('2026-03-31T20:00:00.000Z');
    await database.db.$executeRaw`UPDATE raw.rollup_progress SET rolled_until = ${start}`;
    await ensureResultPartitions(database.db, start);
    for (let hour = 0; hour < 60; hour++) {
      await store({ at: new Date(start.getTime() + hour * 60 * MINUTE) });
    }
    clock.set(new Date(start.getTime() + 60 * 60 * MINUTE + 5 * MINUTE));
    expect([await rollUp(services()), await rollUp(services()), await rollUp(services())]).toEqual([
      48, 12, 0,
    ]);
    const rollups = await readRollups();
    expect(rollups).toHaveLength(60);
    expect(rollups.every(({ checks }) => checks === 1)).toBe(true);
  });

  it('starts with the oldest results', async () => {
    await database.db.$executeRaw`TRUNCATE raw.rollup_progress`;
    await store({ at: at('03:30:00.000') });
    await rollUp(services());
    expect(await readRollups()).toMatchObject([{ hour: at('03:00:00.000'), checks: 1 }]);
  });

  it('runs once for several concurrent workers', async () => {
    await store({ at: at('12:30:00.000') }, { at: at('13:30:00.000') });
    clock.set(at('14:02:00.000'));
    const first = await holdBeforeCommit(database.db, (db) => rollUp({ ...services(), db }));
    expect(await rollUp(services()), 'another does not wait').toBe(0);
    expect(await first.release()).toBe(2);
    expect(await rollUp(services())).toBe(0);
    expect(await readRollups()).toMatchObject([{ checks: 1 }, { checks: 1 }]);
  });

  it('reads an hour of results without reading the whole day', async () => {
    const { db } = database;
    const day = at('00:00:00.000');
    await db.$executeRaw`
      INSERT INTO raw.check_result (checked_at, monitor, region, outcome, response_time)
      SELECT ${day}::timestamptz + n * interval '250 milliseconds', n % 200, 1, 0, 20 FROM generate_series(1, 300000) AS n`;
    await db.$executeRawUnsafe('VACUUM ANALYZE raw.check_result');
    const within = (from: Date, to: Date) =>
      explain(
        db,
        // Without index-only columns, as when rolling up; otherwise the planner may scan a whole index.
        Prisma.sql`SELECT sum(response_time) FROM raw.check_result WHERE checked_at >= ${from} AND checked_at < ${to}`,
      );
    const whole = await within(day, at('20:50:00.000'));
    const hour = await within(at('12:00:00.000'), at('13:00:00.000'));
    expect(hour.steps.map(({ type }) => type)).not.toContain('Seq Scan');
    expect(hour.pages).toBeLessThan(whole.pages / 4);
  });
});
