import { describe, expect, it } from 'vitest';
import { createWorld } from '@/lib/domain/context/testing/world';
import { deleteMonitors } from '@/lib/domain/monitors/change-selected';
import { addPage, changePage } from '@/lib/domain/status-pages/testing/pages';
import { MAX_CHOSEN_ROWS, parseChosenRows } from '@/lib/schemas/status-pages/subscriber';
import { useSharedDatabase } from '@/lib/testing/database';
import { createTestOrganization, createTestServices } from '@/lib/testing/services';
import { listRowGroups } from './chosen-rows';
import { findSubscribablePage, subscribe } from './subscribe';
import { changeSubscription, findSubscription } from './subscription';

const database = useSharedDatabase();

/** A page with two monitors and a component, and a subscriber who chose `chosen` of them. */
async function begin(chosen: ('a' | 'b' | 'hotline')[]) {
  const services = {
    ...createTestServices({ db: database.db, mail: true }),
    appUrl: 'https://pharos.test',
  };
  const { ctx } = await createTestOrganization(services);
  const world = createWorld(ctx);
  const [a, b] = [await world.monitor(), await world.monitor()];
  const items = [{ monitorId: a }, { monitorId: b }, { name: 'Hotline' }];
  const { slug } = await addPage(ctx, { published: true });
  const page = await changePage(ctx, slug, { sections: [{ name: 'All', items }] });
  const hotline = page.sections[0]?.items[2]?.componentId ?? '';
  const ids = { a, b, hotline };
  const rows = chosen.map((name) => ids[name]);
  const email = 'reader@example.com';
  await subscribe(services, await findSubscribablePage(services, page.slug), { email, language: 'en', rows });
  const { id } = await database.db.pageSubscriber.findFirstOrThrow({ where: { pageId: page.id } });
  return {
    ctx,
    services,
    id,
    page,
    ids,
    show: async () => (await findSubscription(services, { id, slug: page.slug })).subscription,
  };
}

it('sections with similar names are groups of their own', async () => {
  const { ctx, services, page, ids } = await begin([]);
  const sections = [
    { name: 'All', items: [{ monitorId: ids.a }] },
    { name: 'All!', items: [{ monitorId: ids.b }] },
  ];
  await changePage(ctx, page.slug, { sections });
  const { page: row } = await findSubscribablePage(services, page.slug);
  const groups = await listRowGroups(services, row);
  expect(groups.map(({ anchor, name, rows }) => [anchor, name, rows.map(({ id }) => id)])).toEqual([
    ['section-all', 'All', [ids.a]],
    ['section-all_2', 'All!', [ids.b]],
  ]);
});

describe('a row that leaves its page', () => {
  it('is removed from choices, whether the page or the monitor changed', async () => {
    const { ctx, page, ids, show } = await begin(['hotline', 'b', 'a']);
    const { a, b, hotline } = ids;
    expect(await show()).toMatchObject({ rows: [hotline, b, a], isChoiceGone: false });
    await changePage(ctx, page.slug, {
      sections: [{ name: 'All', items: [{ monitorId: b }, { monitorId: a }] }],
    });
    expect(await show()).toMatchObject({ rows: [b, a] });
    await deleteMonitors(ctx, [b]);
    expect(await show()).toMatchObject({ rows: [a], isChoiceGone: false });
    await deleteMonitors(ctx, [a]);
    expect(await show()).toMatchObject({ rows: null, isChoiceGone: true });
  });

  it('cannot be chosen any more, and others can', async () => {
    const { services, id, ids, show } = await begin([]);
    expect(await show(), 'all rows that were chosen are gone').toMatchObject({ isChoiceGone: true });
    await changeSubscription(services, id, { language: 'fr', rows: [ids.b, 'mon_gone'] });
    expect(await show()).toMatchObject({ language: 'fr', rows: [ids.b], isChoiceGone: false });
    await changeSubscription(services, id, { language: 'fr', rows: null });
    expect(await show()).toMatchObject({ rows: null, isChoiceGone: false });
    await changeSubscription(services, 'sub_gone', { language: 'fr', rows: null });
  });

  it('is removed even if a subscriber chooses it while its monitor is being deleted', async () => {
    const { ctx, services, id, ids, show } = await begin(['a']);
    const choose = () => changeSubscription(services, id, { language: 'en', rows: [ids.a, ids.b] });
    await Promise.all([choose(), deleteMonitors(ctx, [ids.a]), choose()]);
    expect(await show()).toMatchObject({ rows: [ids.b] });
    await choose();
    expect(await show()).toMatchObject({ rows: [ids.b] });
  });
});

describe('a choice in a form', () => {
  const known = new Set(Array.from({ length: 200 }, (_, index) => `mon_${index}`));
  const parse = (fields: [string, string][]) =>
    parseChosenRows(new URLSearchParams(fields), { known, before: ['mon_1'] });
  const rowsUpTo = (count: number) =>
    Array.from({ length: count }, (_, index): [string, string] => ['row', `mon_${index}`]);

  it('is what it was if the form did not offer one, or everything, or known rows without duplicates', () => {
    expect(parse([['row', 'mon_2']])).toEqual({ rows: ['mon_1'], problem: null });
    expect(
      parse([
        ['scope', 'all'],
        ['row', 'mon_2'],
      ]),
    ).toEqual({ rows: null, problem: null });
    const rows: [string, string][] = [
      ['row', 'mon_2'],
      ['row', 'mon_2'],
      ['row', 'mon_elsewhere'],
    ];
    expect(parse([['scope', 'rows'], ...rows])).toEqual({ rows: ['mon_2'], problem: null });
  });

  it(`needs at least one row, and has at most ${MAX_CHOSEN_ROWS}`, () => {
    expect(
      parse([
        ['scope', 'rows'],
        ['row', 'mon_elsewhere'],
      ]).problem,
    ).toBe('noRows');
    expect(parse([['scope', 'rows'], ...rowsUpTo(MAX_CHOSEN_ROWS)]).problem).toBeNull();
    expect(parse([['scope', 'rows'], ...rowsUpTo(MAX_CHOSEN_ROWS + 1)]).problem).toBe('tooManyRows');
  });
});
