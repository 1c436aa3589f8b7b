import { FlaskConical, Square } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { Button } from '@/components/ui/button';
import { callRoute } from '@/components/ui/call-route';
import type { DryRun } from '@/lib/schemas/result';
import type { Typed } from './monitor-input';
import { type TestRun, TestRuns } from './test-runs';

type Props = {
  typed: Typed;
  /** The monitor whose hidden headers are meant; null where none are hidden. */
  source: string | null;
  size?: 'normal' | 'large';
};

/**
 * Checks what the form holds once from each of its regions, before anything is saved. Results stand there as they come; who
 * leaves the page or presses again ends what is under way.
 */
export function TestNow({ typed, source, size }: Props) {
  const [tested, setTested] = useState<{ typed: Typed; runs: TestRun[] } | null>(null);
  const underWay = useRef<AbortController | null>(null);
  useEffect(() => () => underWay.current?.abort(), []);

  const isRunning = tested?.runs.some(({ answer }) => answer === null) ?? false;

  const stop = () => {
    underWay.current?.abort();
    setTested(null);
  };
  const start = () => {
    underWay.current?.abort();
    const controller = new AbortController();
    underWay.current = controller;
    const regions = (typed.regions ?? '').split(',').filter((region) => region !== '');
    setTested({ typed, runs: regions.map((region) => ({ region, answer: null })) });
    for (const region of regions) {
      callRoute<DryRun>('/monitors/test', { typed, region, source }, controller.signal).then((answer) => {
        if (controller.signal.aborted) return;
        setTested((now) => now && { ...now, runs: withAnswer(now.runs, { region, answer }) });
      });
    }
  };

  return (
    <div className="flex min-w-0 flex-col gap-3">
      <Button size={size} onClick={isRunning ? stop : start} className="self-start">
        {isRunning ? <Square aria-hidden="true" /> : <FlaskConical aria-hidden="true" />}
        {isRunning ? 'Stop the test' : 'Test now'}
      </Button>
      <div role="status" aria-label="Test results" className="empty:hidden">
        {tested ? (
          <TestRuns runs={tested.runs} isStale={JSON.stringify(tested.typed) !== JSON.stringify(typed)} />
        ) : null}
      </div>
    </div>
  );
}

function withAnswer(runs: TestRun[], answered: TestRun): TestRun[] {
  return runs.map((run) => (run.region === answered.region ? answered : run));
}
