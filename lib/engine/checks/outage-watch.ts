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
import { type CheckedHost, createPlaces, type Places } from './places';
import { keepProofs, type Proofs } from './proofs';

/** What a worker reports of its own network. */
export type NetworkCondition = {
  /** Since when it is cut off; null: it is not. */
  cutOffAt: Date | null;
  /** How many network failures became unknown since then. */
  dropped: number;
  /** Since when an address of NETWORK_CANARY is silent while targets are reached; null: no address is. */
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
 * Keeps a worker that is cut off from its own network from reporting the whole world as down: judges network failures of checks by proofs,
 * each way on its own (see `decideOutage`). Asks nothing before `start`, except about failures.
 */
export class OutageWatch {
  readonly #clock: Clock;
  readonly #log: Logger;
  readonly #onCutOff: () => void;
  readonly #onBack: (workedUntil: Date) => void;
  readonly #view = createNetworkView();
  readonly #places: Places;
  readonly #proofs: Proofs;
  readonly #trials = new Map<Way, Trial>();
  readonly #cutOffs = new Map<Way, CutOff>();
  readonly #endedAt = new Map<Way, number>();
  #dropped = 0;
  #isStopped = false;

  /**
   * `onCutOff` is called when this worker is cut off, and when that ends; `onBack` when it reaches what is not directly attached again, with
   * the moment until which it did before.
   */
  constructor({ clock, log, network, onCutOff, onBack = () => undefined }: OutageWatchOptions) {
    this.#clock = clock;
    this.#log = log;
    this.#onCutOff = onCutOff;
    this.#onBack = onBack;
    this.#places = createPlaces(network);
    const onProof = () => this.#settleAll();
    this.#proofs = keepProofs({ view: this.#view, network, places: this.#places, now, log, onProof });
  }

  /** Asks the proofs now and every minute from now on. */
  readonly start = (): void => this.#proofs.start();

  /** What this worker reports of its own network. */
  readonly condition = (): NetworkCondition => {
    const silent = findSilentCanaries(this.#view);
    const since = Math.min(...[...this.#cutOffs.values()].map((each) => each.since.getTime()));
    return {
      cutOffAt: this.#cutOffs.size === 0 ? null : new Date(since),
      dropped: this.#dropped,
      silentCanaryAt: silent && this.#toDate(silent.since),
    };
  };

  /**
   * Whether this worker reaches what is not directly attached, as far as a proof can tell. Asks, as about a failure, unless that was seen just
   * now; resolves within ten seconds.
   */
  readonly reachesNetwork = async (): Promise<boolean> => {
    if (this.#cutOffs.has('routed') || this.#isStopped) return false;
    const question = selectProofs(this.#view, 'routed', now());
    const since = now() - JUST_NOW_MS;
    if (!question.isCounting) return true;
    if (isProven(this.#view, question, { startedAt: since, reachedSince: since })) return true;
    return (await this.#hold('routed', now())) !== 'unknown';
  };

  /**
   * Resolves to the result, or to unknown if it failed because this worker was cut off. Holds a network failure for at most 10 s. A
   * check that failed while the network recovered is repeated once.
   */
  judge(check: JudgedCheck, result: ProbeResult): Promise<ProbeResult> {
    return this.#judge(check, result, null);
  }

  /** Asks no more; held results become unknown. */
  readonly stop = (): void => {
    this.#isStopped = true;
    this.#proofs.stop();
    for (const trial of [...this.#trials.values()]) this.#end(trial, 'unknown');
  };

  /** `heldFrom`: of a check that is repeated, since when its first failure was held. */
  async #judge(check: JudgedCheck, result: ProbeResult, heldFrom: number | null): Promise<ProbeResult> {
    if (result.outcome === 'unknown') return result;
    const { reached, failed } = this.#places.locate(check, result);
    if (reached !== null) this.#reach(reached, check.host);
    if (failed.length === 0) return result;
    const reachedSince = heldFrom ?? now();
    const begunAt = now() - (this.#clock.now().getTime() - check.startedAt.getTime());
    const verdicts = await Promise.all(
      failed.map((way) => this.#judgeWay(way, check.host, { begunAt, reachedSince })),
    );
    if (verdicts.includes('unknown') || this.#isStopped) {
      this.#dropped += 1;
      for (const way of failed) this.#noteDropped(way, check);
      return asUnknown(result);
    }
    if (heldFrom !== null || !verdicts.includes('repeat')) {
      for (const way of failed) noteCounted(this.#view, way, check.host);
      return result;
    }
    const startedAt = this.#clock.now();
    return this.#judge({ ...check, startedAt }, await check.repeat(), reachedSince);
  }

  async #judgeWay(way: Way, host: string, { begunAt, reachedSince }: Moments): Promise<Verdict> {
    if (this.#cutOffs.has(way) || this.#isStopped) return 'unknown';
    const view = this.#view;
    noteFailed(view, way, host, now());
    const isHeld = this.#trials.has(way) || mustHold(view, selectProofs(view, way, now()), host);
    const verdict = isHeld ? await this.#hold(way, reachedSince) : 'counts';
    return verdict === 'counts' && this.#unreliableUntil(way) > begunAt ? 'repeat' : verdict;
  }

  /** When this worker was last known to be cut off from a way, as far as its proofs show. */
  #unreliableUntil(way: Way): number {
    const recovered = recoveredAt(this.#view, selectProofs(this.#view, way, now()));
    return Math.max(this.#endedAt.get(way) ?? Number.NEGATIVE_INFINITY, recovered);
  }

  /** Holds a failure until it is decided. A target that was reached since `reachedSince` shows that the way works. */
  #hold(way: Way, reachedSince: number): Promise<Verdict> {
    const at = now();
    const current = this.#trials.get(way);
    const opened = { startedAt: at, reachedSince, failedRounds: 0, held: [], isOver: false };
    const trial: Trial = current ?? { ...selectProofs(this.#view, way, at), ...opened };
    const verdict = new Promise<Verdict>((release) => trial.held.push({ at, release }));
    void delay(HOLD_MS).then(() => this.#settle(trial));
    if (current === undefined) {
      this.#trials.set(way, trial);
      void this.#run(trial);
    }
    return verdict;
  }

  async #run(trial: Trial): Promise<void> {
    while (!trial.isOver) {
      const next = now() + ROUND_MS;
      await this.#proofs.ask(trial.proofs);
      trial.failedRounds += 1;
      this.#settle(trial);
      await delay(next - now());
    }
  }

  #settleAll(): void {
    for (const trial of this.#trials.values()) this.#settle(trial);
    for (const [way, cutOff] of this.#cutOffs) if (isProven(this.#view, cutOff, cutOff)) this.#endCutOff(way);
  }

  /** Decides a trial, if it can be decided. */
  #settle(trial: Trial): void {
    if (trial.isOver) return;
    const oldest = trial.held[0];
    // At the end of a hold, not when its timer fired: the failures must still be within the window.
    const at = oldest ? Math.min(now(), oldest.at + HOLD_MS) : now();
    const decision = decideOutage(this.#view, trial, at);
    if (decision === 'cut off') this.#beginCutOff(trial);
    else if (decision === 'works')
      this.#end(trial, trial.isCounting && trial.failedRounds > 0 ? 'repeat' : 'counts');
    else if (!trial.isCounting) {
      const isDue = (held: Held) => now() - held.at >= HOLD_MS;
      const due = trial.held.filter(isDue);
      trial.held = trial.held.filter((held) => !isDue(held));
      for (const { release } of due) release('counts');
      if (trial.held.length === 0) this.#end(trial, 'counts');
    }
  }

  #end(trial: Trial, verdict: Verdict): void {
    trial.isOver = true;
    if (this.#trials.get(trial.way) === trial) this.#trials.delete(trial.way);
    for (const { release } of trial.held.splice(0)) release(verdict);
  }

  #reach(way: Way, host: string): void {
    noteReached(this.#view, way, host, now());
    const cutOff = this.#cutOffs.get(way);
    if (cutOff) {
      this.#endCutOff(way);
      // Nothing but their number spoke against them.
      if (!cutOff.isCounting)
        for (const each of cutOff.hosts) if (each !== host) noteCounted(this.#view, way, each);
    }
    const trial = this.#trials.get(way);
    if (trial) this.#settle(trial);
  }

  #beginCutOff(trial: Trial): void {
    const { way, proofs, isCounting } = trial;
    const since = this.#toDate(trial.startedAt);
    const workedUntil = this.#toDate(
      Math.min(trial.startedAt, provenAt(this.#view, trial) ?? trial.startedAt),
    );
    if (this.#cutOffs.size === 0) this.#dropped = 0;
    const startedAt = now();
    const moments = { since, workedUntil, startedAt, reachedSince: startedAt };
    this.#cutOffs.set(way, { way, proofs, isCounting, ...moments, dropped: new Map(), hosts: new Set() });
    this.#log.error(
      { way, since, proofs: proofs.map(({ id }) => id) },
      'cannot reach the network; network failures count as unknown until a target is reached or a proof responds',
    );
    this.#end(trial, 'unknown');
    this.#onCutOff();
    if (this.#cutOffs.size === 1) void this.#recheck();
  }

  async #recheck(): Promise<void> {
    while (this.#cutOffs.size > 0 && !this.#isStopped) {
      await delay(RECHECK_MS);
      await Promise.all([...this.#cutOffs.values()].map((cutOff) => this.#proofs.ask(cutOff.proofs)));
    }
  }

  #noteDropped(way: Way, { host, target, onBack }: JudgedCheck): void {
    const cutOff = this.#cutOffs.get(way);
    cutOff?.hosts.add(host);
    if (onBack) cutOff?.dropped.set(target, onBack);
  }

  #endCutOff(way: Way): void {
    const cutOff = this.#cutOffs.get(way);
    this.#cutOffs.delete(way);
    this.#endedAt.set(way, now());
    clearFailures(this.#view, way);
    this.#log.warn(
      { way, dropped: this.#dropped },
      'reaches the network again; network failures count again',
    );
    this.#onCutOff();
    if (cutOff && way === 'routed') this.#onBack(cutOff.workedUntil);
    for (const again of cutOff?.dropped.values() ?? []) again();
  }

  #toDate(at: number): Date {
    return new Date(this.#clock.now().getTime() - (now() - at));
  }
}

type OutageWatchOptions = {
  clock: Clock;
  log: Logger;
  network: OwnNetwork;
  onCutOff: () => void;
  onBack?: (workedUntil: Date) => void;
};

const now = () => performance.now();

function asUnknown(result: ProbeResult): ProbeResult {
  const message = 'this worker was cut off from its own network';
  const error = { code: 'unavailable', message } as const;
  return { ...result, outcome: 'unknown', error, networkFailure: false, evidence: null };
}

function delay(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, Math.max(0, ms)).unref());
}
