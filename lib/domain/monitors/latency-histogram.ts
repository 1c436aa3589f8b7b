/** Response times in milliseconds, counted by bucket. Sparse: a bucket without a response time has no entry. */
export type LatencyHistogram = ReadonlyMap<number, number>;

const GROWTH = 1.09;
const LONGEST_TIMEOUT_MS = 60_000;
const COUNT_BITS = 24;
const COUNT_MASK = 2 ** COUNT_BITS - 1;

/**
 * Where the buckets begin, in whole milliseconds: bucket b holds [BUCKET_STARTS[b - 1], BUCKET_STARTS[b]), bucket 0 what
 * took less than a millisecond, the last one everything longer. One millisecond wide up to 12 ms, from there at most 9 %.
 * Stored rollups are made with this very list: it must never change.
 */
export const BUCKET_STARTS: readonly number[] = listBucketStarts();

/** No estimate is further from the exact quantile than this share of it: the middle of a 9 % wide bucket. */
export const QUANTILE_ERROR = Math.sqrt(GROWTH) - 1;

export const EMPTY_HISTOGRAM: LatencyHistogram = new Map();

function listBucketStarts(): number[] {
  const starts: number[] = [];
  for (let start = 1; start <= LONGEST_TIMEOUT_MS; start = Math.max(start + 1, Math.floor(start * GROWTH))) {
    starts.push(start);
  }
  return starts;
}

/** The histogram with one response time (milliseconds, 0 or more) added. */
export function addResponseTime(histogram: LatencyHistogram, ms: number): LatencyHistogram {
  return mergeHistograms(histogram, new Map([[bucketOf(ms), 1]]));
}

/** What both have counted together: in any order and grouping the same. */
export function mergeHistograms(one: LatencyHistogram, other: LatencyHistogram): LatencyHistogram {
  const merged = new Map(one);
  for (const [bucket, count] of other) merged.set(bucket, (merged.get(bucket) ?? 0) + count);
  return merged;
}

/**
 * The response time that the share `p` (above 0, up to 1) of all does not exceed, in milliseconds: within QUANTILE_ERROR of
 * the exact one up to the longest timeout, a minute. Null for an empty histogram.
 */
export function quantile(histogram: LatencyHistogram, p: number): number | null {
  const total = [...histogram.values()].reduce((sum, count) => sum + count, 0);
  if (total === 0) return null;
  const rank = Math.max(1, Math.ceil(p * total));
  let seen = 0;
  for (const [bucket, count] of [...histogram].sort(([a], [b]) => a - b)) {
    seen += count;
    if (seen >= rank) return middleOfBucket(bucket);
  }
  throw new Error('p is above 1');
}

/** As a rollup stores it: one number an entry, the bucket in the upper bits and its count (below 2^24) in the lower. */
export function packHistogram(histogram: LatencyHistogram): number[] {
  return [...histogram].sort(([a], [b]) => a - b).map(([bucket, count]) => bucket * 2 ** COUNT_BITS + count);
}

/** The histogram that was stored as `packed`. */
export function unpackHistogram(packed: readonly number[]): LatencyHistogram {
  return new Map(packed.map((entry) => [entry >>> COUNT_BITS, entry & COUNT_MASK]));
}

function bucketOf(ms: number): number {
  const next = BUCKET_STARTS.findIndex((start) => start > ms);
  return next === -1 ? BUCKET_STARTS.length : next;
}

/** The geometric middle of the whole milliseconds in a bucket: equally far, as a ratio, from both its ends. */
export function middleOfBucket(bucket: number): number {
  const first = BUCKET_STARTS[bucket - 1] ?? 0;
  const last = (BUCKET_STARTS[bucket] ?? LONGEST_TIMEOUT_MS + 1) - 1;
  return Math.sqrt(first * last);
}
