import { LRUCache } from 'lru-cache';
import { fill } from '@/lib/core/fill';
import type { ViewedDay } from '@/lib/domain/status-pages/read-page-view';
import type { Translator } from './translator';

/** On a narrow screen the 90 days stand in rows of so many. */
const NARROW_ROW = 30;

/** Days side by side that look alike and of which there is nothing to tell one by one; or a single day that has a story. */
type DayRun = { isTroubled: boolean; days: [ViewedDay, ...ViewedDay[]] };

const LOOK = { operational: '', degraded: ' slow', down: ' bad' } as const;

type Props = { id: string; name: string; days: ViewedDay[]; perRow?: number; t: Translator };

/**
 * One bar a day. Days on which something happened are radio buttons: one stop for the keyboard, arrow keys from one to the
 * next, a tap on a touch screen, all without a script; what lies between them is drawn and told as one. The stylesheet shows
 * the words of what is under the pointer, or in focus, below the bars; the buttons themselves are unseen and as large as all
 * the bars, which are their labels. `id` begins the ids of the buttons. Each monitor has a form of its own, which keeps the
 * groups apart under one short name.
 */
export function DayBars({ id, name, days, perRow = NARROW_ROW, t }: Props) {
  // Written as text: hundreds of elements would be most of what a page costs to render.
  const bars = listRuns(days, perRow).map((run) => writeRun(run, id, t));
  return (
    <form className="bars" autoComplete="off">
      <fieldset
        aria-label={fill(t.messages.days, { name })}
        dangerouslySetInnerHTML={{ __html: bars.join('') }}
      />
    </form>
  );
}

function writeRun({ isTroubled, days }: DayRun, id: string, t: Translator): string {
  const [first] = days;
  const look = first.status === null ? ' none' : LOOK[first.status];
  const kind = `class="n${days.length}${look}"`;
  const words = `<b>${escapeText(describeRun(days, t))}</b>`;
  if (!isTroubled) return `<i ${kind}>${words}</i>`;
  return `<label ${kind}><input type="radio" name="d" id="${id}-${first.date}"/>${words}</label>`;
}

function describeRun(days: DayRun['days'], t: Translator): string {
  const [first] = days;
  const last = days.at(-1) ?? first;
  if (last === first) return describeDay(first, t);
  const said = first.status === null ? t.messages.dayUnknown : t.messages.state[first.status];
  return `${t.days(first.date, last.date)}: ${said}`;
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;' };

/** Only our own words come here; they are escaped all the same. */
function escapeText(text: string): string {
  return text.replace(/[&<]/g, (character) => ENTITIES[character] ?? '');
}

/** What was told of days. All but today's stay as they are, and are told again at every refresh. */
const told = new LRUCache<string, string>({ max: 20_000 });

/** `20 Nov 2026: Down for 14 min, 99.02% uptime, 1 incident`; what is not worth a word is left out. */
export function describeDay(day: ViewedDay, t: Translator): string {
  if (day.status === 'operational' && day.downtime === 0 && !day.incidents) {
    return `${t.day(day.date)}: ${t.messages.state.operational}`;
  }
  const { date, status, downtime, uptimePercentage, incidents } = day;
  const key = `${t.language} ${date} ${status} ${downtime} ${uptimePercentage} ${incidents}`;
  const known = told.get(key);
  if (known !== undefined) return known;
  const words = writeDay(day, t);
  told.set(key, words);
  return words;
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
    ...(day.incidents ? [t.plural(messages.incidents, day.incidents)] : []),
  ];
  return `${t.day(day.date)}: ${said.length === 1 ? said[0] : t.list(said)}`;
}

/** Whether something happened on a day. */
export function isTroubled({ status, downtime, incidents = 0 }: ViewedDay): boolean {
  return status === 'down' || status === 'degraded' || downtime > 0 || incidents > 0;
}

/** Days in their order as runs, none of which crosses the end of a narrow row. `days` fit in rows of `perRow`. */
export function listRuns(days: readonly ViewedDay[], perRow: number): DayRun[] {
  const runs: DayRun[] = [];
  for (const [index, day] of days.entries()) {
    const last = runs.at(-1);
    const isTold = isTroubled(day);
    const isNewRow = index % perRow === 0;
    if (last === undefined || isNewRow || isTold || last.isTroubled || last.days[0].status !== day.status) {
      runs.push({ isTroubled: isTold, days: [day] });
    } else last.days.push(day);
  }
  return runs;
}
