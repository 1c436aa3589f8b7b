import { describe, expect, it } from 'vitest';
import type { MonitorOverview } from '@/lib/domain/monitors/list-overviews';
import { countStandings, listChoices, readListQuery, selectMonitors } from './list-query';

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
  beats: '',
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

const query = (address: string) => readListQuery(new URLSearchParams(address));
const names = (address: string) => selectMonitors(LIST, query(address)).map(({ name }) => name);

describe('the order', () => {
  it('has trouble first, then follows the names, numbers by their value', () => {
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
  ])('%s begins as it says', (address, first) => {
    expect(names(address).slice(0, 3)).toEqual(first);
  });

  it.each(['sort=p95', 'sort=-p95', 'sort=checked', 'sort=-checked'])(
    '%s has the unknown last',
    (address) => {
      expect(names(address).at(-1)).toBe('New');
    },
  );
});

describe('what fits', () => {
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

  it('is counted by standing, whichever standings are chosen', () => {
    const counts = countStandings(LIST, query('q=shop&status=down'));
    expect(counts.get('operational')).toBe(2);
    expect(counts.get('down')).toBe(0);
  });
});

it('choices come once each, in the order of names', () => {
  expect(listChoices(['zone 10', 'zone 9', 'eu', 'zone 10'])).toEqual(['eu', 'zone 9', 'zone 10']);
});
