import { describe, expect, it } from 'vitest';
import type { MonitorOverview } from '@/lib/domain/monitors/lists/list-overviews';
import {
  countStandings,
  isFiltered,
  type ListQuery,
  listChoices,
  readListQuery,
  selectMonitors,
  toggleSort,
  WHOLE_LIST,
  writeListQuery,
} from './list-query';

const read = (address: string) => readListQuery(new URLSearchParams(address));

describe('the query of the list', () => {
  it.each<[string, Partial<ListQuery>]>([
    ['', {}],
    ['?q=shop+eu', { q: 'shop eu' }],
    ['?status=down%2Cdegraded', { standings: ['down', 'degraded'] }],
    ['?type=tcp&tag=a%26b', { type: 'tcp', tag: 'a&b' }],
    ['?sort=-p95', { sort: { key: 'p95', isDescending: true } }],
  ])('%s round-trips', (address, query) => {
    expect(read(address)).toEqual({ ...WHOLE_LIST, ...query });
    expect(writeListQuery({ ...WHOLE_LIST, ...query })).toBe(address);
  });

  it('ignores unknown parameters and values', () => {
    expect(read('?status=broken,down&sort=color&page=7')).toEqual({ ...WHOLE_LIST, standings: ['down'] });
  });

  it('is a filter, except for the order', () => {
    expect(isFiltered(read('?sort=name&q=+'))).toBe(false);
    for (const address of ['?q=a', '?status=down', '?type=dns', '?tag=a'])
      expect(isFiltered(read(address))).toBe(true);
  });
});

describe('toggleSort', () => {
  it('starts with the most useful direction, then reverses it', () => {
    const slowestFirst = toggleSort(WHOLE_LIST.sort, 'p95');
    expect(slowestFirst).toEqual({ key: 'p95', isDescending: true });
    expect(toggleSort(slowestFirst, 'p95')).toEqual({ key: 'p95', isDescending: false });
    expect(toggleSort(slowestFirst, 'uptime')).toEqual({ key: 'uptime', isDescending: false });
  });
});

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
  lastCheckedAt: '2026-11-20T12:00:00.000Z',
  uptimePercentage: 100,
  p95: 100,
  ...fields,
});

const LIST = [
  monitor('Paused while down', { status: 'down', enabled: false }),
  monitor('Shop 10', { tags: ['shop'], p95: 90, uptimePercentage: 99.5 }),
  monitor('Shop 9', { tags: ['shop', 'eu'], p95: 300 }),
  monitor('New', { status: 'pending', lastCheckedAt: null, p95: null }),
  monitor('Down within a window', { status: 'down', maintenance: true }),
  monitor('Slow', { status: 'degraded', lastCheckedAt: '2026-11-20T12:00:09.000Z' }),
  monitor('Broken', { status: 'down', type: 'tcp', url: 'db.test:5432', uptimePercentage: 12 }),
];

const names = (address: string) => selectMonitors(LIST, read(address)).map(({ name }) => name);

describe('the order of selectMonitors', () => {
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
  ])('follows %s', (address, first) => {
    expect(names(address).slice(0, 3)).toEqual(first);
  });

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
    const counts = countStandings(LIST, read('q=shop&status=down'));
    expect(counts.get('operational')).toBe(2);
    expect(counts.get('down')).toBe(0);
  });
});

it('lists each choice once, ordered by name', () => {
  expect(listChoices(['zone 10', 'zone 9', 'eu', 'zone 10'])).toEqual(['eu', 'zone 9', 'zone 10']);
});
