import { expect, it } from 'vitest';
import { recoveryQuerySchema, startOfSpan } from './recovery';

const NOW = new Date('2026-03-08T12:00:00.000Z');

it.each([
  ['hour', '2026-03-08T11:00:00.000Z'],
  ['day', '2026-03-07T12:00:00.000Z'],
  ['week', '2026-03-01T12:00:00.000Z'],
  ['all', '1970-01-01T00:00:00.000Z'],
] as const)('the last %s begins at %s', (span, start) => {
  expect(startOfSpan(span, NOW).toISOString()).toBe(start);
});

it('a span that does not exist is none', () => {
  expect(recoveryQuerySchema.parse({ recover: 'day' })).toEqual({ recover: 'day' });
  expect(recoveryQuerySchema.parse({ recover: 'month' }).recover).toBeUndefined();
});
