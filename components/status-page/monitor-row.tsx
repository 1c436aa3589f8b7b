import type { ReactNode } from 'react';
import { fill } from '@/lib/core/text';
import type { LatencyPoint, LatencySeries } from '@/lib/domain/monitors/history/read-latency';
import type { PageMonitorState } from '@/lib/domain/status-pages/page-status';
import type { ViewedMonitor } from '@/lib/domain/status-pages/public/read-page-view';
import type { ShownUptime } from '@/lib/domain/status-pages/public/read-public-monitors';
import type { PageState } from '@/lib/schemas/status-pages/page-state';
import { DayBars, formatCorrected } from './day-bars';
import { Icon } from './icons';
import { WithMoment } from './maintenance-card';
import { RememberedRow } from './remembered-row';
import { TONE_OF } from './state';
import type { Translator } from './translator';

type Props = {
  /** By which the refresh script finds the row again. */
  id: string;
  monitor: ViewedMonitor;
  description?: string | null;
  /** In a section, whose heading is above it. */
  isInSection?: boolean;
  t: Translator;
};

/** A monitor with its state, uptime and days. */
export function MonitorRow({ id, ...row }: Props) {
  return (
    <RememberedRow id={id} facts={() => formatFacts(row)} days={row.monitor.days}>
      <Row {...row} />
    </RememberedRow>
  );
}

type RowProps = Omit<Props, 'id'>;

/** Everything that a row shows besides its days. The JSON for programs also has when it was last checked, which changes all the time. */
function formatFacts({ monitor, description, isInSection, t }: RowProps): string {
  const { days: _, lastCheckedAt: _at, lastResponseTime: _ms, ...shown } = monitor;
  const { noDataSince } = shown;
  const since =
    noDataSince === null ? null : [noDataSince, t.moment(noDataSince), t.momentTitle(noDataSince)];
  return JSON.stringify([shown, since, t.language, description, isInSection]);
}

function Row({ monitor, description = null, isInSection = false, t }: RowProps) {
  const { name, state, days, responseTimes, noDataSince } = monitor;
  const noData = noDataSince && <WithMoment text={t.messages.noDataSince} at={noDataSince} t={t} />;
  return (
    <>
      <div className="row">
        {isInSection ? <h4>{name}</h4> : <h3>{name}</h3>}
        <Uptime monitor={monitor} t={t} />
        <State state={state} t={t}>
          {state === 'noData' && noData ? <span>{noData}</span> : null}
        </State>
      </div>
      {description === null ? null : <p className="facts">{description}</p>}
      {state === 'maintenance' && noData ? <p className="facts">{noData}</p> : null}
      <DayBars id={monitor.id} name={name} days={days} t={t} />
      {responseTimes === null ? null : <ResponseChart name={name} series={responseTimes} t={t} />}
    </>
  );
}

type StateProps = { state: PageMonitorState | PageState; children?: ReactNode; t: Translator };

/** The state of a row or section as an icon and a word, or the text in its place. */
export function State({ state, children = null, t }: StateProps) {
  // A row or section has no word of its own for what only a page can be.
  const word = state === 'unknown' || state === 'empty' ? 'noData' : state;
  return (
    <span className={`state ${TONE_OF[state]}`}>
      <Icon tone={TONE_OF[state]} />
      {children ?? t.messages.state[word]}
    </span>
  );
}

/** The uptime of a monitor over the days that its bars show, on a phone over those that they show there, with what it covers. */
function Uptime({ monitor: { days, uptime, recentUptime }, t }: { monitor: ViewedMonitor; t: Translator }) {
  const whole = formatUptime(uptime, days, t);
  const recent = recentUptime === null ? whole : formatUptime(recentUptime, days, t);
  return (
    <span className="uptime">
      {recent === whole ? (
        whole
      ) : (
        <>
          <span className="whole">{whole}</span>
          <span className="recent">{recent}</span>
        </>
      )}
    </span>
  );
}

/** `99.98% uptime, 90 days`, or since the first of these days with data. */
function formatUptime(uptime: ShownUptime, days: ViewedMonitor['days'], t: Translator): string {
  const { messages } = t;
  const own = days.slice(-uptime.days);
  const first = own.find((day) => day.status !== null) ?? own[0];
  const isWhole = first === own[0];
  const values = {
    percent: t.percent(uptime.percentage),
    n: String(uptime.days),
    day: first ? t.day(first.date) : '',
  };
  const text = fill(isWhole ? messages.uptimeOfDays : messages.uptimeSince, values);
  return uptime.measured === undefined ? text : `${text} (${formatCorrected(uptime.measured, t)})`;
}

const HEIGHT = 40;
const STEP = 10;
/** The width of an hour without neighbors. */
const LONE = 5;

/** Median and 95th percentile of the last 24 hours as two lines, with the totals as text. */
function ResponseChart({ name, series, t }: { name: string; series: LatencySeries; t: Translator }) {
  const { messages } = t;
  const { p50, p95 } = series.total;
  const highest = Math.max(1, ...series.hours.map((hour) => hour.p95 ?? 0));
  const totals =
    p50 === null || p95 === null
      ? messages.noResponseTimes
      : `${fill(messages.median, { ms: t.milliseconds(p50) })}, ${fill(messages.p95, { ms: t.milliseconds(p95) })}`;
  return (
    <div className="response">
      <p>
        {messages.responseTime}: {totals}
      </p>
      {p50 === null ? null : (
        <svg
          role="img"
          aria-label={`${name}: ${messages.responseTime}`}
          viewBox={`0 0 ${(series.hours.length - 1) * STEP} ${HEIGHT}`}
          preserveAspectRatio="none"
        >
          <path className="p95" d={linePath(series.hours, 'p95', highest)} />
          <path className="p50" d={linePath(series.hours, 'p50', highest)} />
        </svg>
      )}
    </div>
  );
}

/** An SVG path through the hours with gaps where there is no data; `highest` milliseconds touch the top. */
export function linePath(hours: LatencyPoint[], which: keyof LatencyPoint, highest: number): string {
  return hours
    .map((hour, index) => {
      const ms = hour[which];
      if (ms === null) return '';
      const y = Math.round(HEIGHT - 1 - (ms / highest) * (HEIGHT - 2));
      const isStart = index === 0 || hours[index - 1]?.[which] === null;
      const isAlone = isStart && (hours[index + 1]?.[which] ?? null) === null;
      const x = index * STEP;
      // A single hour would be a line of zero length, which is invisible. The last one ends at the edge.
      return isAlone ? `M${Math.max(0, x - LONE)} ${y}h${LONE}` : `${isStart ? 'M' : 'L'}${x} ${y}`;
    })
    .join('');
}
