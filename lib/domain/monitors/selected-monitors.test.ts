import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import { createMonitorSchema } from '@/lib/schemas/monitor';
import { useSharedDatabase } from '@/lib/testing/database';
import { createTestOrganization, createTestServices } from '@/lib/testing/services';
import { openCountingDatabase } from '@/lib/testing/statements';
import { deleteMonitors, setMonitorsEnabled, tagMonitors } from './change-selected';
import { confirmMonitors } from './confirm-selected';
import { createMonitor } from './create-monitor';
import { updateMonitor } from './update-monitor';

const database = useSharedDatabase();
const NOW = new Date('2026-11-20T12:00:00.000Z');
let counting: ReturnType<typeof openCountingDatabase>;

beforeAll(() => {
  counting = openCountingDatabase(database.url);
});
afterAll(() => counting.db.$disconnect());

async function begin() {
  const services = createTestServices({ db: database.db, clock: { now: () => NOW } });
  const { ctx } = await createTestOrganization(services);
  const add = async (fields: object = {}) => {
    const input = { name: 'Shop', url: 'http://shop.test/', regions: ['us-east', 'eu-west'], ...fields };
    return (await createMonitor(ctx, createMonitorSchema.parse(input))).id;
  };
  const entriesOf = (id: string, action: string) =>
    ctx.db.auditEntry.findMany({ where: { subjectId: id, action }, orderBy: { number: 'asc' } });
  return { ctx, add, entriesOf };
}

/** Everything stored about a monitor except its ID and number. */
async function readAll({ db }: OrganizationContext, id: string) {
  const { number: _number, id: _id, ...monitor } = await db.monitor.findUniqueOrThrow({ where: { id } });
  const { monitorId: _, ...state } = await db.monitorState.findUniqueOrThrow({ where: { monitorId: id } });
  const schedules = await db.probeSchedule.findMany({
    where: { monitorId: id },
    select: { region: true, nextCheckAt: true },
    orderBy: { region: 'asc' },
  });
  const periods = await db.statusPeriod.findMany({
    where: { monitorId: id },
    select: { state: true, from: true, to: true, why: true },
    orderBy: { id: 'asc' },
  });
  return { monitor, state, schedules, periods };
}

describe('pausing and resuming several monitors', () => {
  it('has the same effect on each as a single change', async () => {
    const { ctx, add } = await begin();
    const [alone, one, other] = [await add(), await add(), await add()];
    for (const enabled of [false, true]) {
      await updateMonitor(ctx, alone, { enabled });
      expect(await setMonitorsEnabled(ctx, [one, other], enabled)).toEqual({ changed: 2 });
      const expected = await readAll(ctx, alone);
      expect(await readAll(ctx, one)).toEqual(expected);
      expect(await readAll(ctx, other)).toEqual(expected);
    }
  });

  it('resumes into maintenance if a window covers the monitor', async () => {
    const { ctx, add } = await begin();
    const [covered, free] = [await add({ enabled: false }), await add({ enabled: false })];
    await ctx.db.maintenanceWindow.create({
      data: {
        id: 'mnt_selected',
        organizationId: ctx.organizationId,
        title: 'Upgrade',
        message: '',
        startsAt: NOW,
        endsAt: new Date(NOW.getTime() + 60_000),
        timeZone: 'UTC',
        createdAt: NOW,
        updatedAt: NOW,
        monitors: { create: { monitorId: covered, position: 0 } },
        occurrences: { create: { startsAt: NOW, endsAt: new Date(NOW.getTime() + 60_000) } },
      },
    });
    await setMonitorsEnabled(ctx, [covered, free], true);
    expect((await readAll(ctx, covered)).periods.at(-1)?.state).toBe('maintenance');
    expect((await readAll(ctx, covered)).state.statusBeforeMaintenance).toBe('pending');
    expect((await readAll(ctx, free)).periods.at(-1)?.state).toBe('pending');
    expect((await readAll(ctx, free)).state.statusBeforeMaintenance).toBeNull();
  });

  it('ignores those without a change and logs the others', async () => {
    const { ctx, add, entriesOf } = await begin();
    const [running, paused] = [await add(), await add({ enabled: false })];
    const before = await readAll(ctx, paused);
    expect(await setMonitorsEnabled(ctx, [running, paused], false)).toEqual({ changed: 1 });
    expect(await readAll(ctx, paused)).toEqual(before);
    expect(await entriesOf(paused, 'monitor.update')).toEqual([]);
    expect(await entriesOf(running, 'monitor.update')).toMatchObject([
      { subjectLabel: 'Shop', before: { enabled: true }, after: { enabled: false } },
    ]);
  });
});

