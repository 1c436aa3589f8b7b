import { findCheckType } from '@/lib/checks/types';
import { formatTiming } from '@/lib/core/time/duration';
import type { Typed } from './monitor-input';

/** Explains the alert settings of the form in sentences; invalid numbers are left out. */
export function explainAlerts(typed: Typed): string[] {
  if (findCheckType(typed.type)?.isProbed === false) return explainCalls(typed);
  const [interval, timeout] = [whole(typed.interval), whole(typed.timeout)];
  const [alerts, recoveries] = [whole(typed.alertThreshold), whole(typed.recoveryThreshold)];
  const [slow, confirm] = [whole(typed.degradedThreshold), whole(typed.confirmInterval)];
  const regions = (typed.regions ?? '').split(',').filter(Boolean).length;
  const sentences: string[] = [];
  if (alerts && interval && timeout) {
    const pause = Math.min(confirm ?? interval, interval);
    const span = (alerts - 1) * pause;
    const delay = span === 0 ? 'right after' : `about ${formatTime(span)} after`;
    // A check begins after the one before it has ended.
    const longest = (alerts - 1) * Math.min(Math.max(pause, timeout), interval) + timeout;
    const extra = `up to ${formatTime(longest - span)} later if requests time out`;
    sentences.push(
      `Down after ${count(alerts, 'failed check')}${formatQuorum(regions)}. Alerts ${delay} the first failure (${extra}).`,
    );
  }
  if (confirm && interval && confirm < interval) {
    sentences.push(
      `After a first failure, checks every ${formatTime(confirm)} in all regions until the outage is confirmed or ruled out.`,
    );
  }
  if (recoveries) sentences.push(`Recovers after ${count(recoveries, 'successful check')}.`);
  if (slow && alerts) {
    sentences.push(`Degraded after ${count(alerts, 'check')} slower than ${formatTiming(slow)}.`);
  }
  return sentences;
}

/** The same for a job that calls. */
function explainCalls(typed: Typed): string[] {
  const [alerts, recoveries] = [whole(typed.alertThreshold), whole(typed.recoveryThreshold)];
  return [
    ...(alerts
      ? [`Down after ${count(alerts, 'run')} without a call in time, or with a reported failure.`]
      : []),
    ...(recoveries ? [`Recovers after ${count(recoveries, 'successful call')}.`] : []),
  ];
}

function count(n: number, noun: string): string {
  return n === 1 ? `1 ${noun}` : `${n} ${noun}s in a row`;
}

function formatQuorum(regions: number): string {
  return regions < 2 ? '' : ` in ${Math.floor(regions / 2) + 1} of ${regions} regions`;
}

/** In at most two units: `45 seconds`, `2 minutes`, `1 hour 30 minutes`. */
function formatTime(seconds: number): string {
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

/** A positive integer, or null. */
function whole(text = ''): number | null {
  return /^\d{1,6}$/.test(text.trim()) && Number(text) > 0 ? Number(text) : null;
}
