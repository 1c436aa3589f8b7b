import { useEffect, useState } from 'react';
import { callRoute, type RouteResult } from '@/components/ui/call-route';
import { dateFormat } from '@/lib/core/time/date-format';

const DEBOUNCE_MS = 400;

type Runs = { runs: string[]; timeZone: string };

/** The next runs of the schedule in the form of a heartbeat, or why there are none. */
export function NextRuns({ schedule }: { schedule: string }) {
  const [shown, setShown] = useState<RouteResult<Runs> | null>(null);

  useEffect(() => {
    if (schedule === '') return setShown(null);
    const controller = new AbortController();
    const timer = setTimeout(async () => {
      const result = await callRoute<Runs>('/monitors/runs', { schedule }, controller.signal);
      if (!controller.signal.aborted) setShown(result);
    }, DEBOUNCE_MS);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [schedule]);

  if (schedule === '') return null;
  return (
    <p
      role="status"
      className="min-h-9 rounded-md border border-line bg-sunken px-3 py-2 text-sm text-muted tabular-nums"
    >
      {shown === null ? 'Calculating the next runs…' : formatRuns(shown)}
    </p>
  );
}

function formatRuns(shown: RouteResult<Runs>): string {
  if (!shown.ok) {
    const [problem] = Object.values(shown.errors);
    return problem === undefined ? shown.message : `The schedule ${problem}.`;
  }
  const { runs, timeZone } = shown.value;
  const format = dateFormat('en', {
    weekday: 'short',
    month: 'short',
    day: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    timeZone,
  });
  return `Next: ${runs.map((run) => format.format(Date.parse(run))).join(' · ')} (${timeZone})`;
}