describe('tagging several monitors', () => {
  it('appends and removes tags and counts changed monitors', async () => {
    const { ctx, add, entriesOf } = await begin();
    const [one, other] = [await add({ tags: ['shop', 'old'] }), await add({ tags: ['new'] })];
    expect(await tagMonitors(ctx, [one, other], { add: ['new'], remove: ['old'] })).toEqual({ changed: 1 });
    expect((await readAll(ctx, one)).monitor.tags).toEqual(['shop', 'new']);
    expect((await readAll(ctx, other)).monitor.tags).toEqual(['new']);
    expect(await entriesOf(one, 'monitor.update')).toMatchObject([
      { before: { tags: ['shop', 'old'] }, after: { tags: ['shop', 'new'] } },
    ]);
    expect(await entriesOf(other, 'monitor.update')).toEqual([]);
  });

  it('changes none if one would have too many, and names it', async () => {
    const { ctx, add } = await begin();
    const full = await add({ name: 'Full', tags: Array.from({ length: 20 }, (_, index) => `t${index}`) });
    const empty = await add();
    const attempt = tagMonitors(ctx, [empty, full], { add: ['more'], remove: [] });
    await expect(attempt).rejects.toMatchObject({ code: 'VALIDATION_ERROR', message: /“Full”/ });
    expect((await readAll(ctx, empty)).monitor.tags).toEqual([]);
  });
});

describe('deleting several monitors', () => {
  it('removes each with its history and logs it', async () => {
    const { ctx, add, entriesOf } = await begin();
    const ids = [await add(), await add()];
    const kept = await add();
    expect(await deleteMonitors(ctx, [...ids, 'mon_unknown'])).toEqual({ changed: 2 });
    expect(await ctx.db.statusPeriod.count({ where: { monitorId: { in: ids } } })).toBe(0);
    const left = await ctx.db.monitor.findMany({ where: { organizationId: ctx.organizationId } });
    expect(left.map(({ id }) => id)).toEqual([kept]);
    for (const id of ids) {
      expect(await entriesOf(id, 'monitor.delete')).toMatchObject([
        { before: { name: 'Shop' }, after: null },
      ]);
    }
  });
});

describe.each([
  ['pausing', (ctx: OrganizationContext, ids: string[]) => setMonitorsEnabled(ctx, ids, false)],
  ['tagging', (ctx: OrganizationContext, ids: string[]) => tagMonitors(ctx, ids, { add: ['a'], remove: [] })],
  ['deleting', deleteMonitors],
])('%s', (_, change) => {
  it('does not find monitors of other organizations', async () => {
    const [mine, other] = [await begin(), await begin()];
    const foreign = await other.add();
    const before = await readAll(other.ctx, foreign);
    await expect(change(mine.ctx, [foreign])).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect(await readAll(other.ctx, foreign)).toEqual(before);
  });

  it('takes as many statements for eight monitors as for two', async () => {
    const { ctx, add } = await begin();
    const count = async (size: number) => {
      const ids = await Promise.all(Array.from({ length: size }, () => add()));
      return counting.count(() => change({ ...ctx, db: counting.db }, ids));
    };
    const few = await count(2);
    expect(await count(8)).toBe(few);
    expect(few).toBeLessThanOrEqual(20);
  });
});

describe('confirming outages of several monitors sooner', () => {
  it('has the same effect on each as a single change, and is in the audit log', async () => {
    const { ctx, add, entriesOf } = await begin();
    const [alone, one, other] = [await add(), await add(), await add()];
    await updateMonitor(ctx, alone, { confirmInterval: 10 });
    expect(await confirmMonitors(ctx, [one, other], 10)).toEqual({ changed: 2 });
    const expected = await readAll(ctx, alone);
    expect(await readAll(ctx, one)).toEqual(expected);
    expect(await readAll(ctx, other)).toEqual(expected);
    expect(await entriesOf(one, 'monitor.update')).toHaveLength(1);
    expect(await confirmMonitors(ctx, [one, other], 10)).toEqual({ changed: 0 });
  });

  it('leaves heartbeats alone', async () => {
    const { ctx, add } = await begin();
    const job = await add({ type: 'heartbeat', url: '', period: 3600 });
    expect(await confirmMonitors(ctx, [job, await add()], 10)).toEqual({ changed: 1 });
  });

  it('needs as many statements for 20 monitors as for 2', async () => {
    const { ctx, add } = await begin();
    const ids: string[] = [];
    for (let count = 0; count < 22; count += 1) ids.push(await add());
    const countFor = (some: string[]) =>
      counting.count(() => confirmMonitors({ ...ctx, db: counting.db }, some, 10));
    expect(await countFor(ids.slice(2))).toBe(await countFor(ids.slice(0, 2)));
  });
});
