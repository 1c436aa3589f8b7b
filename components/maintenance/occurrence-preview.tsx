'use client';

import { useEffect, useState } from 'react';
import { formatSpan } from './repeat';

/** The next occurrences of a schedule, or the problem with it. */
export type Previewed = { occurrences: { startsAt: string; endsAt: string }[]; problem: string | null };
export type Preview = (schedule: Record<string, string>) => Promise<Previewed>;

type Props = { schedule: Record<string, string> & { timeZone: string }; preview: Preview };

/** Debounce before querying the server. */
const DEBOUNCE_MS = 300;

/** Previews the next three occurrences of a recurring window. */
export function OccurrencePreview({ schedule, preview }: Props) {
  const [shown, setShown] = useState<Previewed | null>(null);
  const requested = JSON.stringify(schedule);
  const repeats = schedule.repeat !== 'once';

  useEffect(() => {
    if (!repeats) return;
    let isStale = false;
    const timer = setTimeout(async () => {
      // Keep the last preview if the request fails; submitting the form shows the error.
      const response = await preview(JSON.parse(requested)).catch(() => null);
      if (response && !isStale) setShown(response);
    }, DEBOUNCE_MS);
    return () => {
      isStale = true;
      clearTimeout(timer);
    };
  }, [requested, repeats, preview]);

  if (!repeats) return null;
  return (
    <div role="status" className="rounded-md border border-line bg-sunken px-3 py-2 text-sm">
      {shown === null || shown.problem !== null ? (
        <p className="text-muted">{shown?.problem ?? 'Calculating the next occurrences…'}</p>
      ) : (
        <>
          <p className="text-xs text-muted">Next</p>
          <ul className="tabular-nums">
            {shown.occurrences.map(({ startsAt, endsAt }) => (
              <li key={startsAt}>{formatSpan(startsAt, endsAt, schedule.timeZone)}</li>
            ))}
          </ul>
        </>
      )}
    </div>
  );
}
