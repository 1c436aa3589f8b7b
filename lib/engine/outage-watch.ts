import type { Clock } from '@/lib/core/clock';
import type { Logger } from '@/lib/core/logger';
import type { ProbeResult } from '@/lib/probes/types';
import {
  isLoopbackHost,
  OUTAGE_WINDOW_MS,
  type ReachResult,
  suspectsWatcherOutage,
} from '@/lib/state/watcher-outage';

/** Keeps a worker that is cut off from its own network from calling the world down. */
export type OutageWatch = {
  /** What a result is worth: itself, or unknown while this worker is cut off. */
  judge(host: string, result: ProbeResult): Promise<ProbeResult>;
  /** Asks no more canaries. */
  stop(): void;
};

const ASK_AGAIN_MS = 2000;

/**
 * `askCanary` answers whether this worker's network works (null: nobody knows, which never counts as an outage).
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
  let recent: ReachResult[] = [];
  let cutOff = false;
  let asking: Promise<boolean | null> | null = null;
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;

  const ask = () => {
    asking ??= askCanary().finally(() => {
      asking = null;
    });
    return asking;
  };

  const begin = () => {
    if (cutOff) return;
    cutOff = true;
    tellCutOff(clock.now());
    log.error('this worker is cut off from its network: its results are dropped until the canary answers');
    askAgainLater();
  };

  const askAgainLater = () => {
    if (stopped) return;
    timer = setTimeout(async () => {
      if ((await ask().catch(() => false)) === false) return askAgainLater();
      cutOff = false;
      recent = [];
      tellCutOff(null);
      log.warn('the network of this worker answers again: its results count');
    }, ASK_AGAIN_MS);
    timer.unref();
  };

  return {
    judge: async (host, result) => {
      if (result.outcome === 'unknown' || isLoopbackHost(host)) return result;
      const at = clock.now().getTime();
      recent = recent.filter((seen) => at - seen.at <= OUTAGE_WINDOW_MS);
      recent.push({ host, ok: result.outcome === 'ok', networkFailure: result.networkFailure, at });
      const isSuspect = !cutOff && result.networkFailure && suspectsWatcherOutage(recent, at);
      if (isSuspect && (await ask().catch(() => null)) === false) begin();
      return cutOff ? asUnknown(result) : result;
    },
    stop: () => {
      stopped = true;
      clearTimeout(timer);
    },
  };
}

function asUnknown(result: ProbeResult): ProbeResult {
  const message = 'this worker was cut off from its own network';
  return { ...result, outcome: 'unknown', error: { code: 'unavailable', message }, networkFailure: false };
}
