import { fill } from '@/lib/core/text';
import type { LatencyPoint, LatencySeries } from '@/lib/domain/monitors/history/read-latency';
import type { PageStatus } from '@/lib/domain/status-pages/page-status';
import type { PageView, ViewedMonitor } from '@/lib/domain/status-pages/public/read-page-view';
import { DayBars } from './day-bars';
import { Freshness } from './freshness';
import { Icon } from './icons';
import { IncidentLine, OpenIncident } from './incident-card';
import { linkTo, type Place } from './links';
import { MaintenanceCard, WithMoment } from './maintenance-card';
import { TONE_OF } from './state';
import type { Translator } from './translator';

type Props = { view: PageView; place: Place; t: Translator };

/** The history has them all. */
const MAX_PAST_INCIDENTS = 30;

/** The page itself: headline, open incidents, maintenance, every monitor, and past incidents. */
export function CurrentStatus({ view, place, t }: Props) {
  const { messages } = t;
  const { state, noDataSince } = view.status;
  const names = new Map(view.monitors.map((monitor) => [monitor.id, monitor.name]));
  const open = view.incidents.filter((incident) => incident.resolvedAt === null);
  const past = view.incidents.filter((incident) => incident.resolvedAt !== null);
  return (
    <>
      <section id="now" className={`banner ${TONE_OF[state]}`}>
        <Icon tone={TONE_OF[state]} />
        <div>
          <h2>{messages.banner[state]}</h2>
          <Extent status={view.status} t={t} />
          {noDataSince === null ? null : (
            <p>
              <WithMoment text={messages.noDataSince} at={noDataSince} t={t} />
            </p>
          )}
          <Freshness asOf={view.asOf} t={t} />
        </div>
      </section>
      {open.length === 0 ? null : (
        <section id="open">
          <h2>{messages.openIncidents}</h2>
          {open.map((incident) => (
            <OpenIncident key={incident.id} {...{ incident, names, place, t }} />
          ))}
        </section>
      )}
      {(['active', 'scheduled'] as const).map((status) => {
        const some = view.maintenance.filter((maintenance) => maintenance.status === status);
        return some.length === 0 ? null : (
          <section key={status} id={status}>
            <h2>{messages.maintenance[status]}</h2>
            {some.map((maintenance) => (
              <MaintenanceCard key={maintenance.id} {...{ maintenance, names, t }} />
            ))}
          </section>
        );
      })}
      <section id="systems">
        <h2>{messages.systems}</h2>
        {view.monitors.length === 0 ? <p className="empty">{messages.noSystems}</p> : null}
        <ul className="list">
          {view.monitors.map((monitor, index) => (
            <MonitorRow key={monitor.id} id={`m${index}`} monitor={monitor} t={t} />
          ))}
        </ul>
        <details id="formula">
          <summary>{messages.formula.summary}</summary>
          <p>{messages.formula.window}</p>
          <p>{messages.formula.counted}</p>
          <p>{messages.formula.day}</p>
        </details>
      </section>
      <section id="past">
        <h2>{messages.pastIncidents}</h2>
        {past.length === 0 ? <p className="empty">{messages.noPastIncidents}</p> : null}
        {past.slice(0, MAX_PAST_INCIDENTS).map((incident) => (
          <IncidentLine key={incident.id} {...{ incident, names, place, t }} />
        ))}
        <p>
          <a href={linkTo(place, '/history')}>{messages.history}</a>
        </p>
      </section>
    </>
  );
}

/** Whom the headline is about, and how many incidents are open if there are several. */
function Extent({ status, t }: { status: PageStatus; t: Translator }) {
  const { messages } = t;
  const { affected, moreAffected, openIncidents } = status;
  const names = [...affected, ...(moreAffected > 0 ? [t.plural(messages.more, moreAffected)] : [])];
  const parts = [
    ...(names.length > 0 ? [fill(messages.affects, { names: t.list(names) })] : []),
    ...(openIncidents > 1 ? [t.plural(messages.openIncidentCount, openIncidents)] : []),
  ];
  return parts.length > 0 ? <p>{parts.join(' · ')}</p> : null;
}

/** A monitor with its state, uptime and days. The refresh script finds the row again by `id`. */
function MonitorRow({ id, monitor, t }: { id: string; monitor: ViewedMonitor; t: Translator }) {
  const { messages } = t;
  const { name, state, days, responseTimes, noDataSince } = monitor;
  const noData = noDataSince && <WithMoment text={messages.noDataSince} at={noDataSince} t={t} />;
  return (
    <li id={id}>
      <div className="row">
        <h3>{name}</h3>
        <Uptime monitor={monitor} t={t} />
        <span className={`state ${TONE_OF[state]}`}>
          <Icon tone={TONE_OF[state]} />
          {state === 'noData' && noData ? <span>{noData}</span> : messages.state[state]}
        </span>
      </div>
      {state === 'maintenance' && noData ? <p className="facts">{noData}</p> : null}
      <DayBars id={monitor.id} name={name} days={days} hasScale t={t} />
      {responseTimes === null ? null : <ResponseChart name={name} series={responseTimes} t={t} />}
    </li>
  );
}

/** The days that the uptime of a monitor covers, with today. */
const UPTIME_DAYS = 31;

/** The uptime of a monitor and what it covers; nothing before the first data. */
function Uptime({ monitor: { days, uptimePercentage }, t }: { monitor: ViewedMonitor; t: Translator }) {
  const { messages } = t;
  const first = days.find((day) => day.status !== null);
  if (first === undefined) return null;
  const isWhole = days.indexOf(first) <= days.length - UPTIME_DAYS;
  const values = { percent: t.percent(uptimePercentage), day: t.day(first.date) };
  return (
    <span className="uptime">{fill(isWhole ? messages.uptimeOf30Days : messages.uptimeSince, values)}</span>
  );
}

const HEIGHT = 40;
const STEP = 10;

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
      // A single hour would be a line of zero length, which is invisible.
      return `${isStart ? 'M' : 'L'}${index * STEP} ${y}${isAlone ? 'h1' : ''}`;
    })
    .join('');
}
