import { describe, expect, it } from 'vitest';
import { deleteMaintenance, endActiveMaintenance } from '@/lib/domain/maintenance/change-maintenance';
import { getMaintenance } from '@/lib/domain/maintenance/read-maintenance';
import { FAILED, OK, START } from '@/lib/engine/testing/story';
import { useTestDatabase } from '@/lib/testing/database';
import { openCountingDatabase } from '@/lib/testing/statements';
import { ensureResultPartitions } from './retention';
import { nextWindowChangeAt, runMaintenanceWindows } from './run-maintenance-windows';
import { beginWindowStory, DOWN_EVENTS, inMinutes } from './testing/window-story';

const MINUTE = 60_000;
const database = useTestDatabase();

describe('a window', () => {
  it('that has already started takes effect at the next poll', async () => {
    const story = await beginWindowStory(database.db);
    await story.at(30);
    const id = await story.plan(-60, 60);
    expect(await getMaintenance(story.ctx, id)).toMatchObject({ status: 'active' });
    await story.run();
    await story.check(FAILED);
    expect(await story.events()).toEqual([]);
  });

  it('overlapped by others keeps its monitors in maintenance until the last one ends', async () => {
    const story = await beginWindowStory(database.db);
    await story.plan(10, 30);
    await story.plan(20, 40);
    // Directly after the other, without a gap.
    await story.plan(40, 60);
    for (const minute of [10, 20, 30, 40]) await story.at(minute, minute === 30 ? FAILED : null);
    await story.at(59, FAILED);
    expect(await story.events()).toEqual([]);
    await story.at(60);
    expect(await story.events()).toEqual(DOWN_EVENTS);
    expect(await story.ledger()).toEqual([
      ['operational', 0],
      ['maintenance', 10],
      ['down', 60],
    ]);
  });

  it('that repeats starts and ends once each time, regardless of the number of workers', async () => {
    const story = await beginWindowStory(database.db);
    const id = await story.plan(10, 20, { rrule: 'FREQ=HOURLY;COUNT=3' });
    for (const minute of [10, 20, 70, 80, 130, 140]) {
      await story.at(minute - 1, OK);
      story.clock.advance(MINUTE);
      await Promise.all([1, 2, 3, 4].map(() => story.run()));
    }
    const ledger = await story.ledger();
    expect(ledger.filter(([state]) => state === 'maintenance').map(([, from]) => from)).toEqual([
      10, 70, 130,
    ]);
    for (const end of [20, 80, 140]) expect(ledger).toContainEqual(['operational', end]);
    expect(await getMaintenance(story.ctx, id)).toMatchObject({ status: 'finished', occurrence: null });
    const past = await database.db.maintenanceOccurrence.findMany({ where: { windowId: id } });
    expect(past.map(({ endedAt }) => endedAt?.toISOString())).toEqual([20, 80, 140].map(inMinutes));
  });

  it('that was missed continues with the current occurrence', async () => {
    const story = await beginWindowStory(database.db);
    const id = await story.plan(10, 20, { rrule: 'FREQ=HOURLY' });
    await story.at(24 * 60 + 15);
    expect(await story.monitor()).toMatchObject({ maintenance: true });
    const { status, occurrence } = await getMaintenance(story.ctx, id);
    expect([status, occurrence?.startsAt]).toEqual(['active', inMinutes(24 * 60 + 10)]);
  });

  it('of a whole day that repeats daily has no gap on a day of 23 hours', async () => {
    const story = await beginWindowStory(database.db);
    // Midnight in Berlin before the clocks go forward; the next day starts an hour before this one ends.
    const startsAt = '2026-03-28T23:00:00.000Z';
    const fields = { startsAt, endsAt: '2026-03-29T23:00:00.000Z', rrule: 'FREQ=DAILY' };
    await story.plan(0, 0, { ...fields, timeZone: 'Europe/Berlin' });
    // More that end just before than are advanced together.
    const before = { startsAt: '2026-03-29T22:30:00Z', endsAt: '2026-03-29T22:59:59Z' };
    const { id: other } = await story.addMonitor();
    for (let index = 0; index < 21; index++) await story.plan(0, 0, { ...before, monitors: [other] });
    const minutes = (at: string) => (Date.parse(at) - START.getTime()) / MINUTE;
    await ensureResultPartitions(database.db, new Date(startsAt));
    await story.at(minutes(startsAt));
    await story.check(FAILED);
    for (const at of ['2026-03-29T22:00:00Z', '2026-03-29T23:00:00Z', '2026-03-29T23:00:01Z']) {
      await story.at(minutes(at));
    }
    expect(await story.events()).toEqual([]);
    expect((await story.ledger()).at(-1)).toEqual(['maintenance', minutes(startsAt)]);
  });

  it('deleted while active ends immediately', async () => {
    const story = await beginWindowStory(database.db);
    const id = await story.plan(10, 600);
    await story.at(10);
    await story.at(20, FAILED);
    await deleteMaintenance(story.ctx, id);
    await story.run();
    expect(await story.events()).toEqual(DOWN_EVENTS);
    expect(await story.monitor()).toMatchObject({ maintenance: false });
  });

  it('ended manually ends immediately, and recurs if it repeats', async () => {
    const story = await beginWindowStory(database.db);
    const once = await story.plan(10, 600);
    await story.at(10);
    await story.at(20);
    const ended = await endActiveMaintenance(story.ctx, once);
    expect(ended).toMatchObject({ status: 'finished', occurrence: null, endsAt: inMinutes(20) });
    await expect(endActiveMaintenance(story.ctx, once)).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
    await story.run();
    expect(await story.monitor()).toMatchObject({ maintenance: false });

    const daily = await story.plan(20, 40, { rrule: 'FREQ=DAILY' });
    await story.at(25);
    const next = await endActiveMaintenance(story.ctx, daily);
    expect(next).toMatchObject({ status: 'scheduled', endsAt: inMinutes(40) });
    expect(next.occurrence?.startsAt).toBe(inMinutes(24 * 60 + 20));
    await story.run();
    expect(await story.monitor()).toMatchObject({ maintenance: false });
    const past = await database.db.maintenanceOccurrence.findFirst({
      where: { windowId: daily, endedAt: { not: null } },
    });
    expect(past?.endsAt.toISOString()).toBe(inMinutes(25));
  });

  it('follows changes of its times and monitors while active', async () => {
    const story = await beginWindowStory(database.db);
    const { id: other } = await story.addMonitor({ name: 'Mail' });
    const id = await story.plan(10, 20);
    await story.at(10);
    // Longer: not a moment is outside.
    await story.change(id, { endsAt: inMinutes(60) });
    await story.at(20, FAILED);
    expect(await story.events()).toEqual([]);
    // One out, another in.
    await story.change(id, { monitors: [other] });
    await story.at(30, FAILED);
    expect(await story.events()).toEqual(DOWN_EVENTS);
    expect((await story.ledger(other)).at(-1)).toEqual(['maintenance', 30]);
    // Over.
    await story.change(id, { endsAt: inMinutes(35) });
    await story.at(36);
    expect((await story.ledger(other)).at(-1)?.[0]).not.toBe('maintenance');
    // And once more, later.
    await story.change(id, { startsAt: inMinutes(40), endsAt: inMinutes(50) });
    await story.at(40);
    expect((await story.ledger(other)).at(-1)).toEqual(['maintenance', 40]);
  });
});

