import { describe, expect, it } from 'vitest';
import type { MonitorOverview } from '@/lib/domain/monitors/lists/list-overviews';
import { readListQuery, WHOLE_LIST } from './list-query';
import { viewList } from './list-view';

const monitor = (name: string, fields: Partial<MonitorOverview> = {}): MonitorOverview => ({
  id: `mon_${name}`,
  name,
  url: 'http://target.test/',
  type: 'http',
  regions: ['us-east'],
  tags: [],
  enabled: true,
  maintenance: false,
  noDataSince: null,
  status: 'operational',
  lastCheckedAt: 1_000,
  changedAt: 500,
  uptimePercentage: 100,
  p95: 100,
  alertsAfter: 20,
  ...fields,
});

const LIST = [
  monitor('Paused while down', { status: 'down', enabled: false }),
  monitor('Shop 10', { tags: ['shop'], p95: 90, uptimePercentage: 99.5 }),
  monitor('Shop 9', { tags: ['shop', 'eu'], p95: 300 }),
  monitor('New', { status: 'pending', lastCheckedAt: null, changedAt: null, p95: null }),
  monitor('Down within a window', { status: 'down', maintenance: true }),
  monitor('Slow', { status: 'degraded', lastCheckedAt: 9_000, changedAt: 8_000 }),
  monitor('Broken', {
    status: 'down',
    type: 'tcp',
    url: 'db.test:5432',
    uptimePercentage: 12,
    alertsAfter: 120,
  }),
];

const view = (address: string) => viewList(LIST, readListQuery(new URLSearchParams(address)));
const names = (address: string) => view(address).shown.map(({ name }) => name);

describe('the order of the list', () => {
  it.each(['sort=uptime', 'sort=-uptime'])(
    'by uptime, %s, ends with monitors whose uptime is unknown',
    (address) => {
      const list = [monitor('Never checked', { uptimePercentage: null }), ...LIST];
      const { shown } = viewList(list, readListQuery(new URLSearchParams(address)));
      expect(shown.at(-1)?.name).toBe('Never checked');
    },
  );

  it('puts problems first, then sorts by name in natural order', () => {
    const quiet = ['Down within a window', 'Shop 9', 'Shop 10', 'Paused while down'];
    expect(names('')).toEqual(['Broken', 'Slow', 'New', ...quiet]);
  });

  it.each([
    ['sort=name', ['Broken', 'Down within a window', 'New']],
    ['sort=-name', ['Slow', 'Shop 10', 'Shop 9']],
    ['sort=uptime', ['Broken', 'Shop 10', 'Down within a window']],
    ['sort=-p95', ['Shop 9', 'Broken', 'Down within a window']],
    ['sort=p95', ['Shop 10', 'Broken', 'Down within a window']],
    ['sort=-checked', ['Slow', 'Broken', 'Down within a window']],
    ['sort=-changed', ['Slow', 'Broken', 'Down within a window']],
    ['sort=changed', ['Broken', 'Down within a window', 'Paused while down']],
  ])('follows %s', (address, first) => {
    expect(names(address).slice(0, 3)).toEqual(first);
  });

  it.each(['', 'sort=-name', 'sort=-p95', 'sort=changed', 'q=shop'])(
    'is that of the first rows alone: %s',
    (address) => {
      const query = readListQuery(new URLSearchParams(address));
      for (const max of [0, 1, 3, 100]) {
        const first = viewList(LIST, query, () => max);
        expect(first).toEqual({ ...view(address), shown: view(address).shown.slice(0, max) });
      }
    },
  );

  it.each(['sort=p95', 'sort=-p95', 'sort=checked', 'sort=-checked'])(
    '%s puts unknown values last',
    (address) => {
      expect(names(address).at(-1)).toBe('New');
    },
  );
});

describe('matching monitors', () => {
  it.each([
    ['q=shop', ['Shop 9', 'Shop 10']],
    ['q=EU+shop', ['Shop 9']],
    ['q=5432', ['Broken']],
    ['tag=eu', ['Shop 9']],
    ['type=tcp', ['Broken']],
    ['status=down,degraded', ['Broken', 'Slow']],
    ['status=paused', ['Paused while down']],
    ['status=down&type=http', []],
  ])('%s', (address, expected) => {
    expect(names(address)).toEqual(expected);
  });

  it('are counted per standing, regardless of the standings chosen', () => {
    const { counts, matching, total } = view('q=shop&status=down');
    expect({ matching, total }).toEqual({ matching: 0, total: 7 });
    expect(counts.get('operational')).toBe(2);
    expect(counts.get('down')).toBe(0);
  });
});

it('offers each type and tag once, ordered by name, regardless of the query', () => {
  const tagged = ['zone 10', 'zone 9', 'eu', 'zone 10'].map((tag) => monitor(tag, { tags: [tag] }));
  const { tags, types } = viewList(tagged, { ...WHOLE_LIST, q: 'eu' });
  expect(tags).toEqual(['eu', 'zone 9', 'zone 10']);
  expect(types).toEqual(['http']);
});

it('the filter of late alerts leaves those that need more than a minute', () => {
  expect(names('alerts=slow')).toEqual(['Broken']);
  const atLimit = [monitor('A minute', { alertsAfter: 60 }), monitor('Later', { alertsAfter: 61 })];
  const { shown } = viewList(atLimit, readListQuery(new URLSearchParams('alerts=slow')));
  expect(shown.map(({ name }) => name)).toEqual(['Later']);
});
