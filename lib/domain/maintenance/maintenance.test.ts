import { describe, expect, it } from 'vitest';
import { createManualClock } from '@/lib/core/time/clock';
import { createMonitor } from '@/lib/domain/monitors/create-monitor';
import {
  createMaintenanceSchema,
  maintenanceQuerySchema,
  updateMaintenanceSchema,
} from '@/lib/schemas/maintenance';
import { createMonitorSchema } from '@/lib/schemas/monitor';
import { parseInput } from '@/lib/schemas/validation';
import { useSharedDatabase } from '@/lib/testing/database';
import { createTestOrganization, createTestServices } from '@/lib/testing/services';
import { openCountingDatabase } from '@/lib/testing/statements';
import { deleteMaintenance, endActiveMaintenance, updateMaintenance } from './change-maintenance';
import { createMaintenance } from './create-maintenance';
import { rollOccurrences } from './open-occurrence';
import { getMaintenance, listMaintenance } from './read-maintenance';

const START = new Date('2026-03-01T12:00:00.000Z');
const HOUR = 3_600_000;
const database = useSharedDatabase();
const at = (hours: number) => new Date(START.getTime() + hours * HOUR).toISOString();

async function begin() {
  const clock = createManualClock(START);
  const { ctx } = await createTestOrganization(createTestServices({ db: database.db, clock }));
  const addMonitor = async () => {
    const input = createMonitorSchema.parse({ name: 'Shop', url: 'http://shop.test/' });
    return (await createMonitor(ctx, input)).id;
  };
  const monitor = await addMonitor();
  const usual = { title: 'Upgrade', monitors: [monitor], startsAt: at(1), endsAt: at(3) };
  return {
    clock,
    ctx,
    monitor,
    addMonitor,
    plan: (fields: object = {}) =>
      createMaintenance(ctx, parseInput(createMaintenanceSchema, { ...usual, ...fields })),
    change: (id: string, body: object) =>
      updateMaintenance(ctx, id, parseInput(updateMaintenanceSchema, body)),
    list: async (query: object = {}) =>
      (await listMaintenance(ctx, maintenanceQuerySchema.parse(query))).items.map(({ id }) => id),
    roll: () => database.db.$transaction((tx) => rollOccurrences(tx, ctx, clock.now())),
  };
}

