import { formatDuration } from '@/lib/core/duration';
import type { Backtest } from '@/lib/schemas/backtest';

const DAY = 86_400_000;

/** What a backtest says in one sentence: "In the last 7 days you would have had 4 alerts, not 31." */
export function describeBacktest(
  { from, to, current, proposed, checks }: Backtest,
  isChanged: boolean,
): string {
  if (checks === 0) return 'Nothing is stored of the last days yet, so that there is nothing to try this on.';
  const [was, would] = [current.down + current.degraded, proposed.down + proposed.degraded];
  const time = `In the last ${spanText(Date.parse(to) - Date.parse(from))}`;
  if (!isChanged) return `${time} these settings ${was === 0 ? 'gave no alert' : `gave ${alerts(was)}`}.`;
  if (was === would) return `${time} you would have had ${would === 0 ? 'no alert' : alerts(would)}, as now.`;
  return `${time} you would have had ${alerts(would)}, not ${was}.`;
}

/** Full days as days, so that a window of seven of them is not `6d 23h`. */
function spanText(ms: number): string {
  const days = Math.round(ms / DAY);
  return ms > 0.95 * DAY ? (days === 1 ? '24 hours' : `${days} days`) : formatDuration(ms);
}

function alerts(n: number): string {
  return n === 0 ? 'no alerts' : n === 1 ? '1 alert' : `${n} alerts`;
}
