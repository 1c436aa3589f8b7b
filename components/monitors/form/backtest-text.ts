import { formatDuration } from '@/lib/core/duration';
import type { Backtest } from '@/lib/schemas/backtest';

const DAY = 86_400_000;

/** A backtest in one sentence: "In the last 7 days, you would have had 4 alerts instead of 31." */
export function formatBacktest(
  { from, to, current, proposed, checks }: Backtest,
  isChanged: boolean,
): string {
  if (checks === 0) return 'No checks are stored yet, so there is nothing to replay.';
  const [before, after] = [current.down + current.degraded, proposed.down + proposed.degraded];
  const time = `In the last ${formatSpan(Date.parse(to) - Date.parse(from))}`;
  if (!isChanged) return `${time}, these settings caused ${formatAlerts(before)}.`;
  const comparison = before === after ? 'the same as now' : `instead of ${before}`;
  return `${time}, you would have had ${formatAlerts(after)}${before === after ? ', ' : ' '}${comparison}.`;
}

/** Rounds to full days, so that seven days are not `6d 23h`. */
function formatSpan(ms: number): string {
  const days = Math.round(ms / DAY);
  return ms > 0.95 * DAY ? (days === 1 ? '24 hours' : `${days} days`) : formatDuration(ms);
}

function formatAlerts(n: number): string {
  return n === 0 ? 'no alerts' : n === 1 ? '1 alert' : `${n} alerts`;
}
