import { LRUCache } from 'lru-cache';
import { fill } from '@/lib/core/text';
import type { ViewedDay } from '@/lib/domain/status-pages/public/read-page-view';
import { DEFAULT_UPTIME_DAYS, RECENT_DAYS } from '@/lib/schemas/status-pages/uptime-days';
import { insertEncoded, insertLater } from './encoded-parts';
import type { Translator } from './translator';

const encoder = new TextEncoder();

/** Adjacent days that look the same, or a single day with a text of its own. */
type DayRun = { isSingle: boolean; days: [ViewedDay, ...ViewedDay[]] };

const LOOK = { operational: '', degraded: 'slow', down: 'bad' } as const;

type Props = {
  /** Of the monitor. */
  id: string;
  name: string;
  days: readonly ViewedDay[];
  /** Whether the days are those of a month, which a phone shows whole, too, and whose ends need no dates. */
  isMonth?: boolean;
  t: Translator;
};

/**
 * One bar per day; a phone shows only the last 30, with texts of their own. Days with issues are radio buttons: a single tab stop, arrow
 * keys, and taps work without a script. The days between them are rendered as one element. The stylesheet shows the text of the hovered or focused bar below the bars,
 * and lists the texts of all days with issues while `details` is open: an alternative to bars that are a few pixels wide,
 * with no second copy of texts that are most of a page. The buttons are invisible and cover all bars, which are their labels.
 * Every monitor has its own form, so all groups can share one short name.
 */
export function DayBars(props: Props) {
  const html = insertLater(() => renderBars(props)) ?? insertEncoded(renderBars(props));
  const label = fill(props.t.messages.days, { name: props.name });
  return (
    <form className={formClass(props)} autoComplete="off">
      <fieldset aria-label={label} dangerouslySetInnerHTML={{ __html: html }} />
    </form>
  );
}

/** The stylesheet has a grid for each number of days. */
function formClass({ days, isMonth = false }: Props): string {
  return isMonth || days.length === DEFAULT_UPTIME_DAYS ? 'bars' : `bars d${days.length}`;
}

const [OLDER, END] = [encoder.encode('<span class=older>'), encoder.encode('</span>')];

/** As text: hundreds of elements would dominate the cost of a page. */
function renderBars({ id, days, isMonth = false, t }: Props): Uint8Array[] {
  const parts: Uint8Array[] = [];
  const add = (some: readonly ViewedDay[]) =>
    parts.push(renderRow(`${id} ${t.language} ${isMonth}`, some, t));
  const recent = isMonth ? days : days.slice(-RECENT_DAYS);
  const older = days.length - recent.length;
  if (older > 0) parts.push(OLDER);
  for (let from = 0; from < older; from += RECENT_DAYS)
    add(days.slice(from, Math.min(from + RECENT_DAYS, older)));
  if (older > 0) parts.push(END);
  if (recent.length > 0) add(recent);
  const below = { hasScale: !isMonth, all: countDays(days), recent: countDays(recent) };
  parts.push(renderedBelow.memo(`${t.language} ${JSON.stringify(below)}`, { context: { below, t } }));
  return parts;
}

/** How many days there are, how many of them look as if they had issues, and how many of these are marked. */
type DayCount = { days: number; withIssues: number; marked: number };

function countDays(days: readonly ViewedDay[]): DayCount {
  const withIssues = days.filter(hasIssues);
  return { days: days.length, withIssues: withIssues.length, marked: withIssues.filter(isMarked).length };
}

/** What is said of all days, and of those that a phone shows. */
type Below = { hasScale: boolean; all: DayCount; recent: DayCount };

/** What is below the bars: the same for most monitors of a page. */
const renderedBelow = new LRUCache<string, Uint8Array, { below: Below; t: Translator }>({
  max: 1000,
  memoMethod: (_key, _stale, { context: { below, t } }) =>
    encoder.encode((below.hasScale ? renderScale(below, t) : '') + renderSummary(below, t)),
});

function renderScale({ all, recent }: Below, t: Translator): string {
  const ago = ({ days }: DayCount) => t.plural(t.messages.daysAgo, days);
  const start = inBothWidths(ago(all), ago(recent)) ?? `<span>${escapeText(ago(all))}</span>`;
  return `<p class=scale aria-hidden=true>${start}<span>${escapeText(t.messages.today)}</span></p>`;
}

