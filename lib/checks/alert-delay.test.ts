import { describe, expect, it } from 'vitest';
import { alertDelay, formatAlertDelay } from './alert-delay';

const USUAL = { interval: 60, timeout: 30, alertThreshold: 3, confirmInterval: null };

describe('the time from the first failed check to the alert', () => {
  it.each([
    ['the defaults', USUAL, { usual: 120, longest: 150 }],
    ['confirmation', { ...USUAL, confirmInterval: 10 }, { usual: 20, longest: 90 }],
    ['one failed check', { ...USUAL, alertThreshold: 1 }, { usual: 0, longest: 30 }],
    [
      'a confirmation that is not sooner',
      { ...USUAL, interval: 30, confirmInterval: 30 },
      { usual: 60, longest: 90 },
    ],
  ])('with %s', (_, timing, expected) => {
    expect(alertDelay(timing)).toEqual(expected);
  });

  it('is a sentence after “Alerts”', () => {
    expect(formatAlertDelay(USUAL)).toBe('2 minutes after the first failure');
    expect(formatAlertDelay({ ...USUAL, confirmInterval: 10 })).toBe(
      '20 seconds after the first failure, with confirmation',
    );
    expect(formatAlertDelay({ ...USUAL, alertThreshold: 1 })).toBe('immediately after the first failure');
  });
});
