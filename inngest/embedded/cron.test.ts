import { describe, expect, it } from 'vitest';
import { parseCron } from './cron';

describe('parseCron', () => {
  it.each([
    ['* * * * *', '2026-11-20T10:00:59.999Z', true],
    ['5 * * * *', '2026-11-20T10:05:00Z', true],
    ['5 * * * *', '2026-11-20T10:06:00Z', false],
    ['*/15 * * * *', '2026-11-20T10:45:00Z', true],
    ['*/15 * * * *', '2026-11-20T10:50:00Z', false],
    ['7/20 * * * *', '2026-11-20T10:47:00Z', true],
    ['7/20 * * * *', '2026-11-20T10:20:00Z', false],
    ['0 9-17/4 * * *', '2026-11-20T13:00:00Z', true],
    ['0 9-17/4 * * *', '2026-11-20T15:00:00Z', false],
    ['0,30 3,4 * * *', '2026-11-20T04:30:00Z', true],
    ['0 0 1 jan,JUL *', '2026-07-01T00:00:00Z', true],
    ['0 0 1 jan,JUL *', '2026-08-01T00:00:00Z', false],
    ['0 0 * * mon-fri', '2026-11-20T00:00:00Z', true],
    ['0 0 * * mon-fri', '2026-11-21T00:00:00Z', false],
    ['0 0 * * 7', '2026-11-22T00:00:00Z', true],
    ['0 0 29 2 *', '2028-02-29T00:00:00Z', true],
  ])('%s at %s: %s', (expression, at, fires) => {
    expect(parseCron(expression).matches(new Date(at))).toBe(fires);
  });

  it('takes either day when both the day of month and the day of week are restricted', () => {
    const { matches } = parseCron('0 0 13 * fri');
    expect(matches(new Date('2026-11-20T00:00:00Z'))).toBe(true);
    expect(matches(new Date('2026-10-13T00:00:00Z'))).toBe(true);
    expect(matches(new Date('2026-10-14T00:00:00Z'))).toBe(false);
  });

  it.each(['', '* * * *', '* * * * * *', '60 * * * *', '* 24 * * *', '* * 0 * *', '* * * 13 *', '* * * * 8'])(
    'refuses "%s"',
    (expression) => {
      expect(() => parseCron(expression)).toThrow(/^cron /);
    },
  );

  it.each([
    '*/0 * * * *',
    '5-1 * * * *',
    'x * * * *',
    '1,,2 * * * *',
    '1/2/3 * * * *',
    '1-2-3 * * * *',
    '@hourly',
  ])('refuses "%s", too', (expression) => {
    expect(() => parseCron(expression)).toThrow(/^cron /);
  });
});
