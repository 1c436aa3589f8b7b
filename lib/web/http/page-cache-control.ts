/** How long shared caches keep a page, and how much longer while they request it again, in seconds. */
const FRESH = 10;
const REVALIDATE = 60;

type Bound = { until: number; now: number };

/** The Cache-Control of a page and its formats. A copy is not kept beyond `until`; times are in epoch milliseconds. */
export function pageCacheControl(bound?: Bound): string {
  const left = bound ? Math.max(0, Math.floor((bound.until - bound.now) / 1000)) : Number.POSITIVE_INFINITY;
  const fresh = Math.min(FRESH, left);
  return `public, s-maxage=${fresh}, stale-while-revalidate=${Math.min(REVALIDATE, left - fresh)}`;
}
