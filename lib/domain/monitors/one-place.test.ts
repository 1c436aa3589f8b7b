import { expect, it } from 'vitest';
import { BUILT_IN_REGION_IDS } from '@/lib/schemas/regions';
import { findOnePlace, type Serving } from './one-place';

const NOW = 1_800_000_000_000;
const ALL: Serving = { machine: 'here', regions: BUILT_IN_REGION_IDS };
const TOGETHER = { 'us-east': NOW, 'eu-west': NOW - 3000, 'ap-southeast': NOW - 2000 };

it.each([
  ['one worker', [ALL], [], { machine: 'here' }],
  [
    'several workers of one machine',
    [ALL, { machine: 'here', regions: ['eu-west'] }],
    [],
    { machine: 'here' },
  ],
  [
    'a probe elsewhere that serves an own region',
    [ALL, { machine: 'office', regions: ['loc_101'] }],
    [],
    { machine: 'here' },
  ],
  [
    'a worker of one region, and nobody missing',
    [{ machine: 'here', regions: ['us-east'] }],
    [],
    { machine: 'here' },
  ],
  ['a second machine', [ALL, { machine: 'frankfurt', regions: ['eu-west'] }], [], null],
  ['a region that lost its worker', [{ machine: 'here', regions: ['us-east'] }], ['eu-west'], null],
  ['an own region that lost its probe', [ALL], ['loc_101'], { machine: 'here' }],
  ['a worker that does not name its machine', [ALL, { machine: null, regions: ['eu-west'] }], [], null],
  ['no worker any more', [], BUILT_IN_REGION_IDS, { machine: null }],
])('the built-in regions with %s', (_, serving, unserved, expected) => {
  expect(findOnePlace({ serving, unserved, presence: TOGETHER })).toEqual(expected);
});

it('without any worker, regions that were lost at different times are several places, and new ones are not', () => {
  const presence = { ...TOGETHER, 'eu-west': NOW - 300_000 };
  expect(findOnePlace({ serving: [], unserved: [], presence })).toBeNull();
  expect(findOnePlace({ serving: [], unserved: [], presence: {} })).toEqual({ machine: null });
});
