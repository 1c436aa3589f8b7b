import { getHeapStatistics, setFlagsFromString } from 'node:v8';

const MB = 1024 * 1024;
/** Garbage that a worker may keep: what hundreds of deliveries or thousands of checks leave behind in a second. */
const GROWTH_BYTES = 24 * MB;
/** Of a large heap, whose collection takes longer. */
const MIN_PERCENT = 20;
const MAX_PERCENT = 100;
/** Well below the time in which a worker reads its monitors. */
const FOLLOW_MS = 500;

/**
 * Keeps the memory of this process close to what it uses: V8 lets a heap double or more between two full collections. Follows the
 * size of the heap, because each collection reads all of it: a fixed share would be too small for a small heap, whose collections
 * would follow each other, or too large for one with many monitors.
 */
export function limitHeapGrowth(): void {
  const follow = () => {
    const percent = growthPercent(getHeapStatistics().used_heap_size);
    setFlagsFromString(`--heap-growing-percent=${percent}`);
  };
  follow();
  setInterval(follow, FOLLOW_MS).unref();
}

/** By how many percent a heap with this many bytes in use may grow until its next full collection. */
export function growthPercent(usedBytes: number): number {
  const percent = Math.round((100 * GROWTH_BYTES) / usedBytes);
  return Math.min(MAX_PERCENT, Math.max(MIN_PERCENT, percent));
}
