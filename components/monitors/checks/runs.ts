import type { RouteResult } from '@/components/ui/call-route';
import type { DryRun } from '@/lib/schemas/monitor/result';

/** What is shown of a check that somebody waits for. */
export type RunResult = Pick<
  DryRun,
  'checkedAt' | 'outcome' | 'responseTime' | 'statusCode' | 'errorMessage' | 'phases'
> &
  Partial<Pick<DryRun, 'bodySize' | 'certificateExpiresAt' | 'certificateIssuer' | 'certificateName'>>;

/** A check from one region; `result` is null while it runs. */
export type Run<Result extends RunResult = RunResult> = {
  region: string;
  result: RouteResult<Result> | null;
};

/** The runs with the result of one more. */
export function withResult<Result extends RunResult>(
  runs: readonly Run<Result>[],
  finished: Run<Result>,
): Run<Result>[] {
  return runs.map((run) => (run.region === finished.region ? finished : run));
}
