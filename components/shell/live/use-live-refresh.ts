'use client';

import { unstable_isUnrecognizedActionError } from 'next/navigation';
import { startTransition, useEffect, useEffectEvent, useState } from 'react';
import { type LiveKind, parseLiveKinds } from '@/lib/schemas/live';
import { type LiveState, listenLive } from './live-store';

/** Decides when a page draws itself again. */
type RefreshPacer = {
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

/** A refresh without an answer for so long is given up, so that the next can begin. */
const PATIENCE_MS = 15_000;
/** Without the stream, and with it for what nobody tells of. */
const CUT_EVERY_MS = 15_000;
const LIVE_EVERY_MS = 60_000;
/** A stream that is back so soon was never missed. */
const BLINK_MS = 2000;

/**
 * Runs `refresh` when something of these kinds happened and the page is looked at. Answers since when the page may be out of
 * date (a moment of this browser's clock), or null.
 */
export function useLiveRefresh(refresh: () => Promise<void>, kinds: readonly LiveKind[]): number | null {
  const [staleSince, setStaleSince] = useState<number | null>(null);
  const runRefresh = useEffectEvent(refresh);
  const named = kinds.join();

  useEffect(() => {
    const heard = parseLiveKinds(named);
    let freshAt = Date.now();
    let state: LiveState = 'opening';
    let blink: ReturnType<typeof setTimeout> | undefined;

    const draw = async () => {
      if (document.visibilityState !== 'visible') return;
      try {
        await within(PATIENCE_MS, runRefresh);
        freshAt = Date.now();
        setStaleSince(state === 'cut' ? freshAt : null);
      } catch (error) {
        // Another version of the service answers now: this page cannot talk to it.
        if (unstable_isUnrecognizedActionError(error)) window.location.reload();
        else setStaleSince(freshAt);
      }
    };
    const pacer = createRefreshPacer(draw);
    const stopListening = listenLive({
      onHint: (told) => {
        const ours = told.filter((kind) => heard.includes(kind));
        if (ours.some((kind) => kind !== 'results')) pacer.soon();
        else if (ours.length > 0) pacer.later();
      },
      onState: (next, heardAt) => {
        const [before, wasStale] = [state, state === 'cut'];
        state = next;
        if (next === before) return;
        clearTimeout(blink);
        if (before === 'live') freshAt = Math.max(freshAt, heardAt);
        if (next === 'cut') blink = setTimeout(() => setStaleSince(freshAt), BLINK_MS);
        // What happened between the drawing of the page and now, nobody told it.
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
  }, [named]);

  return staleSince;
}

/** Runs an action as the transition that it is, for so long at most. */
function within(ms: number, run: () => Promise<void>): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('no answer')), ms);
    startTransition(async () => {
      await run()
        .then(resolve, reject)
        .finally(() => clearTimeout(timer));
    });
  });
}

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
