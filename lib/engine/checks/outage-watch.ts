import type { ProbeResult } from '@/lib/checks/result';
import type { Logger } from '@/lib/core/logger';
import type { Clock } from '@/lib/core/time/clock';
import type { OwnNetwork } from '@/lib/platform/net/canary';
import type { ProbeTarget } from '@/lib/schemas/monitor/fields';
import {
  clearFailures,
  createNetworkView,
  decideOutage,
  findSilentCanaries,
  isProven,
  mustHold,
  noteCounted,
  noteFailed,
  noteReached,
  OUTAGE_WINDOW_MS,
  provenAt,
  type Question,
  recoveredAt,
  selectProofs,
  type Way,
} from '@/lib/state/watcher-outage';
import { type CheckedHost, createPlaces } from './places';
import { keepProofs } from './proofs';

/** Keeps a worker that is cut off from its own network from reporting the whole world as down. */
export type OutageWatch = ReturnType<typeof createOutageWatch>;

/** What a worker reports of its own network. */
export type NetworkCondition = {
  /** Since when it is cut off; null: it is not. */
  cutOffAt: Date | null;
  /** How many network failures became unknown since then. */
  dropped: number;
  /** Since when an address of NETWORK_CANARY is silent while targets are reached; null: none is. */
  silentCanaryAt: Date | null;
};

/** What a worker reports whose network works. */
export const NETWORK_WORKS: NetworkCondition = { cutOffAt: null, dropped: 0, silentCanaryAt: null };

/**
 * A check, as far as this worker's network matters. `repeat` runs it again; `onBack` is called once this worker is no longer cut off,
 * if that made the result unknown.
 */
export type JudgedCheck = CheckedHost & {
  startedAt: Date;
  repeat(): Promise<ProbeResult>;
  onBack?(): void;
};

/** What becomes of a held failure. `repeat`: the network recovered meanwhile, so that the failure shows nothing of the target. */
type Verdict = 'counts' | 'unknown' | 'repeat';
type Held = { at: number; release: (verdict: Verdict) => void };
type Trial = Question & {
  startedAt: number;
  reachedSince: number;
  failedRounds: number;
  held: Held[];
  isOver: boolean;
};
/** When a failed check began, and since when a reached target shows that its way works. */
type Moments = { begunAt: number; reachedSince: number };
type CutOff = Question & {
  since: Date;
  /** When the way was last known to work. */
  workedUntil: Date;
  startedAt: number;
  reachedSince: number;
  /** Of the checks whose results became unknown: once per target. */
  dropped: Map<ProbeTarget, () => void>;
  hosts: Set<string>;
};

/** Between the rounds in which proofs are asked. A round takes at most two seconds, so three of them end within the hold. */
const ROUND_MS = 3000;
/** How long a result is held at most. */
const HOLD_MS = OUTAGE_WINDOW_MS;
const RECHECK_MS = 2000;
/** What worked so recently is not asked again about a heartbeat. */
const JUST_NOW_MS = 3000;

/**
 * Judges network failures of checks by proofs, each way on its own: see `decideOutage`. `onCutOff` is called when this worker is cut
 * off, and when that ends; `onBack` when it reaches what is not directly attached again, with the moment until which it did before. Asks
 * nothing before `start`, except about failures.
 */
