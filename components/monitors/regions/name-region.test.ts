import { expect, it } from 'vitest';
import { formatTransition } from '@/components/monitors/history/transition-texts';
import { nameRegion, nameRegions, nameRegionWithin } from './name-region';

const HERE = { 'us-east': 'This machine', 'eu-west': 'This machine', loc_101: 'Office' };

it('a region is shown by its name, and regions that are one place once', () => {
  expect(nameRegion(HERE, 'us-east')).toBe('This machine');
  expect(nameRegionWithin(HERE, 'us-east')).toBe('this machine');
  expect(nameRegionWithin(HERE, 'loc_101')).toBe('Office');
  expect(nameRegions(HERE, ['us-east', 'eu-west', 'loc_101'])).toEqual(['This machine', 'Office']);
});

it('several places are shown by the IDs of their regions', () => {
  expect(nameRegion({}, 'us-east')).toBe('us-east');
  expect(nameRegion({}, 'toString')).toBe('toString');
});

it('the reason of a first status that says no more than the status is left out', () => {
  const change = {
    from: 'pending',
    to: 'operational',
    at: '',
    decidedAt: '',
    why: { rule: 'Operational in all 3 regions', regions: [] },
  };
  expect(formatTransition(change as never, { 'us-east': 'This machine' }).why).toBeNull();
  expect(formatTransition(change as never, {}).why).toBe('Operational in all 3 regions');
});

it('reasons of changes name the place, and say nothing of regions where there is one', () => {
  const change = { from: 'operational', to: 'down', at: '', decidedAt: '' } as const;
  const explain = (rule: string, names: Record<string, string>) =>
    formatTransition({ ...change, why: { rule, regions: [] } } as never, names).why;
  expect(explain('us-east failed a check: refused', HERE)).toBe('This machine failed a check: refused');
  expect(explain('us-east failed a check: no certificate for us-east.shop.test', HERE)).toBe(
    'This machine failed a check: no certificate for us-east.shop.test',
  );
  expect(explain('Operational in us-east', HERE)).toBe('Operational');
  expect(explain('Operational in loc_101', HERE)).toBe('Operational in Office');
  const one = { 'us-east': 'This machine', 'eu-west': 'This machine' };
  expect(explain('2 of 3 regions failed 3 checks in a row: refused', one)).toBe(
    'This machine failed 3 checks in a row: refused',
  );
  expect(explain('1 of 3 regions is failing: refused', one)).toBe('1 of 3 checks is failing: refused');
  expect(explain('Recovered in all 3 regions', one)).toBe('Recovered');
  expect(explain('Recovered in 2 of 3 regions', HERE)).toBe('Recovered in 2 of 3 regions');
  expect(explain('us-east failed a check: refused', {})).toBe('us-east failed a check: refused');
});