function renderSummary({ all, recent }: Below, t: Translator): string {
  if (all.withIssues === 0) return '';
  const text = ({ withIssues }: DayCount) => t.plural(t.messages.daysWithIssues, withIssues);
  const texts = recent.withIssues === 0 ? null : inBothWidths(text(all), text(recent));
  const classOf = (own: string, count: number) => (count > 0 ? own : `"${own} whole"`);
  // The texts of the days say it, too.
  const key =
    all.marked === 0
      ? ''
      : `<span class=${classOf('key', recent.marked)} aria-hidden=true>${escapeText(t.messages.reportedIncident)}</span>`;
  return `<details class=${classOf('issues', recent.withIssues)}><summary>${texts ?? escapeText(text(all))}${key}</summary></details>`;
}

/** A text for wide screens and one for phones, which show fewer days; null if they are the same. */
function inBothWidths(whole: string, recent: string): string | null {
  if (whole === recent) return null;
  return `<span class=whole>${escapeText(whole)}</span><span class=recent>${escapeText(recent)}</span>`;
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
      day.incidents?.all === other.incidents?.all &&
      day.incidents?.byPeople === other.incidents?.byPeople)
  );
}

/** As short as HTML permits: there are thousands. */
function renderRun({ isSingle, days }: DayRun, t: Translator): string {
  const [first] = days;
  const look = first.status === null ? 'none' : LOOK[first.status];
  const text = `<b>${escapeText(formatRun(days, t))}</b>`;
  if (isMarked(first))
    return `<label class="${look && `${look} `}inc"><input type=radio name=d>${text}</label>`;
  if (!isSingle) return `<i class="n${days.length}${look && ` ${look}`}">${text}</i>`;
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
  const key = [
    t.language,
    date,
    status,
    downtime,
    uptimePercentage,
    incidents?.all,
    incidents?.byPeople,
    before,
  ].join();
  return formatted.memo(key, { context: { day, t } });
}

function formatDayParts(day: ViewedDay, t: Translator): string {
  const { messages } = t;
  const { all, byPeople } = day.incidents ?? { all: 0, byPeople: 0 };
  const parts = [
    ...(day.status === null ? [messages.state.noData] : []),
    ...(day.status === 'operational' || day.status === 'degraded' ? [messages.state[day.status]] : []),
    ...(day.downtime > 0 ? [fill(messages.dayDown, { duration: t.duration(day.downtime) })] : []),
    ...(day.uptimePercentage === null || day.status === 'operational'
      ? []
      : [fill(messages.uptime, { percent: t.percent(day.uptimePercentage) })]),
    ...(day.measured ? [formatCorrected(day.measured.uptimePercentage, t)] : []),
    ...(all > byPeople ? [t.plural(messages.incidents, all - byPeople)] : []),
    ...(byPeople > 0 ? [t.plural(messages.reportedIncidents, byPeople)] : []),
  ];
  return `${t.day(day.date)}: ${parts.length === 1 ? parts[0] : t.list(parts)}`;
}

/** `corrected, 98.5% measured`. */
export function formatCorrected(measured: number | null, t: Translator): string {
  const { messages } = t;
  if (measured === null) return messages.corrected;
  return t.list([messages.corrected, fill(messages.measured, { percent: t.percent(measured) })]);
}

/** Whether the bar of a day is marked: people opened an incident. */
function isMarked({ incidents }: ViewedDay): boolean {
  return incidents !== undefined && incidents.byPeople > 0;
}

/** Whether the bar of a day is colored as degraded or down, or marked: what the number of days with issues counts. */
function hasIssues(day: ViewedDay): boolean {
  return day.status === 'down' || day.status === 'degraded' || isMarked(day);
}

/** The days of a row as runs, in order. */
export function listRuns(days: readonly ViewedDay[]): DayRun[] {
  const runs: DayRun[] = [];
  for (const day of days) {
    const last = runs.at(-1);
    const isSingle = hasIssues(day) || day.measured !== undefined;
    if (last === undefined || isSingle || last.isSingle || last.days[0].status !== day.status) {
      runs.push({ isSingle, days: [day] });
    } else last.days.push(day);
  }
  return runs;
}
