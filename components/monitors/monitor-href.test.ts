import { describe, expect, it } from 'vitest';
import { type MonitorView, monitorViewSchema } from '@/lib/schemas/monitor/monitor-view';
import { monitorHref } from './monitor-href';

const DEFAULTS: MonitorView = {
  window: undefined,
  from: undefined,
  to: undefined,
  by: 'all',
  region: undefined,
  outcome: undefined,
  after: null,
  evidence: undefined,
  changes: null,
};
const read = (address: string) =>
  monitorViewSchema.parse(Object.fromEntries(new URL(address, 'http://a.test').searchParams));

describe('monitorHref', () => {
  it('has no query for the default view', () => {
    expect(monitorHref('mon_1', DEFAULTS)).toBe('/monitors/mon_1');
    expect(read('/monitors/mon_1')).toEqual(DEFAULTS);
  });

  it('round-trips every parameter', () => {
    const cursor = { at: new Date('2026-03-10T00:00:00Z'), tie: 2 };
    const view: MonitorView = {
      window: '30d',
      from: '2026-03-10T00:00:00.000Z',
      to: '2026-03-10T01:00:00.000Z',
      by: 'region',
      region: 'eu-west',
      outcome: 'failed',
      after: cursor,
      evidence: 'evd_01kc6n5h8cf5a9b3v2e9w4m6y8',
      changes: cursor,
    };
    expect(read(monitorHref('mon_1', view))).toEqual(view);
  });

  it('falls back to the defaults for invalid parameters', () => {
    expect(
      read('/monitors/mon_1?window=5y&from=1&to=now&by=x&region=moon&outcome=ok&after=1&changes=%00'),
    ).toEqual(DEFAULTS);
  });
});
