import { formatDuration } from '@/lib/core/duration';
import type { Typed } from './monitor-input';

const SECOND = 1000;

/** What the numbers of the form come to, in sentences; what is not a number yet is left out. */
export function explainAlerts(typed: Typed): string[] {
  const [interval, timeout] = [whole(typed.interval), whole(typed.timeout)];
  const [alerts, recovers, slow] = [
    whole(typed.alertThreshold),
    whole(typed.recoveryThreshold),
    whole(typed.degradedThreshold),
  ];
  const regions = (typed.regions ?? '').split(',').filter((region) => region !== '').length;
  const sentences: string[] = [];
  if (alerts && interval && timeout) {
    const span = (alerts - 1) * interval * SECOND;
    const wait = span === 0 ? 'at once' : `about ${formatDuration(span)} after the first of them`;
    const patience = `, and up to ${timeout}s more where nothing answers`;
    sentences.push(`Down after ${count(alerts, 'failed check')}${agreement(regions)}: ${wait}${patience}.`);
  }
  if (recovers) sentences.push(`Up again after ${count(recovers, 'good check')}.`);
  if (slow && alerts) {
    sentences.push(`Degraded after ${count(alerts, `check`)} slower than ${milliseconds(slow)}.`);
  }
  return sentences;
}

function count(n: number, what: string): string {
  const [noun = '', ...rest] = what.split(' ').reverse();
  const words = [...rest.reverse(), n === 1 ? noun : `${noun}s`].join(' ');
  return n === 1 ? `1 ${words}` : `${n} ${words} in a row`;
}

function agreement(regions: number): string {
  if (regions < 2) return '';
  return ` from ${Math.floor(regions / 2) + 1} of its ${regions} regions`;
}

function milliseconds(ms: number): string {
  return ms % 1000 === 0 ? `${ms / 1000} s` : `${ms} ms`;
}

/** A whole number above nothing, or null. */
function whole(text = ''): number | null {
  return /^\d{1,6}$/.test(text.trim()) && Number(text) > 0 ? Number(text) : null;
}
