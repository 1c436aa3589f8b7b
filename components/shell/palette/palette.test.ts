import { expect, it } from 'vitest';
import type { Found, FoundMonitor } from '@/lib/schemas/search';
import { readIntent } from './commands';
import { foundGroups, hereGroup } from './palette';

const monitor = (id: string, fields: Partial<FoundMonitor> = {}): FoundMonitor => ({
  id,
  name: id,
  type: 'http',
  url: 'https://example.com/',
  status: 'operational',
  enabled: true,
  maintenance: false,
  noDataSince: null,
  ...fields,
});

const FOUND: Found = {
  here: null,
  monitors: [monitor('shop'), monitor('old', { enabled: false }), monitor('job', { type: 'heartbeat' })],
  statusPages: [{ slug: 'acme', name: 'Acme', published: true }],
  incidents: [
    { id: 'inc_1', title: 'Shop is down', status: 'investigating' },
    { id: 'inc_2', title: 'Shop was down', status: 'resolved' },
  ],
  help: [{ href: '/docs/guide#monitors', label: 'Monitors', hint: 'Guide · User guide' }],
};

/** The items by heading for a typed text, and the actions taken. */
function show(typed: string) {
  const done: string[] = [];
  const groups = foundGroups(FOUND, readIntent(typed), {
    go: (href) => done.push(href),
    switchMonitor: ({ id }, enabled) => done.push(`${id} ${enabled ? 'on' : 'off'}`),
    checkMonitor: ({ id }) => done.push(`${id} checked`),
  });
  const shown = groups.filter(({ items }) => items.length > 0);
  return {
    done,
    groups: Object.fromEntries(shown.map(({ heading, items }) => [heading, items.map(({ label }) => label)])),
    choose: (value: string) =>
      groups
        .flatMap(({ items }) => items)
        .find((item) => item.value === value)
        ?.run(),
  };
}

it('every result can be opened', () => {
  const { groups, choose, done } = show('shop');
  expect(groups).toEqual({
    Monitors: ['shop', 'old', 'job'],
    Incidents: ['Shop is down', 'Shop was down'],
    'Status pages': ['Acme'],
    Help: ['Monitors'],
  });
  for (const value of ['shop', 'inc_2', 'page acme', 'help /docs/guide#monitors']) choose(value);
  expect(done).toEqual(['/monitors/shop', '/incidents/inc_2', '/status-pages/acme', '/docs/guide#monitors']);
});

it('without a query, shows monitors and open incidents', () => {
  expect(show('').groups).toEqual({ Monitors: ['shop', 'old', 'job'], Incidents: ['Shop is down'] });
});

it('“pause” offers enabled monitors, “resume” paused ones', () => {
  const pause = show('pause o');
  expect(pause.groups).toEqual({ Pause: ['shop', 'job'] });
  pause.choose('shop');
  expect(pause.done).toEqual(['shop off']);
  expect(show('resume o').groups).toEqual({ Resume: ['old'] });
});

it('“check” offers monitors that can be checked: not those that are paused, or are called by a job', () => {
  const check = show('check o');
  expect(check.groups).toEqual({ 'Check now': ['shop'] });
  check.choose('shop');
  expect(check.done).toEqual(['shop checked']);
});

it('the monitor on the screen can be checked, paused, edited and duplicated', () => {
  const nothing = () => undefined;
  const tools = { go: nothing, switchMonitor: nothing, checkMonitor: nothing };
  const labels = (typed: string, enabled = true) =>
    hereGroup(monitor('shop', { enabled }), typed, tools).items.map(({ label }) => label);
  expect(labels('')).toEqual([
    'Check this monitor now',
    'Pause this monitor',
    'Edit this monitor',
    'Duplicate this monitor',
  ]);
  expect(labels('check', false)).toEqual([]);
  expect(labels('resume', false)).toEqual(['Resume this monitor']);
  expect(labels('other')).toEqual([]);
});
