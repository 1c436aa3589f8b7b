import { describe, expect, it } from 'vitest';
import { chartBuckets, chooseRange } from './chart-range';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const NOW = new Date('2026-03-10T18:07:00.000Z');
const ago = (ms: number) => new Date(NOW.getTime() - ms);

describe('the buckets of a chart', () => {
  it.each([
    ['1h', 30, MINUTE, 60],
    ['1h', 300, 5 * MINUTE, 12],
    ['6h', 60, 3 * MINUTE, 120],
    ['24h', 60, 15 * MINUTE, 96],
    ['90d', 60, DAY, 90],
    ['1h', 7 * 86_400, DAY, 1],
  ] as const)('of %s with a check every %i s are %i ms wide', (window, interval, width, count) => {
    const buckets = chartBuckets(window, NOW, interval);
    expect(buckets).toMatchObject({ width, count, until: NOW });
    expect(buckets.from.getTime() % width).toBe(0);
  });

  it('of a part of the past cover it, and end with it', () => {
    const since = ago(40 * MINUTE);
    expect(chartBuckets({ since, until: ago(10 * MINUTE) }, NOW)).toEqual({
      from: since,
      width: MINUTE,
      count: 30,
      until: ago(10 * MINUTE),
    });
  });

  it('of a past without individual results are hours', () => {
    expect(chartBuckets({ since: ago(40 * DAY), until: ago(40 * DAY - HOUR) }, NOW).width).toBe(HOUR);
  });
});

describe('the range of a page', () => {
  it.each([
    [null, '24h'],
    [ago(MINUTE), '1h'],
    [ago(48 * MINUTE), '1h'],
    [ago(49 * MINUTE), '6h'],
    [ago(5 * HOUR), '24h'],
    [ago(20 * DAY), '30d'],
    [ago(200 * DAY), '90d'],
  ])('fits a problem since %s: %s', (since, range) => {
    expect(chooseRange({}, since, NOW)).toEqual({ range, isFitted: since !== null });
  });

  it('is that of the URL, if it has one', () => {
    expect(chooseRange({ window: '7d' }, ago(MINUTE), NOW)).toEqual({ range: '7d', isFitted: false });
    const [from, to] = [ago(HOUR).toISOString(), ago(MINUTE).toISOString()];
    const { range } = chooseRange({ from, to, window: '7d' }, null, NOW);
    expect(range).toEqual({ since: ago(HOUR), until: ago(MINUTE) });
  });

  it.each([
    ['ends before it starts', { from: ago(0).toISOString(), to: ago(HOUR).toISOString() }],
    ['is in the future', { from: ago(-HOUR).toISOString(), to: ago(-DAY).toISOString() }],
    ['is longer than 90 days', { from: ago(100 * DAY).toISOString(), to: ago(0).toISOString() }],
    ['has no end', { from: ago(HOUR).toISOString() }],
  ])('ignores a part that %s', (_, view) => expect(chooseRange(view, null, NOW).range).toBe('24h'));
});
