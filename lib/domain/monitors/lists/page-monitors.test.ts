import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { type ListMonitorsQuery, listMonitorsQuery } from '@/lib/schemas/monitor/monitor-query';
import { formatPlace } from '@/lib/schemas/query';
import { useTestDatabase } from '@/lib/testing/database';
import { explain } from '@/lib/testing/explain';
import { createTestOrganization, createTestServices } from '@/lib/testing/services';
import { addMonitors } from '../testing/add-monitors';
import { clearLedger, copyMonitor, writePeriods } from '../testing/history';
import { listMonitors } from './list-monitors';
import { monitorPageQuery, readMonitorPage } from './page-monitors';

const database = useTestDatabase();
const FIELDS = ['name', 'createdAt', 'status', 'statusChangedAt'] as const;
const SORTS = FIELDS.flatMap((field) => [field, `-${field}`] as const);
const STATUSES = ['operational', 'down', 'pending', 'degraded'] as const;
const query = (given: object) => listMonitorsQuery.parse(given);

async function begin(names: readonly string[]) {
  const { ctx, organizationId } = await createTestOrganization(createTestServices(database));
  const ids = await addMonitors(
    ctx,
    names.map((name, index) => ({ name, status: STATUSES[index % STATUSES.length] })),
  );
  const read = async (given: ListMonitorsQuery) => {
    const { monitors, next } = await readMonitorPage(database.db, organizationId, given, ctx.clock.now());
    return { monitors, rows: monitors.map(({ row }) => row), next };
  };
  return { ctx, organizationId, ids, read };
}

/** The names of the monitors of a page, in its order. */
async function namesOf({ rows }: { rows: readonly { id: string }[] }) {
  const monitors = await database.db.monitor.findMany({ select: { id: true, name: true } });
  const names = new Map(monitors.map(({ id, name }) => [id, name]));
  return rows.map(({ id }) => names.get(id));
}

