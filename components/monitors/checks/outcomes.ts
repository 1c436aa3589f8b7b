import { CircleCheck, CircleHelp, CircleX, Timer } from 'lucide-react';
import type { CheckResult } from '@/lib/schemas/result';

/** How a check ended, for people: a good one can be slow. */
export const OUTCOME_LOOKS = {
  ok: { word: 'OK', Icon: CircleCheck, colour: 'text-good' },
  slow: { word: 'Slow', Icon: Timer, colour: 'text-slow' },
  failed: { word: 'Failed', Icon: CircleX, colour: 'text-bad' },
  unknown: { word: 'Unknown', Icon: CircleHelp, colour: 'text-muted' },
} as const;

/** What a check shows as, with the limit above which its monitor calls it slow, in milliseconds. */
export function outcomeOf(
  { outcome, responseTime }: Pick<CheckResult, 'outcome' | 'responseTime'>,
  degradedThreshold: number,
): keyof typeof OUTCOME_LOOKS {
  return outcome === 'ok' && (responseTime ?? 0) > degradedThreshold ? 'slow' : outcome;
}
