import { expect, it } from 'vitest';
import { importText, onlyItem } from '@/lib/importing/testing/import-text';
import { describeItems, itemsOf, PART_NAMES, type PlanItem } from './plan-view';

const { monitor } = onlyItem(await importText('csv', 'https://shop.example.com/'));
const planned = (action: 'create' | 'change') => ({
  action,
  changes: [],
  kept: [],
  dropped: [],
  replaces: false,
  id: null,
  heartbeatUrl: null,
});
const ITEMS: PlanItem[] = [
  { index: 0, name: 'Shop', kind: 'http', monitor, changes: [], reason: null, planned: planned('create') },
  {
    index: 1,
    name: 'Blog',
    kind: 'http',
    monitor,
    changes: ['The interval becomes 60 seconds.'],
    reason: null,
    planned: planned('change'),
  },
  {
    index: 3,
    name: 'Router',
    kind: 'http',
    monitor,
    changes: ['The interval becomes 60 seconds.'],
    reason: null,
    planned: { action: 'rejected', message: 'This address is blocked as a target.' },
  },
  { index: 2, name: 'Job', kind: 'push', monitor: null, changes: [], reason: 'The file has no period.' },
];

it('the parts are what an import would do, what differs, and what it cannot do', () => {
  const indexes = PART_NAMES.map((part) => [part, itemsOf(ITEMS, part).map(({ index }) => index)]);
  expect(Object.fromEntries(indexes)).toEqual({
    all: [0, 1, 3, 2],
    created: [0],
    changed: [1],
    unchanged: [],
    rejected: [3],
    different: [1, 3],
    impossible: [2],
  });
});

it('a plan is described in a sentence', () => {
  expect(describeItems(ITEMS)).toBe('2 of 4 monitors can be imported, 1 of them with differences.');
  expect(describeItems(ITEMS.slice(0, 1))).toBe('1 of 1 monitor can be imported.');
});
