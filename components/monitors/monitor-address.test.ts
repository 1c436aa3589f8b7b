import { describe, expect, it } from 'vitest';
import { type MonitorView, monitorViewSchema } from '@/lib/schemas/monitor-view';
import { monitorAddress } from './monitor-address';

const USUAL: MonitorView = {
  window: '24h',
  by: 'all',
  region: undefined,
  outcome: undefined,
  after: null,
  changes: null,
};
const read = (address: string) =>
  monitorViewSchema.parse(Object.fromEntries(new URL(address, 'http://a.test').searchParams));

describe('the address of a monitor', () => {
  it('has no query as long as all is as usual', () => {
    expect(monitorAddress('mon_1', USUAL)).toBe('/monitors/mon_1');
    expect(read('/monitors/mon_1')).toEqual(USUAL);
  });

  it('leads back to what it was made of', () => {
    const place = { at: new Date('2026-03-10T00:00:00Z'), tie: 2 };
    const view: MonitorView = {
      window: '30d',
      by: 'region',
      region: 'eu-west',
      outcome: 'failed',
      after: place,
      changes: place,
    };
    expect(read(monitorAddress('mon_1', view))).toEqual(view);
  });

  it('that nobody could have been led to shows the usual', () => {
    expect(read('/monitors/mon_1?window=5y&by=x&region=moon&outcome=ok&after=1&changes=%00')).toEqual(USUAL);
  });
});
