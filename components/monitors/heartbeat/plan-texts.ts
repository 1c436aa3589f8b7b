import { formatDuration } from '@/lib/core/time/duration';
import type { Monitor } from '@/lib/schemas/monitor';

type Plan = Pick<Monitor, 'period' | 'schedule' | 'grace'>;

/** `Every 1h` or `30 3 * * *, Europe/Berlin`. */
export function formatPlan({ period, schedule }: Plan): string {
  if (period !== null) return `Every ${formatSeconds(period)}`;
  return schedule === null ? '–' : `${schedule.cron}, ${schedule.timeZone}`;
}

/** `1h`, `1h 30m`. */
export function formatGrace({ grace }: Plan): string {
  return grace === 0 ? 'None' : formatSeconds(grace);
}

function formatSeconds(seconds: number): string {
  return formatDuration(seconds * 1000).replace(/ 0[hm]$/, '');
}

/** The duration of a run: `95 ms`, `12.4 s`, `1h 5m`. */
export function formatRun(ms: number): string {
  if (ms < 1000) return `${ms} ms`;
  return ms < 60_000 ? `${(ms / 1000).toFixed(1)} s` : formatDuration(ms);
}
