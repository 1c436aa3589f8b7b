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
/**
 * From the beginning of one drawing to that of the next: at least so long, and so many times as long as the last one took, up to
 * `most`. A page that is costly to draw is drawn less often, for the service has others to serve.
 */
const SOON = { least: 1000, times: 3, most: 5000 };
const LATER = { least: 5000, times: 10, most: 30_000 };

type Gap = typeof SOON;

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
  let missed: Gap | null = null;
  let due: { at: number; timer: ReturnType<typeof setTimeout> } | null = null;

  const run = async () => {
    due = null;
    isRunning = true;
    begunAt = performance.now();
    await refresh();
    tookMs = performance.now() - begunAt;
    isRunning = false;
    const gap = missed;
    missed = null;
    if (gap !== null) ask(gap);
  };

  const ask = (gap: Gap) => {
    if (isStopped) return;
    if (isRunning) {
      missed = missed === SOON ? SOON : gap;
      return;
    }
    const now = performance.now();
    const gapMs = Math.min(gap.most, Math.max(gap.least, gap.times * tookMs));
    const at = Math.max(now + GATHER_MS, begunAt + gapMs);
    if (due !== null && due.at <= at) return;
    clearTimeout(due?.timer);
    due = { at, timer: setTimeout(run, at - now) };
  };

  return {
    soon: () => ask(SOON),
    later: () => ask(LATER),
    stop: () => {
      isStopped = true;
      clearTimeout(due?.timer);
    },
  };
}
