import { LRUCache } from 'lru-cache';
import { fill } from '@/lib/core/text';
import type { ViewedDay } from '@/lib/domain/status-pages/public/read-page-view';
import type { Translator } from './translator';

/** Days per row on a narrow screen. */
const NARROW_ROW = 30;

/** Adjacent days that look the same and have no issues, or a single day with issues. */
type DayRun = { hasIssues: boolean; days: [ViewedDay, ...ViewedDay[]] };

const LOOK = { operational: '', degraded: ' slow', down: ' bad' } as const;

type Props = { id: string; name: string; days: ViewedDay[]; perRow?: number; t: Translator };

/** Bars and lists that were rendered last, by what they show: days that have ended stay the same. */
const rendered = new LRUCache<string, string, () => string>({
  maxSize: 16 * 1024 * 1024,
  sizeCalculation: (html, key) => 2 * (html.length + key.length),
  memoMethod: (_key, _stale, { context: render }) => render(),
});

function remember(key: readonly unknown[], days: readonly ViewedDay[], render: () => string): string {
  const shown = days.map(
    (day) => `${day.status} ${day.downtime} ${day.uptimePercentage} ${day.incidents ?? ''}`,
  );
  return rendered.memo([...key, days[0]?.date, ...shown].join(), { context: render });
}

/**
 * One bar per day. Days with issues are radio buttons: a single tab stop, arrow keys, and taps work without a script. The
 * days between them are rendered as one element. The stylesheet shows the text of the hovered or focused bar below the bars;
 * the buttons are invisible and cover all bars, which are their labels. `id` prefixes the ids of the buttons. Every monitor
 * has its own form, so all groups can share one short name.
 */
export function DayBars({ id, name, days, perRow = NARROW_ROW, t }: Props) {
  // Rendered as text: hundreds of elements would dominate the cost of a page.
  const bars = remember(['bars', t.language, id, perRow], days, () =>
    listRuns(days, perRow)
      .map((run) => renderRun(run, id, t))
      .join(''),
  );
  return (
    <form className="bars" autoComplete="off">
      <fieldset aria-label={fill(t.messages.days, { name })} dangerouslySetInnerHTML={{ __html: bars }} />
    </form>
  );
}

function renderRun({ hasIssues, days }: DayRun, id: string, t: Translator): string {
  const [first] = days;
  const look = first.status === null ? ' none' : LOOK[first.status];
  const kind = `class="n${days.length}${look}"`;
  const text = `<b>${escapeText(formatRun(days, t))}</b>`;
  if (!hasIssues) return `<i ${kind}>${text}</i>`;
  return `<label ${kind}><input type="radio" name="d" id="${id}-${first.date}"/>${text}</label>`;
}

/** The text is ours; it is escaped all the same. */
function escapeText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}

/** The days with issues as a list, newest first: an alternative to bars that are a few pixels wide. */
export function DaysWithIssues({ days, t }: { days: ViewedDay[]; t: Translator }) {
  const withIssues = days.filter(hasIssues).toReversed();
  if (withIssues.length === 0) return null;
  const items = remember(['list', t.language], days, () =>
    withIssues.map((day) => `<li>${escapeText(formatDay(day, t))}</li>`).join(''),
  );
  return (
    <details className="issues">
      <summary>{t.plural(t.messages.daysWithIssues, withIssues.length)}</summary>
      <ul dangerouslySetInnerHTML={{ __html: items }} />
    </details>
  );
}

function formatRun(days: DayRun['days'], t: Translator): string {
  const [first] = days;
  const last = days.at(-1) ?? first;
  if (last === first) return formatDay(first, t);
  const status = first.status === null ? t.messages.state.noData : t.messages.state[first.status];
  return `${t.days(first.date, last.date)}: ${status}`;
}

/** All days but today's stay the same and are needed at every refresh. */
const formatted = new LRUCache<string, string, { day: ViewedDay; t: Translator }>({
  max: 20_000,
  memoMethod: (_key, _stale, { context }) => formatDayParts(context.day, context.t),
});

/** `20 Nov 2026: Down for 14 min, 99.02% uptime, 1 incident`, without the parts that do not apply. */
function formatDay(day: ViewedDay, t: Translator): string {
  if (day.status === 'operational' && day.downtime === 0 && !day.incidents) {
    return `${t.day(day.date)}: ${t.messages.state.operational}`;
  }
  const { date, status, downtime, uptimePercentage, incidents } = day;
  const key = `${t.language} ${date} ${status} ${downtime} ${uptimePercentage} ${incidents}`;
  return formatted.memo(key, { context: { day, t } });
}

function formatDayParts(day: ViewedDay, t: Translator): string {
  const { messages } = t;
  const parts = [
    ...(day.status === null ? [messages.state.noData] : []),
    ...(day.status === 'operational' || day.status === 'degraded' ? [messages.state[day.status]] : []),
    ...(day.downtime > 0 ? [fill(messages.dayDown, { duration: t.duration(day.downtime) })] : []),
    ...(day.uptimePercentage === null || day.status === 'operational'
      ? []
      : [fill(messages.uptime, { percent: t.percent(day.uptimePercentage) })]),
    ...(day.incidents ? [t.plural(messages.incidents, day.incidents)] : []),
  ];
  return `${t.day(day.date)}: ${parts.length === 1 ? parts[0] : t.list(parts)}`;
}

/** Whether a day had downtime, degraded time, or incidents. */
function hasIssues({ status, downtime, incidents = 0 }: ViewedDay): boolean {
  return status === 'down' || status === 'degraded' || downtime > 0 || incidents > 0;
}

/** The days as runs, in order. No run crosses the end of a row of `perRow` days. */
export function listRuns(days: readonly ViewedDay[], perRow: number): DayRun[] {
  const runs: DayRun[] = [];
  for (const [index, day] of days.entries()) {
    const last = runs.at(-1);
    const isSingle = hasIssues(day);
    const isNewRow = index % perRow === 0;
    if (last === undefined || isNewRow || isSingle || last.hasIssues || last.days[0].status !== day.status) {
      runs.push({ hasIssues: isSingle, days: [day] });
    } else last.days.push(day);
  }
  return runs;
}
