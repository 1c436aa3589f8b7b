import { CircleCheck, CircleHelp, CircleX, Timer } from 'lucide-react';
import type { CheckResult } from '@/lib/schemas/monitor/result';

/** Outcomes as shown: a successful check can be slow. */
export const OUTCOME_STYLES = {
  ok: { label: 'OK', Icon: CircleCheck, color: 'text-good' },
  slow: { label: 'Slow', Icon: Timer, color: 'text-slow' },
  failed: { label: 'Failed', Icon: CircleX, color: 'text-bad' },
  unknown: { label: 'Unknown', Icon: CircleHelp, color: 'text-muted' },
} as const;

/** The outcome to show: a successful check is slow above `degradedThreshold` milliseconds, or if something is wrong nevertheless. */
export function outcomeOf(
  { outcome, responseTime, errorCode }: Pick<CheckResult, 'outcome' | 'responseTime' | 'errorCode'>,
  degradedThreshold: number,
): keyof typeof OUTCOME_STYLES {
  const isSlow = errorCode !== null || (responseTime ?? 0) > degradedThreshold;
  return outcome === 'ok' && isSlow ? 'slow' : outcome;
}
