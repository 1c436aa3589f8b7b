'use client';

import { useEffect, useState } from 'react';
import { formatSpan } from './repeat';

/** What a schedule of the form comes to: its next occurrences, or what is wrong with it. */
export type Previewed = { occurrences: { startsAt: string; endsAt: string }[]; problem: string | null };
export type Preview = (schedule: Record<string, string>) => Promise<Previewed>;

type Props = { schedule: Record<string, string> & { timeZone: string }; preview: Preview };

/** So long nobody types before the server is asked. */
const QUIET_MS = 300;

/** The next three occurrences of what repeats, as they would be. */
export function OccurrencePreview({ schedule, preview }: Props) {
  const [shown, setShown] = useState<Previewed | null>(null);
  const asked = JSON.stringify(schedule);
  const repeats = schedule.repeat !== 'once';

  useEffect(() => {
    if (!repeats) return;
    let isStale = false;
    const timer = setTimeout(async () => {
      // Without an answer the last one stays: sending the form says what is wrong.
      const answer = await preview(JSON.parse(asked)).catch(() => null);
      if (answer && !isStale) setShown(answer);
    }, QUIET_MS);
    return () => {
      isStale = true;
      clearTimeout(timer);
    };
  }, [asked, repeats, preview]);

  if (!repeats) return null;
  return (
    <div role="status" className="rounded-md border border-line bg-sunken px-3 py-2 text-sm">
      {shown === null || shown.problem !== null ? (
        <p className="text-muted">{shown?.problem ?? 'Looking for the next occurrences …'}</p>
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
