import { useBrowserValue } from '../store';

const TICK_MS = 1000;

/**
 * The service's clock as this page knows it, kept running in the browser. A time sent with a page arrives late, and one
 * from the browser's cache even later, so the clock only ever moves forward.
 */
let offsetMs: number | null = null;
let nowMs: number | null = null;
let timer: ReturnType<typeof setInterval> | undefined;
const listeners = new Set<() => void>();

/** Sets the clock to a time sent by the service, in ISO 8601. */
export function setPageClock(now: string): void {
  const offset = Date.parse(now) - performance.now();
  if (offsetMs !== null && offset <= offsetMs) return;
  offsetMs = offset;
  tick();
}

/** Calls `notify` every second and when the clock is set. Returns the function that unsubscribes. All share one timer. */
export function watchPageClock(notify: () => void): () => void {
  listeners.add(notify);
  timer ??= setInterval(tick, TICK_MS);
  return () => {
    listeners.delete(notify);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

/** The time at the last tick, in milliseconds; null before the clock was set. */
export function readPageClock(): number | null {
  return nowMs;
}

function tick(): void {
  if (offsetMs === null) return;
  nowMs = offsetMs + performance.now();
  for (const notify of listeners) notify();
}

/** The reader's time zone; UTC on the server and during hydration. */
export function useTimeZone(): string {
  return useBrowserValue(
    () => Intl.DateTimeFormat().resolvedOptions().timeZone,
    () => 'UTC',
  );
}