export function createOutageWatch({
  clock,
  log,
  network,
  onCutOff,
  onBack = () => undefined,
}: {
  clock: Clock;
  log: Logger;
  network: OwnNetwork;
  onCutOff: () => void;
  onBack?: (workedUntil: Date) => void;
}) {
  const now = () => performance.now();
  const view = createNetworkView();
  const places = createPlaces(network);
  const trials = new Map<Way, Trial>();
  const cutOffs = new Map<Way, CutOff>();
  const endedAt = new Map<Way, number>();
  let dropped = 0;
  let stopped = false;

  const proofs = keepProofs({
    ...{ view, network, places, now, log },
    onProof: () => {
      for (const trial of trials.values()) settle(trial);
      for (const [way, cutOff] of cutOffs) if (isProven(view, cutOff, cutOff)) endCutOff(way);
    },
  });

  const condition = (): NetworkCondition => {
    const silent = findSilentCanaries(view);
    const since = Math.min(...[...cutOffs.values()].map((each) => each.since.getTime()));
    return {
      cutOffAt: cutOffs.size === 0 ? null : new Date(since),
      dropped,
      silentCanaryAt: silent && new Date(clock.now().getTime() - (now() - silent.since)),
    };
  };

  const end = (trial: Trial, verdict: Verdict) => {
    trial.isOver = true;
    if (trials.get(trial.way) === trial) trials.delete(trial.way);
    for (const { release } of trial.held.splice(0)) release(verdict);
  };

  /** Decides a trial, if it can be decided. */
  const settle = (trial: Trial) => {
    if (trial.isOver) return;
    const oldest = trial.held[0];
    // At the end of a hold, not when its timer fired: the failures must still be within the window.
    const at = oldest ? Math.min(now(), oldest.at + HOLD_MS) : now();
    const decision = decideOutage(view, trial, at);
    if (decision === 'cut off') beginCutOff(trial);
    else if (decision === 'works')
      end(trial, trial.isCounting && trial.failedRounds > 0 ? 'repeat' : 'counts');
    else if (!trial.isCounting) {
      const isDue = (held: Held) => now() - held.at >= HOLD_MS;
      const due = trial.held.filter(isDue);
      trial.held = trial.held.filter((held) => !isDue(held));
      for (const { release } of due) release('counts');
      if (trial.held.length === 0) end(trial, 'counts');
    }
  };

  const runTrial = async (trial: Trial) => {
    while (!trial.isOver) {
      const next = now() + ROUND_MS;
      await proofs.ask(trial.proofs);
      trial.failedRounds += 1;
      settle(trial);
      await delay(next - now());
    }
  };

  /** Holds a failure until it is decided. A target that was reached since `reachedSince` shows that the way works. */
  const hold = (way: Way, reachedSince: number): Promise<Verdict> => {
    const at = now();
    const current = trials.get(way);
    const opened = { startedAt: at, reachedSince, failedRounds: 0, held: [], isOver: false };
    const trial: Trial = current ?? { ...selectProofs(view, way, at), ...opened };
    const verdict = new Promise<Verdict>((release) => trial.held.push({ at, release }));
    void delay(HOLD_MS).then(() => settle(trial));
    if (current === undefined) {
      trials.set(way, trial);
      void runTrial(trial);
    }
    return verdict;
  };

  const beginCutOff = (trial: Trial) => {
    const { way, proofs: asked, isCounting } = trial;
    const toDate = (at: number) => new Date(clock.now().getTime() - (now() - at));
    const since = toDate(trial.startedAt);
    const workedUntil = toDate(Math.min(trial.startedAt, provenAt(view, trial) ?? trial.startedAt));
    if (cutOffs.size === 0) dropped = 0;
    const startedAt = now();
    const moments = { since, workedUntil, startedAt, reachedSince: startedAt };
    cutOffs.set(way, { way, proofs: asked, isCounting, ...moments, dropped: new Map(), hosts: new Set() });
    const which = { way, since, proofs: asked.map(({ id }) => id) };
    log.error(
      which,
      'cannot reach the network; network failures count as unknown until a target is reached or a proof responds',
    );
    end(trial, 'unknown');
    onCutOff();
    if (cutOffs.size === 1) void recheck();
  };

  const recheck = async () => {
    while (cutOffs.size > 0 && !stopped) {
      await delay(RECHECK_MS);
      await Promise.all([...cutOffs.values()].map((cutOff) => proofs.ask(cutOff.proofs)));
    }
  };

  const endCutOff = (way: Way) => {
    const cutOff = cutOffs.get(way);
    cutOffs.delete(way);
    endedAt.set(way, now());
    clearFailures(view, way);
    log.warn({ way, dropped }, 'reaches the network again; network failures count again');
    onCutOff();
    if (cutOff && way === 'routed') onBack(cutOff.workedUntil);
    for (const again of cutOff?.dropped.values() ?? []) again();
  };

  const noteDropped = (way: Way, { host, target, onBack }: JudgedCheck) => {
    const cutOff = cutOffs.get(way);
    cutOff?.hosts.add(host);
    if (onBack) cutOff?.dropped.set(target, onBack);
  };

  const reach = (way: Way, host: string) => {
    noteReached(view, way, host, now());
    const cutOff = cutOffs.get(way);
    if (cutOff) {
      endCutOff(way);
      // Nothing but their number spoke against them.
      if (!cutOff.isCounting)
        for (const each of cutOff.hosts) if (each !== host) noteCounted(view, way, each);
    }
    const trial = trials.get(way);
    if (trial) settle(trial);
  };

  /** When this worker was last known to be cut off from a way, as far as its proofs show. */
  const unreliableUntil = (way: Way): number =>
    Math.max(endedAt.get(way) ?? Number.NEGATIVE_INFINITY, recoveredAt(view, selectProofs(view, way, now())));

  const judgeWay = async (way: Way, host: string, { begunAt, reachedSince }: Moments): Promise<Verdict> => {
    if (cutOffs.has(way) || stopped) return 'unknown';
    noteFailed(view, way, host, now());
    const isHeld = trials.has(way) || mustHold(view, selectProofs(view, way, now()), host);
    const verdict = isHeld ? await hold(way, reachedSince) : 'counts';
    return verdict === 'counts' && unreliableUntil(way) > begunAt ? 'repeat' : verdict;
  };

  /** `heldFrom`: of a check that is repeated, since when its first failure was held. */
  const judge = async (
    check: JudgedCheck,
    result: ProbeResult,
    heldFrom: number | null = null,
  ): Promise<ProbeResult> => {
    if (result.outcome === 'unknown') return result;
    const { reached, failed } = places.locate(check, result);
    if (reached !== null) reach(reached, check.host);
    if (failed.length === 0) return result;
    const reachedSince = heldFrom ?? now();
    const begunAt = now() - (clock.now().getTime() - check.startedAt.getTime());
    const verdicts = await Promise.all(
      failed.map((way) => judgeWay(way, check.host, { begunAt, reachedSince })),
    );
    if (verdicts.includes('unknown') || stopped) {
      dropped += 1;
      for (const way of failed) noteDropped(way, check);
      return asUnknown(result);
    }
    if (heldFrom !== null || !verdicts.includes('repeat')) {
      for (const way of failed) noteCounted(view, way, check.host);
      return result;
    }
    const startedAt = clock.now();
    return judge({ ...check, startedAt }, await check.repeat(), reachedSince);
  };

  /** Asks, as about a failure, unless the way was seen to work just now. */
  const reachesNetwork = async (): Promise<boolean> => {
    const question = selectProofs(view, 'routed', now());
    const since = now() - JUST_NOW_MS;
    if (cutOffs.has('routed') || stopped) return false;
    if (!question.isCounting || isProven(view, question, { startedAt: since, reachedSince: since }))
      return true;
    return (await hold('routed', now())) !== 'unknown';
  };

  return {
    /** Asks the proofs now and every minute from now on. */
    start: proofs.start,
    condition,
    /** Whether this worker reaches what is not directly attached, as far as a proof can tell; resolves within ten seconds. */
    reachesNetwork,
    /**
     * Resolves to the result, or to unknown if it failed because this worker was cut off. Holds a network failure for at most 10 s. A
     * check that failed while the network recovered is repeated once.
     */
    judge: (check: JudgedCheck, result: ProbeResult): Promise<ProbeResult> => judge(check, result),
    /** Asks no more; held results become unknown. */
    stop: (): void => {
      stopped = true;
      proofs.stop();
      for (const trial of [...trials.values()]) end(trial, 'unknown');
    },
  };
}

function asUnknown(result: ProbeResult): ProbeResult {
  const message = 'this worker was cut off from its own network';
  const error = { code: 'unavailable', message } as const;
  return { ...result, outcome: 'unknown', error, networkFailure: false, evidence: null };
}

function delay(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, Math.max(0, ms)).unref());
}
