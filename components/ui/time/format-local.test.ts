import { describe, expect, it } from 'vitest';
import { formatLocal } from './format-local';

const NOW = new Date('2026-03-10T00:30:00Z');

describe('a moment in the reader’s time zone', () => {
  it.each([
    ['2026-03-10T00:02:00Z', 'UTC', '00:02 UTC'],
    ['2026-03-09T23:02:00Z', 'UTC', 'Mar 9, 23:02 UTC'],
    ['2026-03-09T23:02:00Z', 'Europe/Berlin', '00:02'],
    ['2025-12-31T23:30:00Z', 'Europe/Berlin', 'Jan 1, 00:30'],
    ['2025-12-31T22:30:00Z', 'Europe/Berlin', 'Dec 31, 2025, 23:30'],
  ])('%s in %s is %s', (at, zone, text) => expect(formatLocal(new Date(at), NOW, zone)).toBe(text));
});

/** How many formats `work` creates. */
function countCreated(work: () => void): number {
  let created = 0;
  const construct = (target: typeof Intl.DateTimeFormat, given: unknown[]) => {
    created += 1;
    return Reflect.construct(target, given);
  };
  const original = Intl.DateTimeFormat;
  Intl.DateTimeFormat = new Proxy(original, { construct });
  work();
  Intl.DateTimeFormat = original;
  return created;
}

it('a page with many moments creates each of their formats once', () => {
  const moments = Array.from({ length: 1000 }, (_, hour) => new Date(NOW.getTime() - hour * 3_600_000));
  const format = () => moments.map((at) => formatLocal(at, NOW, 'America/Lima'));
  expect(countCreated(format)).toBe(4);
  expect(countCreated(format)).toBe(0);
});
