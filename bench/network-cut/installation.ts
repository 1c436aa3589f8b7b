import type { ProbeResult } from '@/lib/checks/result';
import { readTarget } from '@/lib/checks/types';
import type { OutageWatch } from '@/lib/engine/checks/outage-watch';
import { MIN_PACE_PER_SECOND } from '@/lib/engine/checks/shards/schedule';
import type { ProbeTarget } from '@/lib/schemas/monitor/fields';

/** How soon a failure is checked again with confirmation. */
const CONFIRM_MS = 10_000;
/** Between checks that are made again: the pace of a small worker. */
const AGAIN_EVERY_MS = 1000 / MIN_PACE_PER_SECOND;

/** A small installation of Pharos: its monitors, and how often it checks them. */
export type Installation = {
  targets: readonly ProbeTarget[];
  intervalMs: number;
  confirms: boolean;
  /** Judges failures; null: all count, as if there were no watch. */
  watch: Pick<OutageWatch, 'judge'> | null;
  check(target: ProbeTarget, index: number): Promise<ProbeResult>;
};

/**
 * The results of one monitor, in order, and what its checks saw before that was judged. Milliseconds of the clock of the run.
 */
export type Results = {
  at: number;
  outcome: ProbeResult['outcome'];
  seenAt: number;
  seen: ProbeResult['outcome'];
}[];

/** Checks all monitors, spread over their interval, until `signal`. Returns their results, which grow. */
export function runInstallation(
  { targets, intervalMs, confirms, watch, check }: Installation,
  { signal, now }: { signal: AbortSignal; now: () => number },
): Results[] {
  return targets.map((target, index) => {
    const results: Results = [];
    const host = readTarget(target)?.host ?? target.url;
    const phase = now() + (index * intervalMs) / targets.length;
    let failures = 0;
    let wake: () => void = () => undefined;
    const checkOnce = async () => {
      const startedAt = new Date(Date.now());
      const run = () => check(target, index);
      const seen = await run();
      const seenAt = now();
      const onBack = () => void sleep(index * AGAIN_EVERY_MS).then(() => wake());
      const judged = { host, target, startedAt, repeat: run, onBack };
      const { outcome } = watch === null ? seen : await watch.judge(judged, seen);
      results.push({ at: now(), outcome, seenAt, seen: seen.outcome });
      if (outcome === 'ok') failures = 0;
      else if (outcome === 'failed') failures += 1;
      return outcome;
    };
    const follow = async () => {
      await sleep(phase - now());
      while (!signal.aborted) {
        const begunAt = now();
        const outcome = await checkOnce();
        const isConfirmed = confirms && outcome === 'failed' && failures < MAX_CONFIRMED;
        const woken = new Promise<void>((resolve) => {
          wake = resolve;
        });
        const slot = phase + Math.ceil((begunAt + 1 - phase) / intervalMs) * intervalMs;
        const next = isConfirmed ? begunAt + CONFIRM_MS : slot;
        await Promise.race([sleep(Math.max(0, next - now())), woken]);
      }
    };
    void follow();
    return results;
  });
}

/** As many failures as the highest threshold asks for. */
const MAX_CONFIRMED = 3;

/** When a monitor alerts with a threshold, from a moment on; null: it does not. Unknown results neither count nor break a run. */
export function findAlert(results: Results, threshold: number, from: number): number | null {
  let failures = 0;
  for (const { at, outcome } of results) {
    if (outcome === 'ok') failures = 0;
    if (outcome === 'failed') failures += 1;
    if (failures >= threshold && at >= from) return at;
  }
  return null;
}

/** When a monitor would alert without the watch, by what the same checks saw, if none of these was made again. */
export function findUsualAlert(results: Results, threshold: number, from: number): number | null {
  const seen = results.map((each) => ({ ...each, at: each.seenAt, outcome: each.seen }));
  return findAlert(seen, threshold, from);
}

/**
 * The same for a target that fails for good from a moment on, whichever checks were made again: by when the first one saw it. It takes a machine
 * that is never late.
 */
export function expectUsualAlert(
  results: Results,
  threshold: number,
  { from, confirms, intervalMs }: { from: number } & Pick<Installation, 'confirms' | 'intervalMs'>,
): number | null {
  const first = results.find(({ seenAt, seen }) => seenAt >= from && seen === 'failed');
  if (first === undefined) return null;
  return first.seenAt + (threshold - 1) * (confirms ? CONFIRM_MS : intervalMs);
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
