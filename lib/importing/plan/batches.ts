import type { MonitorBody } from './plan';

/** Stays below the limit of a request body. */
const MAX_BYTES = 512 * 1024;

/** Monitors in groups of at most `max`, each small enough for one request. */
export function* inBatches(monitors: readonly MonitorBody[], max: number): Generator<MonitorBody[]> {
  let batch: MonitorBody[] = [];
  let bytes = 0;
  for (const monitor of monitors) {
    const size = new TextEncoder().encode(JSON.stringify(monitor)).length;
    if (batch.length > 0 && (batch.length === max || bytes + size > MAX_BYTES)) {
      yield batch;
      [batch, bytes] = [[], 0];
    }
    batch.push(monitor);
    bytes += size;
  }
  if (batch.length > 0) yield batch;
}
