import type { Observations, PublicPage, ShownPage, ShownTransition } from '../observations';
import { integrate, KNOWN, TOLERANCE } from './uptime';
import { groupBy, type Violation } from './violation';

const DAY_MS = 86_400_000;
/** Pages are cached, and the ledger continues between two reads. */
const STALE_MS = 120_000;

type Monitor = PublicPage['monitors'][number];

/** Day bars and uptime of the public page are those of the ledger: as JSON, and the same on the screen. */
export function checkPages(seen: Observations): Violation[] {
  const transitions = groupBy(seen.transitions, ({ monitorId }) => monitorId);
  return seen.pages.flatMap((page) => {
    const rows = readRows(page.html);
    return page.json.monitors.flatMap((monitor, index) => {
      const own = transitions.get(monitor.id) ?? [];
      const problems = [
        ...(own.length > 0 ? compareWithLedger(page, monitor, own) : []),
        ...compareWithScreen(page, monitor, rows[index], own),
      ];
      return problems.slice(0, 1).map(([rule, message]) => ({
        rule,
        message,
        object: monitor.id,
        history: monitor.days
          .filter(({ status }) => status !== null)
          .map(({ date, status, uptimePercentage }) => `${date}: ${status}, ${uptimePercentage} %`),
      }));
    });
  });
}

type Problem = [rule: string, message: string];

function compareWithLedger({ readAt }: ShownPage, monitor: Monitor, own: ShownTransition[]): Problem[] {
  const rule = 'day bars are the integral of the ledger';
  const problems: Problem[] = [];
  for (const [index, day] of monitor.days.entries()) {
    const span = dayOf(monitor, index, readAt);
    const ledger = readLedger(own, span, readAt);
    if (Date.parse(day.date) !== span.from) problems.push([rule, `${day.date} is not day ${index}`]);
    if (!ledger.states.includes(day.status))
      problems.push([rule, `${day.date} is ${day.status} instead of ${ledger.states[1]}`]);
    if (day.status !== null && !ledger.hasShare(day.uptimePercentage))
      problems.push([rule, `${day.date} has ${day.uptimePercentage} %`]);
  }
  if (!readLedger(own, { from: 0, to: readAt }, readAt).hasShare(monitor.uptimePercentage))
    problems.push([rule, `the page shows ${monitor.uptimePercentage} %`]);
  return problems;
}

type Span = { from: number; to: number };

function dayOf({ days }: Monitor, index: number, readAt: number): Span {
  const today = Math.floor(readAt / DAY_MS) * DAY_MS;
  const from = today - (days.length - 1 - index) * DAY_MS;
  return { from, to: from + DAY_MS };
}

/** What a page that is read at a moment may show of a span: it may be as old as STALE_MS. */
function readLedger(own: ShownTransition[], span: Span, readAt: number) {
  const parts = [readAt - STALE_MS, readAt].map((now) => ({ now, own: cut(own, { ...span, now }) }));
  const shares = parts.map((part) => integrate(part.own, part.now));
  const [least, most] = [Math.min(...shares) - TOLERANCE, Math.max(...shares) + TOLERANCE];
  return {
    states: parts.map((part) => worstOf(part.own)),
    hasShare: (shown: number | null) => shown !== null && least <= shown && shown <= most,
  };
}

/** The part of the periods within a span, as of a moment. */
function cut(own: ShownTransition[], { from, to, now }: Span & { now: number }): ShownTransition[] {
  return own
    .map((each) => ({
      ...each,
      at: Math.max(each.at, from),
      endedAt: Math.min(each.endedAt ?? now, to, now),
    }))
    .filter(({ at, endedAt }) => at < endedAt);
}

function worstOf(own: ShownTransition[]): string | null {
  const states = own.map(({ to }) => to);
  return KNOWN.findLast((state) => states.includes(state)) ?? null;
}

type Row = { name: string; uptime: number | null; days: { status: string | null; uptime: number | null }[] };

const LOOKS: Record<string, string | null> = { '': 'operational', slow: 'degraded', bad: 'down', none: null };

/** The rows of a page. A bar stands for one day with issues, or for several without; its class shows how many, and their status. */
function readRows(html: string): Row[] {
  return html
    .split('<li id="m')
    .slice(1)
    .map((row) => {
      const [, bars = ''] = /<fieldset[^>]*>(.*?)<\/fieldset>/s.exec(row) ?? [];
      const uptime = /class="uptime">(?:<span class="whole">)?([\d.]+)/.exec(row)?.[1];
      return {
        name: /<h3>(.*?)<\/h3>/.exec(row)?.[1] ?? '',
        uptime: uptime === undefined ? null : Number(uptime),
        days: [
          ...bars.matchAll(/<(?:i class="n(\d+) ?(\w*)"|label(?: class="?([\w ]+)"?)?)>(.*?)<\/b>/gs),
        ].flatMap(([, count = '1', ofDays = '', ofDay = '', text = '']) => {
          const look = ofDays || ofDay.replace(/ ?\binc$/, '');
          const percent = /([\d.]+)%/.exec(text)?.[1];
          const day = {
            status: LOOKS[look] ?? null,
            uptime: percent === undefined ? null : Number(percent),
          };
          return Array.from({ length: Number(count) }, () => day);
        }),
      };
    });
}

/**
 * Whether the screen shows the monitor as the JSON does. One of them may have been drawn up to STALE_MS before the other,
 * in which a day of ten minutes changes by percents: what differs has to be what the ledger was in that time.
 */
function compareWithScreen(
  { readAt }: ShownPage,
  monitor: Monitor,
  row: Row | undefined,
  own: ShownTransition[],
): Problem[] {
  const rule = 'the screen shows what the JSON shows';
  const { name, days, uptimePercentage } = monitor;
  if (row?.name !== name) return [[rule, `${name} is shown as ${row?.name ?? 'nothing'}`]];
  if (row.days.length !== days.length) return [[rule, `${row.days.length} bars for ${days.length} days`]];
  const problems: Problem[] = [];
  for (const [index, bar] of row.days.entries()) {
    const day = days[index];
    const ledger = readLedger(own, dayOf(monitor, index, readAt), readAt);
    const isStatus = bar.status === day?.status || ledger.states.includes(bar.status);
    const isShare =
      bar.uptime === null || bar.uptime === day?.uptimePercentage || ledger.hasShare(bar.uptime);
    if (!isStatus || !isShare)
      problems.push([rule, `${day?.date} is ${bar.status} with ${bar.uptime} % on the screen`]);
  }
  const isKnown = days.some(({ status }) => status !== null);
  const isShare =
    row.uptime === uptimePercentage || readLedger(own, { from: 0, to: readAt }, readAt).hasShare(row.uptime);
  if (isKnown && !isShare) problems.push([rule, `${row.uptime} % instead of ${uptimePercentage} %`]);
  return problems;
}
