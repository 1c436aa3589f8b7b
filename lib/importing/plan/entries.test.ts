import { expect, it } from 'vitest';
import type { ImportSource } from '../plan/plan';
import { importText } from '../testing/import-text';

const EMPTY = 'The entry has no settings that Pharos can read.';
const RESPONSE = { name: 'Backup', timeout: 3600, grace: 60, unique_key: 'a' };

it.each<[ImportSource, unknown, [string, string | null][]]>([
  [
    'uptime-kuma',
    { monitorList: { 1: { id: 1, name: 'Shop', type: 'ping', hostname: 'a.test' }, 2: null, 3: 'x', 4: [] } },
    [
      ['Shop', null],
      ['Entry 2', EMPTY],
      ['Entry 3', EMPTY],
      ['Entry 4', EMPTY],
    ],
  ],
  [
    'upptime',
    { sites: [5, { name: 'Shop', url: 'http://a.test/' }] },
    [
      ['Entry 1', EMPTY],
      ['Shop', null],
    ],
  ],
  [
    'openstatus',
    {
      'x-defaults': { kind: 'http' },
      bad: { kind: 'http' },
      shop: { name: 'Shop', kind: 'http', request: { url: 'http://a.test/' } },
      none: null,
    },
    [
      ['Shop', null],
      ['bad', expect.stringContaining('no host')],
      ['none', expect.stringContaining('no host')],
    ],
  ],
  [
    'gatus',
    { endpoints: [{ name: 'Shop', url: 'http://a.test/' }, 5], 'external-endpoints': ['x'] },
    [
      ['Shop', null],
      ['Entry 2', EMPTY],
      ['Entry 3', EMPTY],
    ],
  ],
  [
    'uptimerobot',
    { monitors: [null, { id: 1, friendly_name: 'Shop', type: 1, url: 'http://a.test/' }] },
    [
      ['Entry 1', EMPTY],
      ['Shop', null],
    ],
  ],
  [
    'healthchecks',
    { checks: [RESPONSE, 5] },
    [
      ['Backup', null],
      ['Entry 2', EMPTY],
    ],
  ],
])('an entry of %s that is no monitor is in the plan, with a reason', async (source, file, expected) => {
  const { items } = await importText(source, file);
  expect(items.map(({ name, reason }) => [name, reason])).toEqual(expected);
});
