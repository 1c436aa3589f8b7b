import { FlaskConical, Square } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { Banner } from '@/components/ui/banner';
import { Button } from '@/components/ui/button';
import { callRoute } from '@/components/ui/call-route';
import { ResultBox } from '@/components/ui/result-box';
import type { DryRun } from '@/lib/schemas/monitor/result';
import { formatRefusal, type Labels, RunList } from '../checks/run-list';
import { type Run, withResult } from '../checks/runs';
import type { Typed } from './monitor-input';

type Props = {
  typed: Typed;
  /** The monitor whose hidden headers are used; null if none are hidden. */
  source: string | null;
  size?: 'normal' | 'large';
  labels?: Labels;
  onTested?: (finished: FinishedTest) => void;
};

/** A check that the test made, and the form that it tested. */
export type FinishedTest = { typed: Typed; result: DryRun };

/**
 * Runs one check from each region with the unsaved form. Results appear as they arrive; leaving the page or pressing the
 * button again stops the test.
 */
export function TestNow({ typed, source, size, labels, onTested }: Props) {
  const [tested, setTested] = useState<{ typed: Typed; runs: TestRun[] } | null>(null);
  const running = useRef<AbortController | null>(null);
  useEffect(() => () => running.current?.abort(), []);

  const isRunning = tested?.runs.some(({ result }) => result === null) ?? false;

  const stop = () => {
    running.current?.abort();
    setTested(null);
  };
  const start = () => {
    running.current?.abort();
    const controller = new AbortController();
    running.current = controller;
    const regions = (typed.regions ?? '').split(',').filter(Boolean);
    setTested({ typed, runs: regions.map((region) => ({ region, result: null })) });
    for (const region of regions) {
      callRoute<DryRun>('/monitors/test', { typed, region, source }, controller.signal).then((result) => {
        if (controller.signal.aborted) return;
        if (result.ok) onTested?.({ typed, result: result.value });
        setTested((before) => before && { ...before, runs: withResult(before.runs, { region, result }) });
      });
    }
  };

  return (
    <div className="flex min-w-0 flex-col gap-3">
      <Button
        size={size}
        icon={isRunning ? <Square /> : <FlaskConical />}
        onClick={isRunning ? stop : start}
        className="self-start"
      >
        {isRunning ? 'Stop test' : 'Test now'}
      </Button>
      {tested ? (
        <ResultBox label="Test results" rem={heightOf(tested.runs)}>
          <TestRuns
            runs={tested.runs}
            labels={labels}
            isStale={JSON.stringify(tested.typed) !== JSON.stringify(typed)}
          />
        </ResultBox>
      ) : null}
    </div>
  );
}

/** A test from one region; `result` is null while it runs. */
type TestRun = Run<DryRun>;

/** In rem: a result with its phases for each region, and the note below. */
function heightOf(runs: readonly TestRun[]): number {
  return Math.min(26, 3 + 7.5 * runs.length);
}

type TestRunsProps = { runs: TestRun[]; labels?: Labels; isStale: boolean };

function TestRuns({ runs, labels, isStale }: TestRunsProps) {
  if (runs.length === 0) return <Banner tone="bad">Select at least one region.</Banner>;
  const errors = new Set(
    runs.flatMap(({ result }) => (result?.ok === false ? [formatRefusal(result, labels)] : [])),
  );
  // Invalid input fails the same way in every region: show it once.
  const [only] = errors;
  if (only !== undefined && errors.size === 1 && runs.every(({ result }) => result?.ok === false)) {
    return <Banner tone="bad">{only}</Banner>;
  }
  return (
    <div className="flex flex-col gap-1.5">
      <RunList runs={runs} labels={labels} />
      <p className="text-xs text-muted">
        {isStale
          ? 'The form has changed since this test.'
          : 'This is only a test: nothing is stored, and no alerts are sent.'}
      </p>
    </div>
  );
}
