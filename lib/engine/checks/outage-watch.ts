import type { ProbeResult } from '@/lib/checks/result';
import type { Logger } from '@/lib/core/logger';
import type { Clock } from '@/lib/core/time/clock';
import {
  countHosts,
  createReachWindow,
  isLoopbackHost,
  noteReach,
  OUTAGE_HOSTS,
  OUTAGE_WINDOW_MS,
  type Reach,
  suspectsWatcherOutage,
} from '@/lib/state/watcher-outage';

/** Keeps a worker that is cut off from its own network from reporting the whole world as down. */
export type OutageWatch = ReturnType<typeof createOutageWatch>;

type Held = Reach & {
  result: ProbeResult;
  /** Whether the canary has been silent since. */
  isSuspect: boolean;
  release: (result: ProbeResult) => void;
};

/** How long a result is held: as long as the failures of one outage may lie apart. */
const HOLD_MS = OUTAGE_WINDOW_MS;
const CANARY_REUSE_MS = 1000;
const RECHECK_MS = 2000;

const all = () => true;
const unchanged = (result: ProbeResult) => result;

/**
 * `checkCanary` resolves to whether this worker's network works (null: undetermined, which never counts as an
 * outage). `onCutOff` is called with the time since which results are dropped, and with null when that ends.
 */
export function createOutageWatch({
  clock,
  log,
  checkCanary,
  onCutOff,
}: {
  clock: Clock;
  log: Logger;
  checkCanary: () => Promise<boolean | null>;
  onCutOff: (since: Date | null) => void;
}) {
  const check = reuse(checkCanary, CANARY_REUSE_MS);
  let recent = createReachWindow();
  let held: Held[] = [];
  let isWatching = false;
  let isCutOff = false;
  /** Failures of checks that began earlier are dropped: they ran while this worker was cut off. */
  let countsFrom = Number.NEGATIVE_INFINITY;
  let stopped = false;

  const release = (which: (one: Held) => boolean, map: (result: ProbeResult) => ProbeResult) => {
    const released = held.filter(which);
    held = held.filter((one) => !which(one));
    for (const one of released) one.release(map(one.result));
  };

  const watchHeld = async () => {
    if (isWatching) return;
    isWatching = true;
    while (held.length > 0) {
      const responds = await check();
      // At the end of a hold, not when its timer fired: the failure must still be within the window.
      const now = Math.min(performance.now(), (held[0]?.at ?? 0) + HOLD_MS);
      // Results held while the canary was silent: an outage that ended before it was confirmed?
      const wasOutage = countHosts(held.filter(({ isSuspect }) => isSuspect)) >= OUTAGE_HOSTS;
      if (responds !== false) release(all, responds && wasOutage ? asUnknown : unchanged);
      else if (suspectsWatcherOutage(recent, now)) beginOutage();
      else release(({ at }) => performance.now() - at >= HOLD_MS, unchanged);
      for (const one of held) one.isSuspect = true;
      const oldest = held[0];
      if (oldest) await delay(Math.min(CANARY_REUSE_MS, oldest.at + HOLD_MS - performance.now()));
    }
    isWatching = false;
  };

  const beginOutage = () => {
    isCutOff = true;
    release(all, asUnknown);
    onCutOff(clock.now());
    log.error('this worker is cut off from its network; dropping its results until the canary responds');
    void endOutage();
  };

  const endOutage = async () => {
    do await delay(RECHECK_MS);
    while (!stopped && (await check()) === false);
    if (stopped) return;
    isCutOff = false;
    recent = createReachWindow();
    countsFrom = clock.now().getTime();
    onCutOff(null);
    log.warn('the network of this worker has recovered; its results count again');
  };

  return {
    /** Resolves to the result, or to unknown if this worker was cut off. May hold a network failure for 10 s. */
    judge: async (host: string, result: ProbeResult, startedAt: Date): Promise<ProbeResult> => {
      if (result.outcome === 'unknown' || isLoopbackHost(host)) return result;
      if (isCutOff || (result.networkFailure && (stopped || startedAt.getTime() < countsFrom))) {
        return asUnknown(result);
      }
      const at = performance.now();
      const reach = { host, ok: result.outcome === 'ok', networkFailure: result.networkFailure, at };
      noteReach(recent, reach);
      if (!result.networkFailure) {
        if (held.length > 0) release(all, unchanged);
        return result;
      }
      return new Promise((resolve) => {
        held.push({ ...reach, result, isSuspect: false, release: resolve });
        void watchHeld();
      });
    },
    /** Stops checking canaries; held results become unknown. */
    stop: (): void => {
      stopped = true;
      release(all, asUnknown);
    },
  };
}

/** Shares one call among all callers within `ms` of its result; a failed call is undetermined. */
function reuse(check: () => Promise<boolean | null>, ms: number): () => Promise<boolean | null> {
  let pending: Promise<boolean | null> | null = null;
  return () => {
    if (pending) return pending;
    const current = check().catch(() => null);
    pending = current;
    void current
      .then(() => delay(ms))
      .then(() => {
        pending = null;
      });
    return current;
  };
}

function asUnknown(result: ProbeResult): ProbeResult {
  const message = 'this worker was cut off from its own network';
  const error = { code: 'unavailable', message } as const;
  return { ...result, outcome: 'unknown', error, networkFailure: false, evidence: null };
}

function delay(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms).unref());
}
