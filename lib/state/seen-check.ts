import type { CheckInput, ResultInput, StateConfig } from './types';

/** A check as it is stored. The end of a certificate is not, so that a replay knows nothing of the warning about it. */
export type SeenCheck = Omit<ResultInput, 'kind' | 'statusCode' | 'certificateExpiresAt'>;

/** What a check would have said under a configuration: one that took longer than the timeout would have been given up. */
export function asInput(check: SeenCheck, { timeoutMs }: StateConfig): CheckInput {
  const { responseTime, outcome } = check;
  const seen = { kind: 'result', ...check, certificateExpiresAt: null, statusCode: null } as const;
  if (outcome !== 'ok' || responseTime === null || responseTime <= timeoutMs) return seen;
  const error = { code: 'timeout', message: `no answer within ${timeoutMs / 1000} s` };
  return { ...seen, outcome: 'failed', responseTime: null, error };
}

/**
 * When its result came, as well as is known: after its response time, or the timeout where it ran into it. `timeoutMs` is
 * that of the monitor now.
 */
export function endOf({ startedAt, responseTime, error }: SeenCheck, timeoutMs: number): number {
  return startedAt + (responseTime ?? (error?.code === 'timeout' ? timeoutMs : 0));
}

/** The first checks to end come first, as they were recorded; sorts in place. */
export function sortByEnd(checks: SeenCheck[], timeoutMs: number): void {
  checks.sort((a, b) => endOf(a, timeoutMs) - endOf(b, timeoutMs) || a.startedAt - b.startedAt);
}
