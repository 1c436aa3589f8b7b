import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  addResponseTime,
  BUCKET_STARTS,
  EMPTY_HISTOGRAM,
  type LatencyHistogram,
  mergeHistograms,
  packHistogram,
  QUANTILE_ERROR,
  quantile,
  unpackHistogram,
} from './read-latency';

const histogramOf = (times: number[]) => times.reduce(addResponseTime, EMPTY_HISTOGRAM);
const entriesOf = (histogram: LatencyHistogram) => [...histogram].sort(([a], [b]) => a - b);

/** Realistic response times: many short, few long, up to the longest timeout. */
const time = fc.oneof(fc.integer({ min: 0, max: 300 }), fc.integer({ min: 0, max: 60_000 }));
const times = fc.array(time, { maxLength: 200 });
const histograms = times.map(histogramOf);

describe('a latency histogram', () => {
  it('estimates a quantile within its error bound', () => {
    fc.assert(
      fc.property(
        fc.array(time, { minLength: 1, maxLength: 300 }),
        fc.double({ min: 0.001, max: 1, noNaN: true }),
        (all, p) => {
          const exact = all.toSorted((a, b) => a - b)[Math.ceil(p * all.length) - 1] ?? Number.NaN;
          const estimate = quantile(histogramOf(all), p) ?? Number.NaN;
          expect(Math.abs(estimate - exact)).toBeLessThanOrEqual(exact * QUANTILE_ERROR + 1e-9);
        },
      ),
    );
    expect(QUANTILE_ERROR).toBeLessThan(0.045);
  });

  it('is exact up to 12 ms', () => {
    fc.assert(fc.property(fc.integer({ min: 0, max: 12 }), (ms) => quantile(histogramOf([ms]), 0.5) === ms));
  });

  it('merges to the same in any order and grouping', () => {
    fc.assert(
      fc.property(histograms, histograms, histograms, (a, b, c) => {
        expect(entriesOf(mergeHistograms(a, b))).toEqual(entriesOf(mergeHistograms(b, a)));
        const left = mergeHistograms(mergeHistograms(a, b), c);
        const right = mergeHistograms(a, mergeHistograms(b, c));
        expect(entriesOf(left)).toEqual(entriesOf(right));
      }),
    );
  });

  it('is the same merged as counted together', () => {
    fc.assert(
      fc.property(times, times, (a, b) => {
        const merged = mergeHistograms(histogramOf(a), histogramOf(b));
        expect(entriesOf(merged)).toEqual(entriesOf(histogramOf([...a, ...b])));
      }),
    );
  });

  it('survives a round trip through its stored form', () => {
    fc.assert(
      fc.property(histograms, (histogram) => {
        const packed = packHistogram(histogram);
        expect(packed.every((entry) => Number.isInteger(entry) && entry < 2 ** 31)).toBe(true);
        expect(entriesOf(unpackHistogram(packed))).toEqual(entriesOf(histogram));
      }),
    );
  });

  it('has no quantile while it is empty', () => {
    expect(quantile(EMPTY_HISTOGRAM, 0.5)).toBeNull();
  });

  it('keeps the buckets of stored rollups', () => {
    expect(BUCKET_STARTS).toHaveLength(117);
    expect(BUCKET_STARTS.slice(0, 16)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16]);
    expect(BUCKET_STARTS.slice(-3)).toEqual([48_252, 52_594, 57_327]);
    expect(BUCKET_STARTS.reduce((sum, start) => sum + start, 0)).toMatchInlineSnapshot(`694799`);
  });
});
