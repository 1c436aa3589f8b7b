import { describe, expect, it, onTestFinished } from 'vitest';
import type { Transaction } from '@/lib/platform/db/client';
import { bulkItem, bulkItems } from '@/lib/schemas/monitor/bulk';
import { useSharedDatabase } from '@/lib/testing/database';
import { createTestOrganization, createTestServices } from '@/lib/testing/services';
import { openCountingDatabase } from '@/lib/testing/statements';
import { deleteMonitorByRef } from '../change-selected';
import { createMonitor } from '../create-monitor';
import { getMonitor } from '../find-monitor';
import { updateMonitor } from '../update-monitor';
import { createMonitors, type ItemOutcome, upsertMonitor } from './create-monitors';

const database = useSharedDatabase();
const begin = (plan: 'free' | 'enterprise' = 'enterprise') =>
  createTestOrganization(createTestServices({ db: database.db }), { plan });

const shop = (fields: object = {}) => ({ name: 'Shop', url: 'http://shop.test/', ...fields });
const items = bulkItems;
const EACH = { isAtomic: false, isUpsert: false };
const UPSERT = { isAtomic: false, isUpsert: true };

const codeOf = (outcome: ItemOutcome) => ('error' in outcome ? outcome.error.code : 'done');
const idOf = (outcome: ItemOutcome | undefined) =>
  outcome && 'resource' in outcome ? outcome.resource.id : '';

/** The rows of other tables about a monitor, without what differs between two. */
async function readSideEffects(id: string) {
  const { db } = database;
  const where = { monitorId: id };
  const [state, periods, schedules, entries] = await Promise.all([
    db.monitorState.findUniqueOrThrow({ where, omit: { monitorId: true, machine: true } }),
    db.statusPeriod.findMany({ where, select: { state: true, to: true, knownBefore: true, why: true } }),
    db.probeSchedule.findMany({ where, select: { region: true }, orderBy: { region: 'asc' } }),
    db.auditEntry.findMany({
      where: { subjectId: id },
      select: { action: true, subjectLabel: true, before: true, after: true, actorId: true },
    }),
  ]);
  return { state, periods, schedules, entries };
}

