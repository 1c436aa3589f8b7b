import { describe, expect, it } from 'vitest';
import { initialState, pausedState, rebuiltState, restartedState } from './initial-state';
import { enterMaintenance, keepLastNotified, leaveMaintenance } from './maintenance';
import { configOf, MINUTE, SECOND, START } from './testing/story';
import type { MonitorState } from './types';
import { parseMonitorState, toStateConfig } from './types';

const LATER = START + 10 * MINUTE;

/** A monitor that has been down for 4 minutes, after 3 minutes before. */
const down: MonitorState = {
  ...initialState(START),
  status: 'down',
  lastEvent: 'monitor.down',
  consecutiveFailures: 7,
  downSince: START - 5 * MINUTE,
  downFrom: LATER - 4 * MINUTE,
  downMs: 3 * MINUTE,
};

describe('a new monitor', () => {
  it('is pending since its creation, and remembers nothing', () => {
    const { status, since, floor, regions, consecutiveFailures, downMs, ...rest } = initialState(START);
    expect({ status, since, floor, regions }).toEqual({
      status: 'pending',
      since: START,
      floor: START,
      regions: {},
    });
    expect([consecutiveFailures, downMs]).toEqual([0, 0]);
    expect(new Set(Object.values(rest))).toEqual(new Set([null]));
  });
});

describe('a monitor that is resumed or changed', () => {
  it('starts again, but still owes monitor.up with the downtime so far', () => {
    expect(restartedState(down, LATER)).toEqual({
      ...initialState(LATER),
      lastEvent: 'monitor.down',
      downSince: START - 5 * MINUTE,
      downMs: 7 * MINUTE,
    });
  });
});

describe('a monitor without a usable state', () => {
  it.each([
    ['down', { lastEvent: 'monitor.down', downSince: LATER }],
    ['degraded', { lastEvent: 'monitor.degraded' }],
    ['operational', {}],
    ['pending', {}],
  ] as const)('that was %s starts again as if people knew', (status, remembered) => {
    expect(rebuiltState(status, LATER)).toEqual({ ...initialState(LATER), ...remembered });
  });
});

describe('a monitor that is paused or enters maintenance', () => {
  it.each([
    ['paused', pausedState],
    ['in maintenance', enterMaintenance],
  ])('accumulates no more downtime while it is %s', (_, stop) => {
    expect(stop(down, LATER)).toEqual({ ...down, downFrom: null, downMs: 7 * MINUTE });
    expect(stop(down, START), 'never less than before').toMatchObject({ downMs: 3 * MINUTE });
    const up = initialState(START);
    expect(stop(up, LATER)).toBe(up);
  });
});

describe('maintenance', () => {
  it('keeps what people were notified of, whatever the checks find', () => {
    const found: MonitorState = { ...initialState(LATER), status: 'degraded', lastEvent: 'monitor.degraded' };
    expect(keepLastNotified(down, { ...found, downFrom: LATER, downMs: 99 })).toEqual({
      ...found,
      lastEvent: 'monitor.down',
      downSince: START - 5 * MINUTE,
      downFrom: null,
      downMs: 3 * MINUTE,
    });
  });

  const within: MonitorState = { ...down, status: 'pending', downFrom: null };
  it.each([
    ['down', { downFrom: LATER }],
    ['degraded', { downFrom: null }],
    ['operational', { downFrom: null, downSince: null, downMs: 0 }],
  ] as const)('ends with the status that people know, %s, from now on', (status, counted) => {
    expect(leaveMaintenance(within, status, LATER)).toEqual({
      ...within,
      status,
      since: LATER,
      floor: LATER,
      ...counted,
    });
  });
});

describe('a stored state', () => {
  it.each(['pending', 'operational', 'degraded', 'down'] as const)(
    'that is %s is read as it was',
    (status) => {
      const state = { ...initialState(START), status, firstCheckAt: LATER };
      expect(parseMonitorState(JSON.parse(JSON.stringify(state)))).toEqual(state);
    },
  );

  it('of an older version is in its first round if it is pending', () => {
    const { firstCheckAt, ...older } = initialState(START);
    expect(firstCheckAt).toBeNull();
    expect(parseMonitorState(older).firstCheckAt).toBe(START);
    expect(parseMonitorState({ ...older, status: 'down' }).firstCheckAt).toBeNull();
  });

  it.each([
    ['nothing', null],
    ['no value', undefined],
    ['a text', 'down'],
    ['an unknown status', { ...down, status: 'paused' }],
    ['no status', { regions: {}, floor: START }],
    ['no regions', { status: 'down', floor: START }],
    ['no floor', { status: 'down', regions: {} }],
  ])('with %s is refused', (_, stored) => {
    expect(() => parseMonitorState(stored)).toThrow('the stored value is not a monitor state');
  });
});

it('a stored monitor has its times in seconds, its limit for slow checks in milliseconds', () => {
  const stored = {
    alertThreshold: 3,
    recoveryThreshold: 1,
    tlsExpiryDays: null,
    regions: ['us'],
    configVersion: 1,
    type: 'http' as const,
    interval: 60,
    timeout: 30,
    degradedThreshold: 5000,
    confirmInterval: 10,
  };
  expect(toStateConfig(stored)).toEqual(configOf({ confirmMs: 10 * SECOND }));
  expect(toStateConfig({ ...stored, confirmInterval: null })).toEqual(configOf());
});
