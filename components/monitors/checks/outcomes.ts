import { CircleCheck, CircleHelp, CircleX, Timer } from 'lucide-react';
import type { CheckResult } from '@/lib/schemas/monitor/result';

/** Outcomes as shown: a successful check can be slow. */
export const OUTCOME_STYLES = {
  ok: { label: 'OK', Icon: CircleCheck, color: 'text-good' },
  slow: { label: 'Slow', Icon: Timer, color: 'text-slow' },
  failed: { label: 'Failed', Icon: CircleX, color: 'text-bad' },
  unknown: { label: 'Unknown', Icon: CircleHelp, color: 'text-muted' },
} as const;

/** The outcome to show: a successful check above `degradedThreshold` milliseconds is slow. */
export function outcomeOf(
  { outcome, responseTime }: Pick<CheckResult, 'outcome' | 'responseTime'>,
  degradedThreshold: number,
): keyof typeof OUTCOME_STYLES {
  return outcome === 'ok' && (responseTime ?? 0) > degradedThreshold ? 'slow' : outcome;
}
