import type { ViewedDay } from '@/lib/domain/status-pages/read-page-view';
import { describeDay } from './day-bars';
import { isTroubled } from './day-runs';
import type { Translator } from './translator';

/**
 * The days that were not all well, in words, the newest first: what the bars tell, for who cannot hit a bar of seven pixels
 * or would rather read.
 */
export function TroubledDays({ days, t }: { days: ViewedDay[]; t: Translator }) {
  const troubled = days.filter(isTroubled).toReversed();
  if (troubled.length === 0) return null;
  return (
    <details className="trouble">
      <summary>{t.plural(t.messages.troubledDays, troubled.length)}</summary>
      <ul>
        {troubled.map((day) => (
          <li key={day.date}>{describeDay(day, t)}</li>
        ))}
      </ul>
    </details>
  );
}
