'use client';

import { unstable_isUnrecognizedActionError } from 'next/navigation';
import { startTransition, useEffect, useEffectEvent, useState } from 'react';
import { isRoutine, type LiveKind, parseLiveKinds } from '@/lib/schemas/live';
import { type LiveState, listenLive } from './live-store';

/** A refresh without a response is abandoned after this time, so that the next can start. */
const TIMEOUT_MS = 15_000;
/** Regular refreshes without a stream, and with it for changes that it does not report. */
const CUT_EVERY_MS = 15_000;
const LIVE_EVERY_MS = 60_000;
/** Shorter interruptions of the stream are not shown. */
const BLINK_MS = 2000;

/**
 * Runs `refresh` when something of these kinds changed and the page is visible. Returns since when the page may be out of
 * date, by this browser's clock, or null.
 */
export function useLiveRefresh(refresh: () => Promise<void>, kinds: readonly LiveKind[]): number | null {
  const [staleSince, setStaleSince] = useState<number | null>(null);
  const runRefresh = useEffectEvent(refresh);
  const kindList = kinds.join();

  useEffect(() => {
    const heard = parseLiveKinds(kindList);
    let freshAt = Date.now();
    let state: LiveState = 'opening';
    let blink: ReturnType<typeof setTimeout> | undefined;

    const run = async () => {
      if (document.visibilityState !== 'visible') return;
      try {
        await within(TIMEOUT_MS, runRefresh);
        freshAt = Date.now();
        setStaleSince(state === 'cut' ? freshAt : null);
      } catch (error) {
        // The service was upgraded, and this page cannot talk to the new version.
        if (unstable_isUnrecognizedActionError(error)) window.location.reload();
        else setStaleSince(freshAt);
      }
    };
    const pacer = createRefreshPacer(run);
    const stopListening = listenLive({
      onHint: (changed) => {
        const ours = changed.filter((kind) => heard.includes(kind));
        if (ours.some((kind) => !isRoutine(kind))) pacer.soon();
        else if (ours.length > 0) pacer.later();
      },
      onState: (next, heardAt) => {
        const [before, wasStale] = [state, state === 'cut'];
        state = next;
        if (next === before) return;
        clearTimeout(blink);
        if (before === 'live') freshAt = Math.max(freshAt, heardAt);
        if (next === 'cut') blink = setTimeout(() => setStaleSince(freshAt), BLINK_MS);
        // The session may have ended since the page was rendered: the refresh finds out, and redirects.
        if (next === 'cut' && before === 'opening') pacer.soon();
        // Changes since the page was rendered were not reported.
        if (next === 'live' && wasStale) pacer.soon();
        else if (next === 'live') pacer.later();
      },
    });
    const timer = setInterval(() => {
      if (Date.now() - freshAt >= (state === 'live' ? LIVE_EVERY_MS : CUT_EVERY_MS)) pacer.soon();
    }, 1000);
    const look = () => pacer.soon();
    document.addEventListener('visibilitychange', look);
    return () => {
      stopListening();
      pacer.stop();
      clearTimeout(blink);
      clearInterval(timer);
      document.removeEventListener('visibilitychange', look);
    };
  }, [kindList]);

  return staleSince;
}

/** Runs an action in a transition and rejects after `ms`. */
function within(ms: number, run: () => Promise<void>): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('no response')), ms);
    startTransition(async () => {
      await run()
        .then(resolve, reject)
        .finally(() => clearTimeout(timer));
    });
  });
}

/** Changes often come together: the first waits this long for the others. */
const GATHER_MS = 200;

/**
 * The time between the starts of two refreshes: at least `least`, and `times` as long as the last one took, up to `most`.
 * Expensive pages are refreshed less often to reduce the load on the service.
 */
const SOON = { least: 1000, times: 3, most: 5000 };
const LATER = { least: 5000, times: 10, most: 30_000 };

type Gap = typeof SOON;

/** Runs `refresh` on request, one at a time: at most once a second for `soon`, every five seconds for `later`. */
export function createRefreshPacer(refresh: () => Promise<void>) {
  let startedAt = performance.now();
  let tookMs = 0;
  let isRunning = false;
  let isStopped = false;
  /** Requested while a refresh was running, which may have missed the change. */
  let missed: Gap | null = null;
  let due: { at: number; timer: ReturnType<typeof setTimeout> } | null = null;

  const run = async () => {
    due = null;
    isRunning = true;
    startedAt = performance.now();
    await refresh();
    tookMs = performance.now() - startedAt;
    isRunning = false;
    const gap = missed;
    missed = null;
    if (gap !== null) request(gap);
  };

  const request = (gap: Gap) => {
    if (isStopped) return;
    if (isRunning) {
      missed = missed === SOON ? SOON : gap;
      return;
    }
    const now = performance.now();
    const gapMs = Math.min(gap.most, Math.max(gap.least, gap.times * tookMs));
    const at = Math.max(now + GATHER_MS, startedAt + gapMs);
    if (due !== null && due.at <= at) return;
    clearTimeout(due?.timer);
    due = { at, timer: setTimeout(run, at - now) };
  };

  return {
    /** For changes that should be visible immediately. */
    soon: () => request(SOON),
    /** For changes that can wait and be combined with others. */
    later: () => request(LATER),
    stop: () => {
      isStopped = true;
      clearTimeout(due?.timer);
    },
  };
}
