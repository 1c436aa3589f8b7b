import { Counter, Gauge, type Registry } from 'prom-client';
import type { PageCache } from '@/lib/platform/page-front';

/** Registers how much of the page cache is used, and how well it works. It is read from the cache, which counts by itself. */
export function registerPageCacheMetrics(registry: Registry, cache: Pick<PageCache, 'usage'>): void {
  const registers = [registry];
  new Counter({
    name: 'pharos_page_cache_requests_total',
    help: 'Requests for status pages: hit if served from memory without waiting, otherwise miss',
    labelNames: ['result'],
    registers,
    collect() {
      this.reset();
      for (const [result, count] of Object.entries(cache.usage().requests)) this.inc({ result }, count);
    },
  });
  new Gauge({
    name: 'pharos_page_cache_entries',
    help: 'Stored responses',
    registers,
    collect() {
      this.set(cache.usage().entries);
    },
  });
  new Gauge({
    name: 'pharos_page_cache_bytes',
    help: 'Bytes of stored responses, of at most PAGE_CACHE_MB',
    registers,
    collect() {
      this.set(cache.usage().bytes);
    },
  });
}
