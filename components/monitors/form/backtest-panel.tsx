import { useEffect, useState } from 'react';
import { callRoute, type RouteResult } from '@/components/ui/call-route';
import { cn } from '@/components/ui/cn';
import type { Backtest } from '@/lib/schemas/monitor/backtest';
import type { FormField } from '@/lib/schemas/monitor/fields';
import { BacktestResult } from './backtest-result';
import { readMonitorInput, type Typed } from './monitor-input';

/** Debounce before querying the server. */
const DEBOUNCE_MS = 400;

type Props = { id: string; fields: readonly FormField[]; typed: Typed; opened: Typed };

/** Replays the last week with the numbers in the form while they are edited. */
export function BacktestPanel({ id, fields, typed, opened }: Props) {
  const [result, setResult] = useState<RouteResult<Backtest> | null>(null);
  const [isLoading, setIsLoading] = useState(false);
  const proposal = proposalOf(fields, typed);
  const isChanged = proposal !== proposalOf(fields, opened);

  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    const timer = setTimeout(async () => {
      setIsLoading(true);
      const next = await callRoute<Backtest>(`/monitors/${id}/backtest`, JSON.parse(proposal), signal);
      if (signal.aborted) return;
      setResult(next);
      setIsLoading(false);
    }, DEBOUNCE_MS);
    return () => {
      controller.abort();
      clearTimeout(timer);
    };
  }, [id, proposal]);

  return (
    <div
      role="status"
      aria-label="Backtest"
      aria-busy={isLoading}
      className={cn(
        'rounded-lg border border-line bg-sunken px-3 py-2.5',
        // Not the first text, which would be too faint to read.
        isLoading && result !== null && 'opacity-90 transition-opacity delay-300',
      )}
    >
      {result === null ? (
        <p className="text-muted">Replaying the last 7 days…</p>
      ) : result.ok ? (
        <BacktestResult backtest={result.value} isChanged={isChanged} />
      ) : (
        <p className="text-muted">
          {Object.keys(result.errors).length > 0
            ? 'Fill in these numbers to see how they would have changed recent alerts.'
            : result.message}
        </p>
      )}
    </div>
  );
}

/** The replayed fields as JSON, to compare and send. */
function proposalOf(fields: readonly FormField[], typed: Typed): string {
  const replayed = fields.filter(({ isReplayed }) => isReplayed);
  return JSON.stringify(readMonitorInput(replayed, typed));
}
