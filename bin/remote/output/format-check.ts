import { formatTiming } from '@/lib/core/time/duration';
import type { CheckResult } from '@/lib/schemas/monitor/result';
import { cleanText } from './table';

/** A check as one line of text. */
export function formatCheck({ checkedAt, region, outcome, responseTime, ...found }: CheckResult): string {
  const time = responseTime === null ? '' : formatTiming(responseTime);
  const detail = found.errorMessage ?? (found.statusCode === null ? '' : `status ${found.statusCode}`);
  const marks = [found.trigger === 'manual' ? 'manual' : '', found.late ? 'late' : ''];
  const cells = [
    checkedAt,
    (region ?? '').padEnd(12),
    outcome.padEnd(7),
    time.padStart(8),
    ...[...marks, cleanText(detail)].filter(Boolean),
  ];
  return cells.join('  ').trimEnd();
}
