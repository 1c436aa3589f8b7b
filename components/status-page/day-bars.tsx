import { LRUCache } from 'lru-cache';
import { fill } from '@/lib/core/text';
import type { ViewedDay } from '@/lib/domain/status-pages/public/read-page-view';
import { insertEncoded, insertLater } from './encoded-parts';
import type { Translator } from './translator';

const encoder = new TextEncoder();

/** Days per row on a narrow screen. */
const NARROW_ROW = 30;

/** Adjacent days that look the same and have no issues, or a single day with issues. */
type DayRun = { hasIssues: boolean; days: [ViewedDay, ...ViewedDay[]] };

const LOOK = { operational: '', degraded: 'slow', down: 'bad' } as const;

type Props = {
  /** Of the monitor. */
  id: string;
  name: string;
  days: readonly ViewedDay[];
  perRow?: number;
  /** Whether the ends of the bars are dated. */
  hasScale?: boolean;
  t: Translator;
};

/**
 * One bar per day. Days with issues are radio buttons: a single tab stop, arrow keys, and taps work without a script. The
 * days between them are rendered as one element. The stylesheet shows the text of the hovered or focused bar below the bars,
 * and lists the texts of all days with issues while `details` is open: an alternative to bars that are a few pixels wide,
 * with no second copy of texts that are most of a page. The buttons are invisible and cover all bars, which are their labels.
 * Every monitor has its own form, so all groups can share one short name.
 */
export function DayBars(props: Props) {
  const html = insertLater(() => renderBars(props)) ?? insertEncoded(renderBars(props));
  const label = fill(props.t.messages.days, { name: props.name });
  return (
    <form className="bars" autoComplete="off">
      <fieldset aria-label={label} dangerouslySetInnerHTML={{ __html: html }} />
    </form>
  );
}

/** As text: hundreds of elements would dominate the cost of a page. */
function renderBars({ id, days, perRow = NARROW_ROW, hasScale = false, t }: Props): Uint8Array[] {
  const parts: Uint8Array[] = [];
  for (let from = 0; from < days.length; from += perRow) {
    parts.push(renderRow(`${id} ${t.language} ${perRow}`, days.slice(from, from + perRow), t));
  }
  const below = { scale: hasScale ? days.length : null, withIssues: days.filter(hasIssues).length };
  parts.push(
    renderedBelow.memo(`${t.language} ${below.scale} ${below.withIssues}`, { context: { below, t } }),
  );
  return parts;
}

/** The days of the scale, null without one, and how many of them have issues. */
type Below = { scale: number | null; withIssues: number };

/** What is below the bars: the same for most monitors of a page. */
const renderedBelow = new LRUCache<string, Uint8Array, { below: Below; t: Translator }>({
  max: 1000,
  memoMethod: (_key, _stale, { context: { below, t } }) => {
    const scale = below.scale === null ? '' : renderScale(below.scale, t);
    return encoder.encode(scale + renderSummary(below.withIssues, t));
  },
});

function renderScale(days: number, t: Translator): string {
  const texts = [t.plural(t.messages.daysAgo, days), t.messages.today];
  const ends = texts.map((text) => `<span>${escapeText(text)}</span>`);
  return `<p class=scale aria-hidden=true>${ends.join('')}</p>`;
}

function renderSummary(withIssues: number, t: Translator): string {
  if (withIssues === 0) return '';
  const text = escapeText(t.plural(t.messages.daysWithIssues, withIssues));
  return `<details class=issues><summary>${text}</summary></details>`;
}

/** A row that was rendered: days that have ended stay the same. */
type RenderedRow = { days: readonly ViewedDay[]; html: Uint8Array };

const renderedRows = new LRUCache<string, RenderedRow>({
  maxSize: 16 * 1024 * 1024,
  sizeCalculation: ({ html, days }, key) => html.length + 2 * key.length + 100 * days.length,
});

function renderRow(key: string, days: readonly ViewedDay[], t: Translator): Uint8Array {
  const own = `${key} ${days[0]?.date}`;
  const last = renderedRows.get(own);
  if (last !== undefined && isSame(last.days, days)) return last.html;
  const runs = listRuns(days).map((run) => renderRun(run, t));
  const html = encoder.encode(runs.join(''));
  renderedRows.set(own, { days, html });
  return html;
}

/** Whether the bars of some days are those of others. */
export function isSame(some: readonly ViewedDay[], others: readonly ViewedDay[]): boolean {
  return some.length === others.length && some.every((day, index) => isSameDay(day, others[index]));
}

function isSameDay(day: ViewedDay, other: ViewedDay | undefined): boolean {
  return (
    day === other ||
    (day.date === other?.date &&
      day.status === other.status &&
      day.downtime === other.downtime &&
      day.uptimePercentage === other.uptimePercentage &&
      day.measured?.uptimePercentage === other.measured?.uptimePercentage &&
      (day.measured === undefined) === (other.measured === undefined) &&
      day.incidents === other.incidents)
  );
}

/** As short as HTML permits: there are thousands. */
function renderRun({ hasIssues, days }: DayRun, t: Translator): string {
  const [first] = days;
  const look = first.status === null ? 'none' : LOOK[first.status];
  const text = `<b>${escapeText(formatRun(days, t))}</b>`;
  if (!hasIssues) return `<i class="n${days.length}${look && ` ${look}`}">${text}</i>`;
  return `<label${look && ` class=${look}`}><input type=radio name=d>${text}</label>`;
}

/** The text is ours; it is escaped all the same. */
function escapeText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
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
  if (day.status === 'operational' && day.downtime === 0 && !day.incidents && !day.measured) {
    return `${t.day(day.date)}: ${t.messages.state.operational}`;
  }
  const { date, status, downtime, uptimePercentage, incidents, measured } = day;
  const before = measured && `corrected ${measured.uptimePercentage}`;
  const key = `${t.language} ${date} ${status} ${downtime} ${uptimePercentage} ${incidents} ${before}`;
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
    ...(day.measured ? [formatCorrected(day.measured.uptimePercentage, t)] : []),
    ...(day.incidents ? [t.plural(messages.incidents, day.incidents)] : []),
  ];
  return `${t.day(day.date)}: ${parts.length === 1 ? parts[0] : t.list(parts)}`;
}

/** `corrected, 98.5% measured`. */
export function formatCorrected(measured: number | null, t: Translator): string {
  const { messages } = t;
  if (measured === null) return messages.corrected;
  return t.list([messages.corrected, fill(messages.measured, { percent: t.percent(measured) })]);
}

/** Whether a day had downtime, degraded time, or incidents. */
function hasIssues({ status, downtime, incidents = 0 }: ViewedDay): boolean {
  return status === 'down' || status === 'degraded' || downtime > 0 || incidents > 0;
}

/** The days of a row as runs, in order. */
export function listRuns(days: readonly ViewedDay[]): DayRun[] {
  const runs: DayRun[] = [];
  for (const day of days) {
    const last = runs.at(-1);
    const isSingle = hasIssues(day) || day.measured !== undefined;
    if (last === undefined || isSingle || last.hasIssues || last.days[0].status !== day.status) {
      runs.push({ hasIssues: isSingle, days: [day] });
    } else last.days.push(day);
  }
  return runs;
}
