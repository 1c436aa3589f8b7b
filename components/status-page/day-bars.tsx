import { LRUCache } from 'lru-cache';
import type { ViewedDay } from '@/lib/status-pages/read-page-view';
import { fill, type Translator } from './translator';

const CLASS = { operational: '', degraded: ' class="slow"', down: ' class="bad"' } as const;

/**
 * One bar a day. A group of radio buttons: one stop for the keyboard, arrow keys from day to day, a tap on a touch screen,
 * all without a script. The stylesheet writes the name of the day under the pointer, or in focus, below the bars. Each
 * monitor has a form of its own, which keeps the groups apart under one short name.
 */
export function DayBars({ name, days, t }: { name: string; days: ViewedDay[]; t: Translator }) {
  // Written as text: 1,800 elements would be most of what a page costs to render.
  const bars = days.map((day) => writeBar(day, t)).join('');
  return (
    <form className="bars" autoComplete="off">
      <fieldset aria-label={fill(t.messages.days, { name })} dangerouslySetInnerHTML={{ __html: bars }} />
    </form>
  );
}

function writeBar(day: ViewedDay, t: Translator): string {
  const look = day.status === null ? ' class="none"' : CLASS[day.status];
  return `<input type="radio" name="d"${look} aria-label="${escapeAttribute(describeDay(day, t))}"/>`;
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '"': '&quot;', '<': '&lt;' };

/** Only our own words come here; they are escaped all the same. */
function escapeAttribute(text: string): string {
  return text.replace(/[&"<]/g, (character) => ENTITIES[character] ?? '');
}

/** What was told of days. All but today's stay as they are, and are told again at every refresh. */
const told = new LRUCache<string, string>({ max: 20_000 });

/** `20 Nov 2026: Down for 14 min, 99.02% uptime, 1 incident`; what is not worth a word is left out. */
export function describeDay(day: ViewedDay, t: Translator): string {
  if (day.status === 'operational' && day.downtime === 0 && day.incidents === 0) {
    return `${t.day(day.date)}: ${t.messages.state.operational}`;
  }
  const { date, status, downtime, uptimePercentage, incidents } = day;
  const key = `${t.language} ${date} ${status} ${downtime} ${uptimePercentage} ${incidents}`;
  const known = told.get(key) ?? writeDay(day, t);
  told.set(key, known);
  return known;
}

function writeDay(day: ViewedDay, t: Translator): string {
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
