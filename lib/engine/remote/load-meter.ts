import { createHistogram, type RecordableHistogram } from 'node:perf_hooks';
import type { Clock } from '@/lib/core/time/clock';
import type { FinishedCheck } from '@/lib/engine/checks/recording/store-results';

/** The last minute, in parts that are dropped one by one. */
const PART_MS = 10_000;
const PARTS = 6;
/** Nothing is expected of the first moments. */
const LEAST_MS = 1000;
/** Two figures are enough, and take a few kilobytes. */
const LATENESS = { lowest: 1, highest: 3_600_000, figures: 2 };

type Part = { since: number; checks: number; lateness: RecordableHistogram };
type Timed = { check: Pick<FinishedCheck['check'], 'dueAt'>; startedAt: Date };

/** Measures how much a probe checked in the last minute, and how late it was, in the same memory whatever that is. */
export function createLoadMeter(clock: Clock) {
  let parts: Part[] = [];
  const current = (): Part => {
    const now = clock.now().getTime();
    const last = parts.at(-1);
    if (last && now - last.since < PART_MS) return last;
    const part = { since: now, checks: 0, lateness: createHistogram(LATENESS) };
    parts = [...parts.filter(({ since }) => now - since < PART_MS * PARTS), part];
    return part;
  };
  current();
  return {
    /** Counts a check that ended. */
    note: ({ check: { dueAt }, startedAt }: Timed): void => {
      const part = current();
      part.checks += 1;
      const lateMs = startedAt.getTime() - dueAt.getTime();
      part.lateness.record(Math.min(LATENESS.highest, Math.max(LATENESS.lowest, Math.round(lateMs))));
    },
    /** The checks per second, and the lateness in milliseconds that 99 % of them did not exceed; null without checks. */
    read: (): { checksPerSecond: number; latenessMs: number | null } => {
      current();
      const checks = parts.reduce((sum, part) => sum + part.checks, 0);
      const since = parts[0]?.since ?? 0;
      const seconds = Math.max(LEAST_MS, clock.now().getTime() - since) / 1000;
      const all = createHistogram(LATENESS);
      for (const { lateness } of parts) all.add(lateness);
      return {
        checksPerSecond: Math.round((checks / seconds) * 100) / 100,
        latenessMs: checks === 0 ? null : all.percentile(99),
      };
    },
  };
}