describe('monitors created in bulk', () => {
  it.each([
    ['enabled', shop({ regions: ['us-east', 'eu-west'], headers: { 'X-Token': 'wh1sper' } })],
    ['paused', shop({ enabled: false, tags: ['shop'] })],
  ])('have what one created alone has: %s', async (_, sent) => {
    const { ctx, organizationId } = await begin();
    const { id: alone } = await createMonitor(ctx, bulkItem(sent).creation());
    const outcomes = await createMonitors(ctx, items([sent, sent]), EACH);
    const expected = await readSideEffects(alone);
    expect(expected.entries).toHaveLength(1);
    for (const outcome of outcomes) expect(await readSideEffects(idOf(outcome))).toEqual(expected);
    const { monitors } = await ctx.db.monitorCount.findUniqueOrThrow({ where: { organizationId } });
    expect(monitors).toBe(3);
    const [first, second] = await Promise.all([getMonitor(ctx, alone), getMonitor(ctx, idOf(outcomes[0]))]);
    expect({
      ...second,
      id: '',
      createdAt: '',
      updatedAt: '',
      statusChangedAt: '',
      noDataSince: null,
    }).toEqual({
      ...first,
      id: '',
      createdAt: '',
      updatedAt: '',
      statusChangedAt: '',
      noDataSince: null,
    });
  });

  it('take the same number of statements, however many they are', async () => {
    const { ctx } = await begin();
    const counting = openCountingDatabase(database.url);
    onTestFinished(() => counting.db.$disconnect());
    const count = async (length: number, fields: object, options = UPSERT) => {
      const sent = Array.from({ length }, (_, index) => shop({ ref: `${length}-${index}`, ...fields }));
      let outcomes: ItemOutcome[] = [];
      const statements = await counting.count(async () => {
        outcomes = await createMonitors({ ...ctx, db: counting.db }, items(sent), options);
      });
      expect(outcomes.map(codeOf)).toEqual(Array(length).fill('done'));
      return statements;
    };
    const alone = await count(1, {});
    expect(alone).toBeGreaterThan(5);
    expect(await count(60, {})).toBe(alone);
    const unchanged = await count(1, {});
    expect(await count(60, {})).toBe(unchanged);
    const changes = { interval: 300, regions: ['eu-west'], headers: { 'X-Token': 'wh1sper' } };
    const changed = await count(1, changes);
    expect(await count(60, changes)).toBe(changed);
  });

  it.each([EACH, UPSERT])('are validated and prepared before the transaction: %j', async (options) => {
    const { ctx } = await begin();
    let isInside = false;
    const observed = new Proxy(database.db, {
      get: (db, name) =>
        name !== '$transaction'
          ? Reflect.get(db, name)
          : (work: (tx: Transaction) => Promise<unknown>) =>
              db.$transaction((tx) => {
                isInside = true;
                return work(tx);
              }),
    });
    const seen: boolean[] = [];
    const sent = items([shop({ ref: 'a' }), shop({ ref: 'b', url: 'nonsense' }), shop({ ref: 'c' })]);
    const watched = sent.map((item) => ({
      ...item,
      creation: () => {
        seen.push(isInside);
        return item.creation();
      },
    }));
    const outcomes = await createMonitors({ ...ctx, db: observed }, watched, options);
    expect(outcomes.map(codeOf)).toEqual(['done', 'VALIDATION_ERROR', 'done']);
    expect([isInside, ...seen]).toEqual([true, false, false, false]);
  });

  it('are changed to exactly what was sent, each to its own', async () => {
    const { ctx } = await begin();
    const before = {
      type: 'http',
      method: 'POST',
      headers: { 'X-Token': 'wh1sper' },
      body: 'pa55',
      keyword: 'ok',
      regions: ['us-east', 'eu-west'],
      tags: ['shop', 'production'],
      tlsExpiryDays: 14,
    };
    const after = (index: number) => ({
      name: `"Shop" \\ 'ü' ${index}`,
      headers: { 'X-Token': `\\x${index}` },
      body: null,
      keyword: null,
      regions: ['eu-west'],
      tags: index === 0 ? [] : ['{a,b}', 'c"d'],
      tlsExpiryDays: null,
      interval: 300,
      followRedirects: false,
      url: `http://shop.test/${index}`,
    });
    const upsert = (fields: (index: number) => object) => {
      const sent = Array.from({ length: 3 }, (_, index) => shop({ ref: `s-${index}`, ...fields(index) }));
      return createMonitors(ctx, items(sent), UPSERT);
    };
    await upsert(() => before);
    const outcomes = await upsert(after);
    for (const [index, outcome] of outcomes.entries()) {
      const expected = { ...after(index), ref: `s-${index}`, version: 2 };
      expect(await getMonitor(ctx, idOf(outcome))).toMatchObject(expected);
    }
  });

  it('fill the quota exactly, even with concurrent requests', async () => {
    const { ctx, organizationId } = await begin('free');
    const requests = Array.from({ length: 6 }, () =>
      createMonitors(ctx, items(Array.from({ length: 12 }, () => shop())), EACH),
    );
    const codes = (await Promise.all(requests)).flat().map(codeOf);
    expect(codes.filter((code) => code === 'done')).toHaveLength(50);
    expect(codes.filter((code) => code === 'PLAN_LIMIT_EXCEEDED')).toHaveLength(22);
    expect(await ctx.db.monitor.count({ where: { organizationId } })).toBe(50);
  });

  it('get each ref once, even with concurrent requests', async () => {
    const { ctx } = await begin();
    const sent = Array.from({ length: 10 }, (_, index) => shop({ ref: `shop-${index}` }));
    const requests = Array.from({ length: 4 }, () => createMonitors(ctx, items(sent), EACH));
    const codes = (await Promise.all(requests)).map((outcomes) => outcomes.map(codeOf).join());
    expect(codes.toSorted()).toEqual(
      ['REF_TAKEN', 'REF_TAKEN', 'REF_TAKEN', 'done'].map((code) => Array(10).fill(code).join()),
    );
  });

  it('are changed by concurrent upserts in any order, without a deadlock', async () => {
    const { ctx, organizationId } = await begin();
    const sent = (name: string) =>
      Array.from({ length: 10 }, (_, index) => shop({ ref: `s-${index}`, name }));
    const upserts = Array.from({ length: 6 }, (_, index) => {
      const monitors = sent(`Shop ${index}`);
      return createMonitors(ctx, items(index % 2 === 0 ? monitors : monitors.toReversed()), UPSERT);
    });
    const outcomes = await Promise.all(upserts);
    expect(outcomes.flat().map(codeOf)).toEqual(Array(60).fill('done'));
    const created = outcomes.flat().filter((outcome) => 'isCreated' in outcome && outcome.isCreated);
    expect(created).toHaveLength(10);
    expect(await ctx.db.monitor.count({ where: { organizationId } })).toBe(10);
  });
});

describe('a monitor with a ref', () => {
  const upsert = (ctx: Awaited<ReturnType<typeof begin>>['ctx'], ref: string, fields: object = {}) =>
    upsertMonitor(ctx, ref, bulkItem(shop({ ref, ...fields })));

  it('is created by one of several concurrent upserts, and changed by the others', async () => {
    const { ctx } = await begin();
    const upserts = Array.from({ length: 10 }, (_, index) => upsert(ctx, 'shop', { name: `Shop ${index}` }));
    const results = await Promise.all(upserts);
    expect(results.filter(({ isCreated }) => isCreated)).toHaveLength(1);
    expect(new Set(results.map(({ resource }) => resource.id)).size).toBe(1);
  });

  it('is created again if it is deleted meanwhile', async () => {
    const { ctx } = await begin();
    await upsert(ctx, 'shop');
    const work = Array.from({ length: 10 }, (_, index) =>
      index % 2 === 0
        ? upsert(ctx, 'shop', { name: `Shop ${index}` })
        : deleteMonitorByRef(ctx, 'shop').catch(({ code }: { code: string }) => code),
    );
    for (const result of await Promise.all(work)) {
      expect(result).toSatisfy((each) => each === 'NOT_FOUND' || typeof each === 'object');
    }
  });

  it('gives it up, or not, to those who take it at the same time', async () => {
    const { ctx, organizationId } = await begin();
    const others = await createMonitors(ctx, items(Array.from({ length: 5 }, () => shop())), EACH);
    const renames = others.map((other) =>
      updateMonitor(ctx, idOf(other), { ref: 'shop' }).then(
        () => 'done',
        ({ code }: { code: string }) => code,
      ),
    );
    const [{ resource }, ...outcomes] = await Promise.all([upsert(ctx, 'shop'), ...renames]);
    expect(resource.ref).toBe('shop');
    expect(outcomes.every((code) => code === 'done' || code === 'REF_TAKEN')).toBe(true);
    expect(await ctx.db.monitor.count({ where: { organizationId, ref: 'shop' } })).toBe(1);
  });
});
