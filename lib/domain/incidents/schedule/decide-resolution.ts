import type { PeriodState } from '@/lib/platform/db/generated/enums';
import { SERVICE_TEXTS } from '@/lib/schemas/incidents/service-texts';
import { fillPlural } from '@/lib/schemas/language/texts';

const MINUTE = 60_000;
/** No quiet time is shorter, so what recovers between two looks is still resolved on time. */
const LOOK_EVERY_MS = MINUTE;

/** What the ledger says about an affected monitor now; null: nothing, as for paused ones. */
export type SeenMonitor = { state: PeriodState | null; since: Date | null };

type Resolution = {
  /** Since when the incident is `monitoring` and has this quiet time. */
  since: Date;
  resolveAfterMinutes: number;
  /** The affected monitors that still exist. */
  monitors: readonly SeenMonitor[];
};

/**
 * Whether an incident that is `monitoring` is resolved now: once all monitors that it affects have been operational without interruption
 * for its quiet time. Otherwise, when to look again. An incident without monitors is quiet from the start.
 */
export function decideResolution(
  { since, resolveAfterMinutes, monitors }: Resolution,
  now: Date,
): { isQuiet: true } | { isQuiet: false; lookAt: Date } {
  if (monitors.some(({ state }) => state !== 'operational')) {
    return { isQuiet: false, lookAt: new Date(now.getTime() + LOOK_EVERY_MS) };
  }
  const quietSince = Math.max(since.getTime(), ...monitors.map((monitor) => monitor.since?.getTime() ?? 0));
  const quietAt = new Date(quietSince + resolveAfterMinutes * MINUTE);
  return quietAt <= now ? { isQuiet: true } : { isQuiet: false, lookAt: quietAt };
}

/** The text of the update, for the public. */
export function formatQuiet(minutes: number): string {
  return fillPlural(SERVICE_TEXTS.en.quiet, minutes, 'en');
}