describe('a maintenance window', () => {
  it('keeps its translations until a change replaces them', async () => {
    const story = await begin();
    const translations = { de: { title: 'Neue Platten' }, fr: { message: '' } };
    const { id, ...created } = await story.plan({ translations });
    expect(created.translations).toEqual({ de: translations.de });
    expect(await story.change(id, { title: 'New disks' })).toMatchObject({
      translations: { de: translations.de },
    });
    const changed = await story.change(id, { translations: { es: { message: 'Discos nuevos.' } } });
    expect(changed).toMatchObject({ translations: { es: { message: 'Discos nuevos.' } }, version: 3 });
    expect((await story.change(id, { translations: null })).translations).toEqual({});
  });

  it('is created as requested, with defaults and its first occurrence', async () => {
    const story = await begin();
    const second = await story.addMonitor();
    const created = await story.plan({ monitors: [second, story.monitor] });
    expect(created).toEqual({
      id: expect.stringMatching(/^mnt_/),
      title: 'Upgrade',
      message: '',
      translations: {},
      monitors: [second, story.monitor],
      startsAt: at(1),
      endsAt: at(3),
      rrule: null,
      timeZone: 'UTC',
      status: 'scheduled',
      occurrence: { startsAt: at(1), endsAt: at(3) },
      version: 1,
      createdAt: START.toISOString(),
      updatedAt: START.toISOString(),
    });
    expect(await getMaintenance(story.ctx, created.id)).toEqual(created);
  });

  it('is scheduled, active and finished over time, even before the engine runs', async () => {
    const story = await begin();
    const { id } = await story.plan();
    const statusAt = async (hours: number) => {
      story.clock.set(new Date(at(hours)));
      return (await getMaintenance(story.ctx, id)).status;
    };
    expect([await statusAt(0.99), await statusAt(1), await statusAt(2.99), await statusAt(3)]).toEqual([
      'scheduled',
      'active',
      'active',
      'finished',
    ]);
    expect(await getMaintenance(story.ctx, id)).toMatchObject({ occurrence: null });
  });

  it('that repeats shows the current or next occurrence', async () => {
    const story = await begin();
    const { id } = await story.plan({ rrule: 'FREQ=DAILY' });
    story.clock.set(new Date(at(4)));
    const next = { status: 'scheduled', occurrence: { startsAt: at(25), endsAt: at(27) } };
    expect(await getMaintenance(story.ctx, id)).toMatchObject(next);
    await story.roll();
    expect(await getMaintenance(story.ctx, id)).toMatchObject(next);
  });

  it('accepts itself back unchanged, does nothing without fields, and changes single fields', async () => {
    const story = await begin();
    const created = await story.plan({ rrule: 'FREQ=WEEKLY;BYDAY=SU', timeZone: 'Europe/Berlin' });
    expect(await story.change(created.id, {})).toEqual(created);
    story.clock.advance(1000);
    const updatedAt = story.clock.now().toISOString();
    expect(await story.change(created.id, created)).toEqual({ ...created, updatedAt });
    expect(await story.change(created.id, { title: 'Other' })).toEqual({
      ...created,
      version: 2,
      title: 'Other',
      updatedAt,
    });
    expect(await story.change(created.id, { rrule: null })).toMatchObject({ rrule: null });
  });

  it('that is finished can get another title and another time', async () => {
    const story = await begin();
    const created = await story.plan();
    story.clock.set(new Date(at(5)));
    await story.roll();
    const finished = await getMaintenance(story.ctx, created.id);
    expect(await story.change(created.id, { ...finished, title: 'Was' })).toMatchObject({
      status: 'finished',
    });
    const again = await story.change(created.id, { startsAt: at(6), endsAt: at(7) });
    expect(again).toMatchObject({ status: 'scheduled', occurrence: { startsAt: at(6), endsAt: at(7) } });
    expect(await story.change(created.id, { startsAt: at(1), endsAt: at(3) })).toMatchObject({
      status: 'finished',
    });
    expect(await story.change(created.id, { endsAt: at(6) })).toMatchObject({ status: 'active' });
  });

  it('that is ended and moved back to the same time continues', async () => {
    const story = await begin();
    const { id } = await story.plan();
    story.clock.set(new Date(at(1)));
    expect(await endActiveMaintenance(story.ctx, id)).toMatchObject({ status: 'finished' });
    expect(await story.change(id, { endsAt: at(3) })).toMatchObject({ status: 'active' });
  });

  it('loses deleted monitors and rejects those of other organizations', async () => {
    const [story, other] = [await begin(), await begin()];
    const second = await story.addMonitor();
    const { id } = await story.plan({ monitors: [second, story.monitor] });
    await database.db.monitor.delete({ where: { id: second } });
    expect(await getMaintenance(story.ctx, id)).toMatchObject({ monitors: [story.monitor] });
    const rejection = { code: 'UNKNOWN_MONITOR', details: [{ path: 'monitors.1' }, { path: 'monitors.2' }] };
    const monitors = [story.monitor, other.monitor, 'mon_\0'];
    await expect(story.plan({ monitors })).rejects.toMatchObject(rejection);
    await expect(story.change(id, { monitors })).rejects.toMatchObject(rejection);
    expect(await getMaintenance(story.ctx, id)).toMatchObject({ monitors: [story.monitor] });
  });

  it.each([
    ['endsAt', { startsAt: at(3) }],
    ['endsAt', { endsAt: at(1 + 31 * 24 + 0.001) }],
    ['startsAt', { startsAt: at(-3), endsAt: at(0) }],
    ['rrule', { rrule: 'FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30' }],
    ['rrule', { rrule: 'FREQ=DAILY;UNTIL=20200101' }],
    ['rrule', { rrule: 'FREQ=HOURLY' }],
    ['rrule', { rrule: 'FREQ=DAILY;BYHOUR=13,14' }],
    ['rrule', { rrule: 'FREQ=MONTHLY;BYMONTHDAY=1,2', endsAt: at(26) }],
    ['rrule', { startsAt: at(-3000), endsAt: at(-2999), rrule: 'FREQ=DAILY;COUNT=2' }],
    ['timeZone', { timeZone: '+02:00' }],
    ['monitors', { monitors: [] }],
    ['title', { title: ' ' }],
  ])('names %s as invalid in %j', async (field, fields) => {
    const story = await begin();
    const rejection = { code: 'VALIDATION_ERROR', details: [{ path: field }] };
    await expect((async () => story.plan(fields))()).rejects.toMatchObject(rejection);
    expect(await story.list()).toEqual([]);
  });

  it('can last a day and repeat daily across a day of 23 hours', async () => {
    const story = await begin();
    const day = { startsAt: '2026-03-27T23:00:00Z', endsAt: '2026-03-28T23:00:00Z', rrule: 'FREQ=DAILY' };
    expect(await story.plan({ ...day, timeZone: 'Europe/Berlin' })).toMatchObject({ status: 'scheduled' });
  });

  it('is deleted with its past', async () => {
    const story = await begin();
    const { id } = await story.plan();
    await deleteMaintenance(story.ctx, id);
    await expect(getMaintenance(story.ctx, id)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect(await database.db.maintenanceOccurrence.count({ where: { windowId: id } })).toBe(0);
  });

  it('is invisible to other organizations', async () => {
    const [story, other] = [await begin(), await begin()];
    const { id } = await story.plan({ startsAt: at(-1) });
    const rejection = { code: 'NOT_FOUND' };
    await expect(getMaintenance(other.ctx, id)).rejects.toMatchObject(rejection);
    await expect(other.change(id, { title: 'Mine' })).rejects.toMatchObject(rejection);
    await expect(other.change(id, {})).rejects.toMatchObject(rejection);
    await expect(endActiveMaintenance(other.ctx, id)).rejects.toMatchObject(rejection);
    await expect(deleteMaintenance(other.ctx, id)).rejects.toMatchObject(rejection);
    expect(await other.list()).toEqual([]);
    expect(await getMaintenance(story.ctx, id)).toMatchObject({ title: 'Upgrade', status: 'active' });
  });
});

describe('the list of maintenance windows', () => {
  it('is newest first, filtered by status and monitor', async () => {
    const story = await begin();
    const second = await story.addMonitor();
    const { id: active } = await story.plan({ startsAt: at(-1) });
    const { id: scheduled } = await story.plan({ monitors: [second] });
    const { id: daily } = await story.plan({ startsAt: at(-1), endsAt: at(1), rrule: 'FREQ=DAILY' });
    const { id: short } = await story.plan({ startsAt: at(-1), endsAt: at(0.5) });
    expect(await story.list()).toEqual([short, daily, scheduled, active]);
    expect(await story.list({ monitor: second })).toEqual([scheduled]);
    expect(await story.list({ status: 'active' })).toEqual([short, daily, active]);
    expect(await story.list({ status: 'scheduled' })).toEqual([scheduled]);
    story.clock.set(new Date(at(1)));
    for (const look of [async () => undefined, story.roll]) {
      await look();
      expect(await story.list({ status: 'active' })).toEqual([scheduled, active]);
      expect(await story.list({ status: 'scheduled' })).toEqual([daily]);
      expect(await story.list({ status: 'finished' })).toEqual([short]);
    }
  });

  it('continues after a page, even within one millisecond, in as many queries for many as for one', async () => {
    const story = await begin();
    const counting = openCountingDatabase(database.url);
    const page = (query: object) =>
      listMaintenance({ ...story.ctx, db: counting.db }, { ...maintenanceQuerySchema.parse({}), ...query });
    const first = await story.plan();
    const forOne = await counting.count(() => page({}));
    const created = [first.id];
    for (let index = 0; index < 4; index++) created.unshift((await story.plan()).id);
    expect(await counting.count(() => page({}))).toBe(forOne);
    const found: string[] = [];
    let cursor = null;
    do {
      const response = await page({ limit: 2, ...(cursor ? { cursor } : {}) });
      found.push(...response.items.map(({ id }) => id));
      cursor = response.next;
    } while (cursor);
    expect(found).toEqual(created);
    await counting.db.$disconnect();
  });
});
