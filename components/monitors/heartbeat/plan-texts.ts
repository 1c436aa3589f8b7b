import { formatTiming } from '@/lib/core/time/duration';
import type { Monitor } from '@/lib/schemas/monitor';

type Plan = Pick<Monitor, 'period' | 'schedule' | 'grace'>;

/** `Every 1h` or `30 3 * * *, Europe/Berlin`. */
export function formatPlan({ period, schedule }: Plan): string {
  if (period !== null) return `Every ${formatTiming(period * 1000)}`;
  return schedule === null ? '–' : `${schedule.cron}, ${schedule.timeZone}`;
}

/** `1h`, `1h 30m`. */
export function formatGrace({ grace }: Plan): string {
  return grace === 0 ? 'None' : formatTiming(grace * 1000);
}
