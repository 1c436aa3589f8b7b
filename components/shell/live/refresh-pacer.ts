/** Decides when a page draws itself again. */
export type RefreshPacer = {
  /** Something happened that should be seen at once. */
  soon(): void;
  /** Something happened that can wait a little for more of its kind. */
  later(): void;
  stop(): void;
};

/** Changes come in company: the first waits this long for the others. */
const GATHER_MS = 200;
const SOON_GAP_MS = 1000;
const LATER_GAP_MS = 5000;
/** A page that takes long to draw is drawn less often: a part of the time at most, for the service has others to serve. */
const SHARE = 10;

/**
 * Runs `refresh` when it is asked for, one at a time: what should be seen at once not more than once a second, the rest every
 * five seconds. It counts from the moment that the pacer was made, when the page was fresh.
 */
export function createRefreshPacer(refresh: () => Promise<void>): RefreshPacer {
  let begunAt = performance.now();
  let tookMs = 0;
  let isRunning = false;
  let isStopped = false;
  /** What came up while a refresh was under way, which may have missed it. */
  let missedGapMs: number | null = null;
  let due: { at: number; timer: ReturnType<typeof setTimeout> } | null = null;

  const run = async () => {
    due = null;
    isRunning = true;
    begunAt = performance.now();
    await refresh();
    tookMs = performance.now() - begunAt;
    isRunning = false;
    const gapMs = missedGapMs;
    missedGapMs = null;
    if (gapMs !== null) ask(gapMs);
  };

  const ask = (gapMs: number) => {
    if (isStopped) return;
    if (isRunning) {
      missedGapMs = Math.min(gapMs, missedGapMs ?? gapMs);
      return;
    }
    const now = performance.now();
    const at = Math.max(now + GATHER_MS, begunAt + Math.max(gapMs, SHARE * tookMs));
    if (due !== null && due.at <= at) return;
    clearTimeout(due?.timer);
    due = { at, timer: setTimeout(run, at - now) };
  };

  return {
    soon: () => ask(SOON_GAP_MS),
    later: () => ask(LATER_GAP_MS),
    stop: () => {
      isStopped = true;
      clearTimeout(due?.timer);
    },
  };
}
