import { vi } from 'vitest';
import { WAIT_MS } from '@/bin/testing/patience.mjs';

const INTERVAL_MS = 20;

/** Resolves with what `check` returns as soon as it does not throw; rejects with its last error once patience ends. */
export function waitFor<Value>(
  check: () => Value | Promise<Value>,
  { interval = INTERVAL_MS }: { interval?: number } = {},
): Promise<Value> {
  return vi.waitFor(check, { timeout: WAIT_MS, interval });
}

/** Resolves with what `check` returns as soon as that is true; rejects once patience ends. */
export function waitUntil<Value>(
  check: () => Value | Promise<Value>,
  { interval = INTERVAL_MS }: { interval?: number } = {},
) {
  return vi.waitUntil(check, { timeout: WAIT_MS, interval });
}
