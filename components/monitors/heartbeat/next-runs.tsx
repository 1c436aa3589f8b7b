import { useEffect, useState } from 'react';
import { callRoute, type RouteResult } from '@/components/ui/call-route';
import { splitDuration } from '@/components/ui/forms/duration';
import { formatFieldError } from '@/components/ui/forms/form-state';
import { useTimeZone } from '@/components/ui/time/page-clock';
import { dateFormat } from '@/lib/core/time/date-format';
import { splitSchedule } from './typed-schedule';

const DEBOUNCE_MS = 400;

/** When calls are expected. A plan without a time zone is relative to the first call. */
type Runs = { runs: string[]; timeZone: string | null };

/** The inputs of a plan, one of which is empty. */
type TypedPlan = { period: string; schedule: string };

/** When the job of a heartbeat is expected to call by what is typed in its form, or what is wrong with that. */
export function NextRuns({ period, schedule }: TypedPlan) {
  const [shown, setShown] = useState<RouteResult<Runs> | null>(null);
  const ownZone = useTimeZone();
  const isEmpty = splitDuration(period).amount === '' && splitSchedule(schedule).cron === '';

  useEffect(() => {
    if (isEmpty) return setShown(null);
    const controller = new AbortController();
    const timer = setTimeout(async () => {
      const result = await callRoute<Runs>('/monitors/runs', { period, schedule }, controller.signal);
      if (!controller.signal.aborted) setShown(result);
    }, DEBOUNCE_MS);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [period, schedule, isEmpty]);

  return (
    <p
      role="status"
      className="min-h-9 rounded-md border border-line bg-sunken px-3 py-2 text-sm text-muted tabular-nums"
    >
      {isEmpty
        ? 'The next three expected times appear here.'
        : shown === null
          ? 'Calculating the next expected times…'
          : formatRuns(shown, ownZone)}
    </p>
  );
}

/** The next expected times, or why there are none. */
export function formatRuns(shown: RouteResult<Runs>, ownZone: string): string {
  if (!shown.ok) {
    const { period, schedule } = shown.errors;
    if (period !== undefined) return formatFieldError('Period', period);
    return schedule === undefined ? shown.message : formatFieldError('Cron expression', schedule);
  }
  const { runs, timeZone } = shown.value;
  const format = dateFormat('en', {
    weekday: 'short',
    month: 'short',
    day: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    timeZone: timeZone ?? ownZone,
  });
  const times = runs.map((run) => format.format(Date.parse(run))).join(' · ');
  return timeZone === null
    ? `If the job calls now, next expected: ${times}`
    : `Next expected: ${times} (${timeZone})`;
}
