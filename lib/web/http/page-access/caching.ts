import type { PageRow } from '@/lib/domain/status-pages/page-row';

/** How long shared caches keep a page, and how much longer while they request it again, in seconds. */
const FRESH = 10;
const REVALIDATE = 60;

/** The Cache-Control of what never changes at its address. */
export const FIXED = 'public, max-age=31536000, immutable';

/** When a copy must be gone, and what time it is, in epoch milliseconds. */
export type CacheBound = { until: number; now: number };

/** The Cache-Control of a page and its formats. A copy is not kept beyond `until`. */
export function pageCacheControl(bound?: CacheBound): string {
  const left = bound ? Math.max(0, Math.floor((bound.until - bound.now) / 1000)) : Number.POSITIVE_INFINITY;
  const fresh = Math.min(FRESH, left);
  return `public, s-maxage=${fresh}, stale-while-revalidate=${Math.min(REVALIDATE, left - fresh)}`;
}

/** What search engines are asked of a page and everything below its address. */
export function robotsHeaders({ noindex }: Pick<PageRow['brand'], 'noindex'>): Record<string, string> {
  return noindex ? { 'X-Robots-Tag': 'noindex' } : {};
}
