/** What decides how soon an outage is known, in seconds. */
export type AlertTiming = {
  interval: number;
  timeout: number;
  alertThreshold: number;
  confirmInterval: number | null;
};

/**
 * Seconds from the first failed check to the alert: if checks fail at once, and if each takes its whole timeout. A check begins after
 * the one before it has ended.
 */
export function alertDelay({ interval, timeout, alertThreshold, confirmInterval }: AlertTiming): {
  usual: number;
  longest: number;
} {
  const pause = Math.min(confirmInterval ?? interval, interval);
  const repeated = alertThreshold - 1;
  return {
    usual: repeated * pause,
    longest: repeated * Math.min(Math.max(pause, timeout), interval) + timeout,
  };
}

/** An outage is known later than this many seconds after its first failed check: the list shows which monitors need that long. */
export const SLOW_TO_ALERT = 60;

/** In at most two units: `45 seconds`, `2 minutes`, `1 hour 30 minutes`; empty for 0. */
export function formatDelay(seconds: number): string {
  const units = [
    { value: Math.floor(seconds / 3600), unit: 'hour' },
    { value: Math.floor((seconds % 3600) / 60), unit: 'minute' },
    { value: Math.round(seconds % 60), unit: 'second' },
  ];
  const first = units.findIndex(({ value }) => value > 0);
  return units
    .slice(Math.max(0, first), first + 2)
    .filter(({ value }) => value > 0)
    .map(({ value, unit }) => `${value} ${unit}${value === 1 ? '' : 's'}`)
    .join(' ');
}

/** How soon an alert follows, after “Alerts”: `immediately after the first failure`, `2 minutes after the first failure`. */
export function formatAlertDelay(timing: AlertTiming): string {
  const { usual } = alertDelay(timing);
  const confirmed =
    timing.confirmInterval !== null && timing.confirmInterval < timing.interval && timing.alertThreshold > 1;
  return usual === 0
    ? 'immediately after the first failure'
    : `${formatDelay(usual)} after the first failure${confirmed ? ', with confirmation' : ''}`;
}