describe('a worker that crashes', () => {
  it('while starting a window leaves nothing half done, and the next poll completes it', async () => {
    const story = await beginWindowStory(database.db);
    const { id: other } = await story.addMonitor({ name: 'Mail' });
    await story.plan(10, 20, { monitors: [story.id, other] });
    await database.db.$executeRawUnsafe(`
      CREATE FUNCTION die() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'gone'; END $$`);
    await database.db.$executeRawUnsafe(`
      CREATE TRIGGER die BEFORE INSERT ON status_period FOR EACH ROW
      WHEN (NEW.monitor_id = '${other}') EXECUTE FUNCTION die()`);
    await expect(story.at(10)).rejects.toThrow('gone');
    expect(await story.monitor()).toMatchObject({ maintenance: false });
    await database.db.$executeRawUnsafe('DROP TRIGGER die ON status_period');
    await database.db.$executeRawUnsafe('DROP FUNCTION die');
    await story.at(11);
    expect(await story.monitor()).toMatchObject({ maintenance: true });
    await story.at(20, OK);
    expect(await story.ledger()).toEqual([
      ['operational', 0],
      ['maintenance', 11],
      ['operational', 20],
    ]);
  });

  it('a worker does not wait for another one holding the lock', async () => {
    const story = await beginWindowStory(database.db);
    await story.plan(10, 20);
    story.clock.set(new Date(START.getTime() + 10 * MINUTE));
    await database.db.$transaction(async (tx) => {
      await tx.$queryRaw`SELECT 1 AS one FROM pg_advisory_xact_lock(7411206)`;
      await story.run();
      expect(await story.monitor()).toMatchObject({ maintenance: false });
    });
    await story.run();
    expect(await story.monitor()).toMatchObject({ maintenance: true });
  });
});

it('many monitors enter and leave in as many statements as one, and an idle poll costs one', async () => {
  const story = await beginWindowStory(database.db);
  // Windows of other tests: notifications at their end are counted too.
  await database.db.maintenanceWindow.deleteMany();
  await story.run();
  const counting = openCountingDatabase(database.url);
  const run = () => runMaintenanceWindows({ ...story.services, db: counting.db });
  const monitors: string[] = [];
  for (let index = 0; index < 15; index++) monitors.push((await story.addMonitor()).id);
  const count = async (minutes: number) => {
    story.clock.set(new Date(START.getTime() + minutes * MINUTE));
    return counting.count(run);
  };
  try {
    await story.plan(10, 20, { monitors: monitors.slice(0, 1) });
    await story.plan(30, 40, { monitors });
    const forOne = [await count(10), await count(20)];
    expect([await count(30), await count(40)]).toEqual(forOne);
    expect(await count(50)).toBe(1);
  } finally {
    await counting.db.$disconnect();
  }
});

describe('with windows of one organization only', () => {
  const own = useTestDatabase();

  it('the drain is woken when a window starts, and when one ends', async () => {
    const story = await beginWindowStory(own.db);
    expect(await nextWindowChangeAt(story.services)).toBeNull();
    await story.plan(10, 30);
    await story.plan(20, 40);
    for (const [minute, next] of [
      [0, 10],
      [10, 20],
      [20, 30],
      [30, 40],
    ] as const) {
      await story.at(minute);
      expect((await nextWindowChangeAt(story.services))?.toISOString()).toBe(inMinutes(next));
    }
    await story.at(40);
    expect(await nextWindowChangeAt(story.services)).toBeNull();
  });
});
