import { useSyncExternalStore } from 'react';

const never = () => () => {};

const readZone = () => Intl.DateTimeFormat().resolvedOptions().timeZone;

const ofTheServer = () => 'UTC';

/**
 * The service's clock, as this page knows it: it goes on while the page is open. A time that came with a page is late by the way
 * here, and a page from the browser's memory by more; so the furthest ahead is the nearest to the truth.
 */
let aheadMs: number | null = null;
let nowMs: number | null = null;
let timer: ReturnType<typeof setInterval> | undefined;
const watchers = new Set<() => void>();

const TICK_MS = 1000;

/** Sets the clock by a time that came from the service, in ISO 8601. */
export function setPageClock(now: string): void {
  const ahead = Date.parse(now) - performance.now();
  if (aheadMs !== null && ahead <= aheadMs) return;
  aheadMs = ahead;
  tick();
}

/** Calls `tell` every second, and when the clock is set, until the answer is called. All share one timer. */
export function watchPageClock(tell: () => void): () => void {
  watchers.add(tell);
  timer ??= setInterval(tick, TICK_MS);
  return () => {
    watchers.delete(tell);
    if (watchers.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

/** What time it was at the last tick, in milliseconds; null before the clock was set. */
export function readPageClock(): number | null {
  return nowMs;
}

function tick(): void {
  if (aheadMs === null) return;
  nowMs = aheadMs + performance.now();
  for (const tell of watchers) tell();
}

/** The reader's time zone; UTC on the server, which cannot know it, and until the page lives. */
export function useTimeZone(): string {
  return useSyncExternalStore(never, readZone, ofTheServer);
}
