import type { Observations, PublicPage, ShownPage, ShownTransition } from '../observations';
import { integrate, KNOWN, TOLERANCE } from './uptime';
import { groupBy, type Violation } from './violation';

const DAY_MS = 86_400_000;
/** Pages are cached, and the ledger continues between two reads. */
const STALE_MS = 120_000;

type Monitor = PublicPage['monitors'][number];
type Day = Monitor['days'][number];

/** Day bars and uptime of the public page are those of the ledger: as JSON, and the same on the screen. */
export function checkPages(seen: Observations): Violation[] {
  const transitions = groupBy(seen.transitions, ({ monitorId }) => monitorId);
  return seen.pages.flatMap((page) => {
    const rows = readRows(page.html);
    return page.json.monitors.flatMap((monitor, index) => {
      const own = transitions.get(monitor.id);
      const problems = [
        ...(own ? compareWithLedger(page, monitor, own) : []),
        ...compareWithScreen(monitor, rows[index]),
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
  const today = Math.floor(readAt / DAY_MS) * DAY_MS;
  for (const [index, day] of monitor.days.entries()) {
    const from = today - (monitor.days.length - 1 - index) * DAY_MS;
    const span = { from, to: from + DAY_MS };
    const states = [readAt - STALE_MS, readAt].map((now) => worstOf(own, { ...span, now }));
    if (Date.parse(day.date) !== from) problems.push([rule, `${day.date} is not day ${index}`]);
    if (!states.includes(day.status))
      problems.push([rule, `${day.date} is ${day.status} instead of ${states[1]}`]);
    if (day.status !== null && !isShare(day.uptimePercentage, own, { ...span, readAt }))
      problems.push([rule, `${day.date} has ${day.uptimePercentage} %`]);
  }
  if (!isShare(monitor.uptimePercentage, own, { from: 0, to: readAt, readAt }))
    problems.push([rule, `the page shows ${monitor.uptimePercentage} %`]);
  return problems;
}

type Span = { from: number; to: number };

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

function worstOf(own: ShownTransition[], span: Span & { now: number }): string | null {
  const states = cut(own, span).map(({ to }) => to);
  return KNOWN.findLast((state) => states.includes(state)) ?? null;
}

function isShare(
  shown: number | null,
  own: ShownTransition[],
  { readAt, ...span }: Span & { readAt: number },
) {
  const shares = [readAt - STALE_MS, readAt].map((now) => integrate(cut(own, { ...span, now }), now));
  return (
    shown !== null && Math.min(...shares) - TOLERANCE <= shown && shown <= Math.max(...shares) + TOLERANCE
  );
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
      const uptime = /class="uptime">([\d.]+)/.exec(row)?.[1];
      return {
        name: /<h3>(.*?)<\/h3>/.exec(row)?.[1] ?? '',
        uptime: uptime === undefined ? null : Number(uptime),
        days: [...bars.matchAll(/<(?:i class="n(\d+) ?(\w*)"|label(?: class=(\w+))?)>(.*?)<\/b>/gs)].flatMap(
          ([, count = '1', ofDays = '', ofDay = '', text = '']) => {
            const look = ofDays || ofDay;
            const percent = /([\d.]+)%/.exec(text)?.[1];
            const day = {
              status: LOOKS[look] ?? null,
              uptime: percent === undefined ? null : Number(percent),
            };
            return Array.from({ length: Number(count) }, () => day);
          },
        ),
      };
    });
}

/** How much the uptime of two reads of one page may differ, in percent: it is cached, and a day that has just begun is short. */
const BETWEEN_READS = 1;

function compareWithScreen({ name, days, uptimePercentage }: Monitor, row: Row | undefined): Problem[] {
  const rule = 'the screen shows what the JSON shows';
  if (row?.name !== name) return [[rule, `${name} is shown as ${row?.name ?? 'nothing'}`]];
  if (row.days.length !== days.length) return [[rule, `${row.days.length} bars for ${days.length} days`]];
  const isKnown = days.some(({ status }) => status !== null);
  const isNear = (shown: number | null, share: number | null) =>
    shown === null || Math.abs(shown - (share ?? Number.NaN)) <= BETWEEN_READS;
  const isOdd = ({ status, uptimePercentage: share }: Day, index: number) =>
    row.days[index]?.status !== status || !isNear(row.days[index]?.uptime ?? null, share);
  const odd = days.find(isOdd);
  if (odd) return [[rule, `${odd.date} looks different`]];
  if (isKnown && (row.uptime === null || !isNear(row.uptime, uptimePercentage)))
    return [[rule, `${row.uptime} % instead of ${uptimePercentage} %`]];
  return [];
}
