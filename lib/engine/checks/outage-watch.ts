import type { ProbeResult } from '@/lib/checks/result';
import type { Clock } from '@/lib/core/clock';
import type { Logger } from '@/lib/core/logger';
import {
  countHosts,
  isLoopbackHost,
  OUTAGE_HOSTS,
  OUTAGE_WINDOW_MS,
  type Reach,
  suspectsWatcherOutage,
} from '@/lib/state/watcher-outage';

/** Keeps a worker that is cut off from its own network from calling the world down. */
export type OutageWatch = {
  /**
   * What the result of a check that began at `startedAt` is worth: itself, or unknown where this worker was cut off. A
   * network failure is held while the canary does not respond, for 10 s at most.
   */
  judge(host: string, result: ProbeResult, startedAt: Date): Promise<ProbeResult>;
  /** Asks no more canaries; what is held becomes unknown. */
  stop(): void;
};

type Held = Reach & {
  result: ProbeResult;
  /** Whether the canary was silent since. */
  isSuspect: boolean;
  release: (result: ProbeResult) => void;
};

/** A result is held no longer: as long as the failures of one outage may lie apart. */
const HOLD_MS = OUTAGE_WINDOW_MS;
/** How long a response of the canary, or its silence, is good for. */
const CANARY_REUSED_MS = 1000;
const ASK_AGAIN_MS = 2000;

/**
 * `askCanary` resolves to whether this worker's network works (null: nobody knows, which never counts as an outage).
 * `tellCutOff` lets the operator know since when results are dropped, and with null that it is over.
 */
export function createOutageWatch({
  clock,
  log,
  askCanary,
  tellCutOff,
}: {
  clock: Clock;
  log: Logger;
  askCanary: () => Promise<boolean | null>;
  tellCutOff: (since: Date | null) => void;
}): OutageWatch {
  const ask = reuse(askCanary, CANARY_REUSED_MS);
  let recent: Reach[] = [];
  let held: Held[] = [];
  let isWatching = false;
  let isCutOff = false;
  /** Failures of checks that began before say nothing: they ran while this worker was cut off. */
  let countsFrom = Number.NEGATIVE_INFINITY;
  let stopped = false;

  const release = (which: (one: Held) => boolean, worth: (result: ProbeResult) => ProbeResult) => {
    const released = held.filter(which);
    held = held.filter((one) => !which(one));
    for (const one of released) one.release(worth(one.result));
  };

  const watchHeld = async () => {
    if (isWatching) return;
    isWatching = true;
    while (held.length > 0) {
      const responds = await ask();
      // At the end of a hold, not when its timer fired: the failure has to be within the window still.
      const now = Math.min(performance.now(), (held[0]?.at ?? 0) + HOLD_MS);
      if (responds !== false) release(all, responds && wasOutage(held) ? asUnknown : asItIs);
      else if (suspectsWatcherOutage(recent, now)) beginOutage();
      else release(({ at }) => performance.now() - at >= HOLD_MS, asItIs);
      for (const one of held) one.isSuspect = true;
      const oldest = held[0];
      if (oldest) await delay(Math.min(CANARY_REUSED_MS, oldest.at + HOLD_MS - performance.now()));
    }
    isWatching = false;
  };

  const beginOutage = () => {
    isCutOff = true;
    release(all, asUnknown);
    tellCutOff(clock.now());
    log.error('this worker is cut off from its network: its results are dropped until the canary responds');
    void endOutage();
  };

  const endOutage = async () => {
    do await delay(ASK_AGAIN_MS);
    while (!stopped && (await ask()) === false);
    if (stopped) return;
    isCutOff = false;
    recent = [];
    countsFrom = clock.now().getTime();
    tellCutOff(null);
    log.warn('the network of this worker works again: its results count');
  };

  return {
    judge: async (host, result, startedAt) => {
      if (result.outcome === 'unknown' || isLoopbackHost(host)) return result;
      if (isCutOff || (result.networkFailure && (stopped || startedAt.getTime() < countsFrom))) {
        return asUnknown(result);
      }
      const at = performance.now();
      const reach = { host, ok: result.outcome === 'ok', networkFailure: result.networkFailure, at };
      if (!result.networkFailure) {
        // The network works: what failed before failed for another reason.
        recent = [reach];
        release(all, asItIs);
        return result;
      }
      recent = [...recent.filter((seen) => at - seen.at <= 2 * OUTAGE_WINDOW_MS), reach];
      return new Promise((resolve) => {
        held.push({ ...reach, result, isSuspect: false, release: resolve });
        void watchHeld();
      });
    },
    stop: () => {
      stopped = true;
      release(all, asUnknown);
    },
  };
}

/** Whether what was held while the canary was silent was an outage, though it is over before that was certain. */
function wasOutage(held: readonly Held[]): boolean {
  return countHosts(held.filter(({ isSuspect }) => isSuspect)) >= OUTAGE_HOSTS;
}

/** Asks once for all that want to know within `ms` of the response; a failure to ask means that nobody knows. */
function reuse(ask: () => Promise<boolean | null>, ms: number): () => Promise<boolean | null> {
  let asking: Promise<boolean | null> | null = null;
  return () => {
    if (asking) return asking;
    const current = ask().catch(() => null);
    asking = current;
    void current
      .then(() => delay(ms))
      .then(() => {
        asking = null;
      });
    return current;
  };
}

function all(): boolean {
  return true;
}

function asItIs(result: ProbeResult): ProbeResult {
  return result;
}

function asUnknown(result: ProbeResult): ProbeResult {
  const message = 'this worker was cut off from its own network';
  return { ...result, outcome: 'unknown', error: { code: 'unavailable', message }, networkFailure: false };
}

function delay(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms).unref());
}
