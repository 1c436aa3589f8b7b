import { alertDelay, formatDelay } from '@/lib/checks/alert-delay';
import { findCheckType } from '@/lib/checks/types';
import { formatTiming } from '@/lib/core/time/duration';
import type { Typed } from './monitor-input';

/** Explains the alert settings of the form in sentences; invalid numbers are left out. */
export function explainAlerts(typed: Typed): string[] {
  const { isProbed = true, follows } = findCheckType(typed.type) ?? {};
  if (follows === 'members') return explainMembers(typed);
  if (!isProbed) return explainCalls(typed);
  const [interval, timeout] = [whole(typed.interval), whole(typed.timeout)];
  const [alerts, recoveries] = [whole(typed.alertThreshold), whole(typed.recoveryThreshold)];
  const [slow, confirm] = [whole(typed.degradedThreshold), whole(typed.confirmInterval)];
  const regions = (typed.regions ?? '').split(',').filter(Boolean).length;
  const sentences: string[] = [];
  if (alerts && interval && timeout) {
    const timing = { interval, timeout, alertThreshold: alerts, confirmInterval: confirm };
    const { usual, longest } = alertDelay(timing);
    const delay = usual === 0 ? 'right after' : `about ${formatDelay(usual)} after`;
    const extra = `up to ${formatDelay(longest - usual)} later if requests time out`;
    sentences.push(
      `Down after ${count(alerts, 'failed check')}${formatQuorum(regions)}. Alerts ${delay} the first failure (${extra}).`,
    );
  }
  if (confirm && interval && confirm < interval) {
    sentences.push(
      `After a first failure, checks every ${formatDelay(confirm)} in all regions until the outage is confirmed or ruled out.`,
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

/** The same for a group. */
function explainMembers(typed: Typed): string[] {
  const minimum = whole(typed.memberMinimum);
  const [listed] = [(typed.members ?? '').split(',').filter(Boolean).length];
  const down = {
    all: 'Down when any member is down.',
    any: 'Down when all members are down.',
    count: minimum && `Down when fewer than ${Math.min(minimum, Math.max(1, listed))} members are up.`,
    share: minimum && `Down when less than ${minimum}% of the members are up.`,
  }[typed.memberRule ?? ''];
  return [
    ...(down ? [down] : []),
    'Degraded when it is not down and a member is degraded.',
    'Members that are pending, paused, in maintenance or without data do not count.',
  ];
}

function count(n: number, noun: string): string {
  return n === 1 ? `1 ${noun}` : `${n} ${noun}s in a row`;
}

function formatQuorum(regions: number): string {
  return regions < 2 ? '' : ` in ${Math.floor(regions / 2) + 1} of ${regions} regions`;
}

/** A positive integer, or null. */
function whole(text = ''): number | null {
  return /^\d{1,6}$/.test(text.trim()) && Number(text) > 0 ? Number(text) : null;
}
