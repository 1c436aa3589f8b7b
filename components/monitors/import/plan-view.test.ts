import { expect, it } from 'vitest';
import { importText, onlyItem } from '@/lib/importing/testing/import-text';
import { describeItems, itemsOf, type PlanItem } from './plan-view';

const { monitor } = onlyItem(await importText('csv', 'https://shop.example.com/'));
const ITEMS: PlanItem[] = [
  { index: 0, name: 'Shop', kind: 'http', monitor, changes: [], reason: null },
  {
    index: 1,
    name: 'Blog',
    kind: 'http',
    monitor,
    changes: ['The interval becomes 60 seconds.'],
    reason: null,
  },
  { index: 2, name: 'Job', kind: 'push', monitor: null, changes: [], reason: 'The file has no period.' },
];

it('every monitor is in exactly one part besides all', () => {
  const parts = (['same', 'changed', 'impossible'] as const).map((part) =>
    itemsOf(ITEMS, part).map(({ index }) => index),
  );
  expect(parts).toEqual([[0], [1], [2]]);
  expect(itemsOf(ITEMS, 'all')).toHaveLength(3);
});

it('a plan is described in a sentence', () => {
  expect(describeItems(ITEMS)).toBe('2 of 3 monitors can be imported, 1 of them with differences.');
  expect(describeItems(ITEMS.slice(0, 1))).toBe('1 of 1 monitor can be imported.');
});