describe('pages of monitors', () => {
  let story: Awaited<ReturnType<typeof begin>>;
  beforeAll(async () => {
    // Created in one moment, with equal and similar names.
    story = await begin(['a', 'B', 'b', 'Ä', 'ä', 'z', 'a', '%', '_', '\\', 'Z10', 'z9', '🙂', 'é']);
  });

  it('add up to the whole list in the same order, for any sort and size', async () => {
    const size = fc.integer({ min: 1, max: 15 });
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...SORTS), size, async (sort, limit) => {
        const whole = await story.read(query({ sort }));
        expect(whole.next).toBeNull();
        expect(whole.rows.map(({ id }) => id).toSorted()).toEqual(story.ids.toSorted());
        const collected: string[] = [];
        for (let cursor: string | undefined, isLast = false; !isLast; ) {
          const page = await story.read({ ...query({ sort }), limit, cursor });
          expect(page.rows.length).toBeLessThanOrEqual(limit);
          collected.push(...page.rows.map(({ id }) => id));
          cursor = page.next ?? undefined;
          isLast = page.next === null;
        }
        expect(collected).toEqual(whole.rows.map(({ id }) => id));
      }),
      { numRuns: 12 },
    );
  });

  it('are the reverse of the other direction', async () => {
    for (const sort of FIELDS) {
      const [up, down] = [await story.read(query({ sort })), await story.read(query({ sort: `-${sort}` }))];
      expect(down.rows.map(({ id }) => id)).toEqual(up.rows.map(({ id }) => id).toReversed());
    }
  });

  it('start with problems when sorted by status', async () => {
    const { monitors } = await story.read(query({ sort: 'status' }));
    const seen = monitors.map(({ facts }) => facts.status);
    expect([...new Set(seen)]).toEqual(['down', 'degraded', 'pending', 'operational']);
    expect(seen).toEqual(seen.toSorted((a, b) => order(a) - order(b)));
  });

  it('are in the order of the last change of state, with monitors that never had one last in both directions', async () => {
    const { ids, read } = await begin(['b', 'never', 'a', 'c']);
    const [b = '', never = '', a = '', c = ''] = ids;
    const changed = {
      [a]: '2026-03-01T00:00:00Z',
      [b]: '2026-03-01T00:00:00.001Z',
      [c]: '2026-03-02T00:00:00Z',
    };
    for (const [id, at] of Object.entries(changed)) {
      const earlier = { state: 'down', from: new Date('2026-02-01') } as const;
      await writePeriods(database.db, id, [earlier, { state: 'paused', from: new Date(at) }]);
    }
    await clearLedger(database.db, [never]);
    const namesBy = async (sort: string) => {
      const first = await read(query({ sort, limit: '3' }));
      const rest = await read({ ...query({ sort, limit: '3' }), cursor: first.next ?? '' });
      return [...(await namesOf(first)), ...(await namesOf(rest))];
    };
    expect(await namesBy('statusChangedAt')).toEqual(['a', 'b', 'c', 'never']);
    expect(await namesBy('-statusChangedAt')).toEqual(['c', 'b', 'a', 'never']);
  });

  it.each([
    ['%', ['%']],
    ['_', ['_']],
    ['\\', ['\\']],
    ['Z', ['Z10', 'z', 'z9']],
  ])('contain the names with %j, which is no pattern', async (q, names) => {
    const { items } = await listMonitors(story.ctx, query({ q, sort: 'name' }));
    expect(items.map(({ name }) => name).toSorted()).toEqual(names);
  });

  it('continue correctly after the last monitor of a page is deleted or one is added before it', async () => {
    const { ctx, ids, read } = await begin(['a', 'b', 'c', 'd']);
    const first = await read(query({ sort: 'name', limit: '2' }));
    expect(await namesOf(first)).toEqual(['a', 'b']);
    await database.db.monitor.delete({ where: { id: ids[1] ?? '' } });
    await addMonitors(ctx, [{ name: 'A0' }]);
    const second = await read({ ...query({ sort: 'name', limit: '2' }), cursor: first.next ?? '' });
    expect(await namesOf(second)).toEqual(['c', 'd']);
  });

  const place = (key: string | number, id = 'mon_1') => formatPlace([key, id]);
  it.each([
    ['name', ''],
    ['name', 'nonsense'],
    ['name', 'W10'],
    ['name', 'WzEsMl0'],
    ['name', place(1)],
    ['name', place('a\0')],
    ['name', place('a', 'mon\0')],
    ['status', place('down')],
    ['status', place(-1)],
    ['status', place(4)],
    ['status', place(1.5)],
    ['createdAt', place('soon')],
    ['createdAt', place('2026-03-01')],
    ['createdAt', place(1e300)],
    ['createdAt', place(8.64e15)],
    ['createdAt', place(-8.64e15)],
    ['statusChangedAt', place('2026-03-01')],
    ['statusChangedAt', place(-2)],
    ['statusChangedAt', place(8.64e15)],
  ])('sorted by %s reject %j as a cursor', async (sort, cursor) => {
    await expect(story.read({ ...query({ sort }), cursor })).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
    });
  });
});

it('the first of many monitors, by creation time or name, are read without the others', async () => {
  const { organizationId, ids, read } = await begin(['one', 'another']);
  const grow = async (index: number, count: number) => {
    await copyMonitor(database.db, ids[index] ?? '', count);
    await database.db.$executeRaw`
      UPDATE monitor SET created_at = '2026-01-01'::timestamptz + interval '1 second' * number
       WHERE organization_id = ${organizationId}`;
    await database.db.$executeRawUnsafe('VACUUM ANALYZE monitor, monitor_state');
  };
  const pagesOf = async (given: ListMonitorsQuery) =>
    (await explain(database.db, monitorPageQuery(organizationId, given, new Date()))).pages;
  const firstPages = ['-createdAt', 'createdAt', 'name', '-name'].map((sort) => query({ sort, limit: '50' }));
  await grow(0, 200);
  const few = await pagesOf(query({ limit: '50' }));
  await grow(1, 4500);
  for (const first of firstPages) {
    const { next } = await read(first);
    expect(await pagesOf(first), first.sort).toBeLessThan(2 * few);
    expect(await pagesOf({ ...first, cursor: next ?? '' }), first.sort).toBeLessThan(2 * few);
  }
  expect(await pagesOf(query({ sort: 'status', limit: '50' })), 'reads all').toBeGreaterThan(3 * few);
});

function order(status: (typeof STATUSES)[number]): number {
  return ['down', 'degraded', 'pending', 'operational'].indexOf(status);
}
