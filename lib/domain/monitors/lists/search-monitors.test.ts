import { beforeAll, expect, it } from 'vitest';
import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import { createMonitorSchema } from '@/lib/schemas/monitor';
import { searchSchema } from '@/lib/schemas/search';
import { parseInput } from '@/lib/schemas/validation';
import { useSharedDatabase } from '@/lib/testing/database';
import { createTestOrganization, createTestServices } from '@/lib/testing/services';
import { createMonitor } from '../create-monitor';
import { findMonitorById, searchMonitors } from './list-monitors';

const database = useSharedDatabase();
let ctx: OrganizationContext;
let ids: Record<string, string>;

const MONITORS = [
  { name: 'Shop', url: 'https://shop.example.com/', tags: ['Europe'] },
  { name: 'Old shop', url: 'https://old.example.com/', enabled: false },
  { name: 'Bookshop', url: 'https://books.example.com/', tags: ['europe', 'slow'] },
  { name: '100 % wool_mill', url: 'https://wool.example.com/' },
];

beforeAll(async () => {
  ({ ctx } = await createTestOrganization(createTestServices({ db: database.db })));
  const created = [];
  for (const fields of MONITORS) {
    created.push(await createMonitor(ctx, parseInput(createMonitorSchema, fields)));
  }
  ids = Object.fromEntries(created.map(({ name, id }) => [name, id]));
  await database.db.monitorState.update({
    where: { monitorId: ids.Bookshop ?? '' },
    data: { status: 'down' },
  });
});

async function find(typed: string, limit = 20): Promise<string[]> {
  const found = await searchMonitors(ctx, { words: searchSchema.parse(typed), limit });
  return found.map(({ name }) => name);
}

it.each([
  ['a name: first names that start with it, then problems', 'SHOP', ['Shop', 'Bookshop', 'Old shop']],
  ['a URL', 'wool.example', ['100 % wool_mill']],
  ['a tag', 'europe', ['Bookshop', 'Shop']],
  ['monitors with all words, in any field', 'shop europe slow', ['Bookshop']],
  ['characters that are special in patterns', '% wool_', ['100 % wool_mill']],
  ['nothing by a pattern', 'sh_p', []],
  [
    'everything without words: problems first, paused last',
    '  ',
    ['Bookshop', '100 % wool_mill', 'Shop', 'Old shop'],
  ],
])('finds %s', async (_, typed, names) => {
  expect(await find(typed)).toEqual(names);
});

it('returns at most the limit, each with its status', async () => {
  expect(await find('', 2)).toHaveLength(2);
  const [first] = await searchMonitors(ctx, { words: ['bookshop'], limit: 1 });
  expect(first).toEqual({
    id: ids.Bookshop,
    name: 'Bookshop',
    type: 'http',
    url: 'https://books.example.com/',
    status: 'down',
    enabled: true,
    maintenance: false,
    noDataSince: null,
  });
  expect(await findMonitorById(ctx, ids.Bookshop ?? '')).toEqual(first);
});

it('finds nothing of another organization', async () => {
  const other = await createTestOrganization(createTestServices({ db: database.db }));
  expect(await searchMonitors(other.ctx, { words: [], limit: 20 })).toEqual([]);
  expect(await findMonitorById(other.ctx, ids.Shop ?? '')).toBeNull();
});
