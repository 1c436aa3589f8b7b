import { expect, it } from 'vitest';
import { withOutages } from './show-outages';

it.each([
  ['Monitors · Pharos', 2, '(2 down) Monitors · Pharos'],
  ['(2 down) Monitors · Pharos', 1234, '(1,234 down) Monitors · Pharos'],
  ['(1,234 down) Shop · Pharos', 0, 'Shop · Pharos'],
  ['(Shop) · Pharos', 0, '(Shop) · Pharos'],
])('the title %s with %i monitors down is %s', (title, down, shown) =>
  expect(withOutages(title, down)).toBe(shown),
);
