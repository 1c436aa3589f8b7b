import { describe, expect, it } from 'vitest';
import { createdAtOf, createId } from '@/lib/core/ids';
import { componentUptime } from './component-uptime';

const at = (iso: string) => new Date(`${iso}Z`);
const DAY = { since: at('2026-03-10T00:00:00'), until: at('2026-03-11T00:00:00') };
const CREATED = at('2026-01-01T00:00:00');

describe('the uptime of a component', () => {
  it('is 100% without outages, and unknown for the time before it was created', () => {
    expect(componentUptime([], CREATED, DAY)).toBe(100);
    expect(componentUptime([], DAY.until, DAY)).toBeNull();
  });

  it('counts only the part of an outage within the period and after the component was created', () => {
    const outage = { from: at('2026-03-09T00:00:00'), to: at('2026-03-10T06:00:00') };
    expect(componentUptime([outage], CREATED, DAY)).toBe(75);
    expect(componentUptime([outage], at('2026-03-10T03:00:00'), DAY)).toBe(85.71);
    expect(componentUptime([{ from: at('2026-03-10T18:00:00'), to: null }], CREATED, DAY)).toBe(75);
  });

  it('counts overlapping outages only once', () => {
    const outages = [
      { from: at('2026-03-10T00:00:00'), to: at('2026-03-10T12:00:00') },
      { from: at('2026-03-10T04:00:00'), to: at('2026-03-10T06:00:00') },
      { from: at('2026-03-10T11:00:00'), to: at('2026-03-10T12:00:00') },
    ];
    expect(componentUptime(outages, CREATED, DAY)).toBe(50);
  });
});

it('an ID contains the time of its creation', () => {
  const before = Date.now();
  const created = createdAtOf(createId('component')).getTime();
  expect(created).toBeGreaterThanOrEqual(before);
  expect(created).toBeLessThanOrEqual(Date.now());
  expect(() => createdAtOf('cmp_1')).toThrow();
});
