import type { ViewedDay } from '@/lib/status-pages/read-page-view';
import { fill, type Translator } from './translator';

const CLASS = { operational: undefined, degraded: 'slow', down: 'bad' } as const;

/**
 * One bar a day. A group of radio buttons: one stop for the keyboard, arrow keys from day to day, a tap on a touch screen,
 * all without a script. The stylesheet writes the name of the day under the pointer, or in focus, below the bars. Each
 * monitor has a form of its own, which keeps the groups apart under one short name.
 */
export function DayBars({ name, days, t }: { name: string; days: ViewedDay[]; t: Translator }) {
  return (
    <form className="bars" autoComplete="off">
      <fieldset aria-label={fill(t.messages.days, { name })}>
        {days.map((day) => (
          <input
            key={day.date}
            type="radio"
            name="d"
            className={day.status === null ? 'none' : CLASS[day.status]}
            aria-label={describeDay(day, t)}
          />
        ))}
      </fieldset>
    </form>
  );
}

/** `20 Nov 2026: Down for 14 min, 99.02% uptime, 1 incident`; what is not worth a word is left out. */
export function describeDay(day: ViewedDay, t: Translator): string {
  const { messages } = t;
  const said = [
    ...(day.status === null ? [messages.dayUnknown] : []),
    ...(day.status === 'operational' || day.status === 'degraded' ? [messages.state[day.status]] : []),
    ...(day.downtime > 0 ? [fill(messages.dayDown, { duration: t.duration(day.downtime) })] : []),
    ...(day.uptimePercentage === null || day.status === 'operational'
      ? []
      : [fill(messages.uptime, { percent: t.percent(day.uptimePercentage) })]),
    ...(day.incidents > 0 ? [t.plural(messages.incidents, day.incidents)] : []),
  ];
  return `${t.day(day.date)}: ${said.length === 1 ? said[0] : t.list(said)}`;
}
