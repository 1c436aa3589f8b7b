import { Banner } from '@/components/ui/banner';
import type { DryRun } from '@/lib/schemas/monitor/result';
import { formatRefusal, RunList } from '../checks/run-list';
import type { Run } from '../checks/runs';

/** A test from one region; `result` is null while it runs. */
export type TestRun = Run<DryRun>;

export function TestRuns({ runs, isStale }: { runs: TestRun[]; isStale: boolean }) {
  if (runs.length === 0) return <Banner tone="bad">Select at least one region.</Banner>;
  const errors = new Set(runs.flatMap(({ result }) => (result?.ok === false ? [formatRefusal(result)] : [])));
  // Invalid input fails the same way in every region: show it once.
  const [only] = errors;
  if (only !== undefined && errors.size === 1 && runs.every(({ result }) => result?.ok === false)) {
    return <Banner tone="bad">{only}</Banner>;
  }
  return (
    <div className="flex flex-col gap-1.5">
      <RunList runs={runs} />
      <p className="text-xs text-muted">
        {isStale
          ? 'The form has changed since this test.'
          : 'This is only a test: nothing is stored, and no alerts are sent.'}
      </p>
    </div>
  );
}
