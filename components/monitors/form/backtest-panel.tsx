import { useEffect, useState } from 'react';
import { callRoute, type RouteResult } from '@/components/ui/call-route';
import { cn } from '@/components/ui/cn';
import type { Backtest } from '@/lib/schemas/backtest';
import type { FormField } from '@/lib/schemas/monitor/fields';
import { BacktestResult } from './backtest-result';
import { readMonitorInput, type Typed } from './monitor-input';

/** So long nobody types before the server is asked. */
const QUIET_MS = 400;

type Props = { id: string; fields: readonly FormField[]; typed: Typed; opened: Typed };

/** What the numbers in the form would have made of the last week; follows as they are typed. */
export function BacktestPanel({ id, fields, typed, opened }: Props) {
  const [answer, setAnswer] = useState<RouteResult<Backtest> | null>(null);
  const [isAsking, setIsAsking] = useState(false);
  const asked = proposalOf(fields, typed);
  const isChanged = asked !== proposalOf(fields, opened);

  useEffect(() => {
    const leaving = new AbortController();
    const timer = setTimeout(async () => {
      setIsAsking(true);
      const next = await callRoute<Backtest>(`/monitors/${id}/backtest`, JSON.parse(asked), leaving.signal);
      if (leaving.signal.aborted) return;
      setAnswer(next);
      setIsAsking(false);
    }, QUIET_MS);
    return () => {
      leaving.abort();
      clearTimeout(timer);
    };
  }, [id, asked]);

  return (
    <div
      role="status"
      aria-label="Backtest"
      aria-busy={isAsking}
      className={cn(
        'rounded-lg border border-line bg-sunken px-3 py-2.5',
        isAsking && 'opacity-80 transition-opacity delay-300',
      )}
    >
      {answer === null ? (
        <p className="text-muted">Replaying the last 7 days …</p>
      ) : answer.ok ? (
        <BacktestResult backtest={answer.value} isChanged={isChanged} />
      ) : (
        <p className="text-muted">
          {Object.keys(answer.errors).length > 0
            ? 'Fill in these numbers to see what the last days would have been with them.'
            : answer.message}
        </p>
      )}
    </div>
  );
}

/** What is proposed, as one text that tells whether it changed. */
function proposalOf(fields: readonly FormField[], typed: Typed): string {
  return JSON.stringify(
    readMonitorInput(
      fields.filter(({ isReplayed }) => isReplayed),
      typed,
    ),
  );
}
