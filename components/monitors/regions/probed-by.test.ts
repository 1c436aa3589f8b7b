import { describe, expect, it } from 'vitest';
import type { Region } from '@/lib/schemas/monitor/region';
import { formatLocations, formatProbing, toProbedRegion } from './probed-by';

const OWN = 'aaaa';
const here = { id: OWN, host: 'pharos' };
const tokyo = { id: 'bbbb', host: 'tokyo-1' };
const paris = { id: 'cccc', host: 'paris-1' };

const region = (id: Region['id'], machines: Region['machines'], workers = machines.length) =>
  toProbedRegion({ id, workers, machines, lastSeenAt: '2026-03-10T18:00:00.000Z' }, OWN);

const ALL = ['us-east', 'eu-west', 'ap-southeast'];

describe('who probes for a region', () => {
  it.each([
    ['this machine', [here], 1],
    ['this machine', [here], 2],
    ['tokyo-1', [tokyo], 1],
    ['2 machines', [tokyo, paris], 2],
    ['1 machine', [{ ...tokyo, host: null }], 3],
    ['2 workers', [], 2],
    ['no worker', [], 0],
  ])('is %s', (text, machines, workers) => {
    expect(region('us-east', machines, workers).probedBy).toBe(text);
  });

  it('is nobody, if it was never served', () => {
    const never = { id: 'loc_101', workers: 0, machines: [], lastSeenAt: null } as const;
    expect(toProbedRegion({ ...never, machines: [] }, OWN).probedBy).toBe('no worker yet');
  });
});

describe('the locations of the chosen regions', () => {
  const one = [region('us-east', [here]), region('eu-west', [here]), region('ap-southeast', [here])];
  const each = [region('us-east', [here]), region('eu-west', [paris]), region('ap-southeast', [tokyo])];
  const two = [region('us-east', [here]), region('eu-west', [here]), region('ap-southeast', [tokyo])];

  it.each([
    ['1 location, 3 labels', one, ALL],
    ['1 location, 2 labels', one, ['us-east', 'eu-west']],
    ['2 locations, 3 labels', two, ALL],
    [null, two, ['eu-west', 'ap-southeast']],
    [null, one, ['us-east']],
    [null, one, []],
    [null, each, ALL],
  ])('are %s', (text, regions, chosen) => {
    expect(formatLocations(regions, chosen)).toBe(text);
  });

  it('do not include regions without a worker, or with workers that do not name their machine', () => {
    const partly = [region('us-east', [here]), region('eu-west', []), region('ap-southeast', [], 1)];
    expect(formatLocations(partly, ALL)).toBeNull();
  });

  it('are shown with who probes there', () => {
    expect(formatProbing({}, one, ['us-east', 'eu-west'])).toBe(
      'us-east, eu-west · 1 location, 2 labels · this machine',
    );
    expect(formatProbing({}, each, ALL)).toBe(
      'us-east, eu-west, ap-southeast · this machine, paris-1, tokyo-1',
    );
    expect(formatProbing({}, two, ['us-east'])).toBe('us-east · this machine');
  });

  it('are just this machine, where all are', () => {
    const names = Object.fromEntries(ALL.map((id) => [id, 'This machine']));
    expect(formatProbing(names, one, ALL)).toBe('this machine');
  });
});
