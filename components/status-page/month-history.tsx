import { fill } from '@/lib/core/fill';
import type { HistoryView } from '@/lib/domain/status-pages/read-history-view';
import type { ViewedDay } from '@/lib/domain/status-pages/read-page-view';
import { DayBars, describeDay, isTroubled } from './day-bars';
import { Freshness } from './freshness';
import { IncidentLine } from './incident-card';
import { linkTo, type Place } from './links';
import { MaintenanceCard } from './maintenance-card';
import type { Translator } from './translator';

type Props = { view: HistoryView; place: Place; t: Translator };

/** A month: the days of every monitor, its uptime in the month, and what happened. */
export function MonthHistory({ view, place, t }: Props) {
  const { messages } = t;
  const names = new Map(view.monitors.map((monitor) => [monitor.id, monitor.name]));
  const linkToMonth = (month: string) => linkTo(place, '/history', { month });
  return (
    <>
      <nav className="months" aria-label={messages.months}>
        {view.previous === null ? (
          <span />
        ) : (
          <a href={linkToMonth(view.previous)} rel="prev">
            ← {t.month(view.previous)}
          </a>
        )}
        <h2>{t.month(view.month)}</h2>
        {view.next === null ? (
          <span />
        ) : (
          <a href={linkToMonth(view.next)} rel="next">
            {t.month(view.next)} →
          </a>
        )}
      </nav>
      <Freshness asOf={view.asOf} t={t} />
      <ul className="list month">
        {view.monitors.map((monitor, index) => (
          <li key={monitor.id} id={`m${index}`}>
            <div className="row">
              <h3>{monitor.name}</h3>
              <span className="uptime">
                {monitor.uptimePercentage === null
                  ? messages.dayUnknown
                  : fill(messages.uptime, { percent: t.percent(monitor.uptimePercentage) })}
              </span>
            </div>
            <DayBars id={`m${index}`} name={monitor.name} days={monitor.days} perRow={31} t={t} />
            <TroubledDays days={monitor.days} t={t} />
          </li>
        ))}
      </ul>
      {view.maintenance.length === 0 ? null : (
        <section id="maintenance">
          <h2>{messages.maintenance.past}</h2>
          {view.maintenance.map((maintenance) => (
            <MaintenanceCard
              key={maintenance.id + maintenance.startsAt}
              maintenance={maintenance}
              names={names}
              t={t}
            />
          ))}
        </section>
      )}
      <section id="incidents">
        <h2>{messages.incidentsOfMonth}</h2>
        {view.incidents.length === 0 ? <p className="empty">{messages.noIncidentsOfMonth}</p> : null}
        {view.incidents.map((incident) => (
          <IncidentLine key={incident.id} as="h3" {...{ incident, names, place, t }} />
        ))}
        {view.isCut ? (
          <p className="empty">{fill(messages.cut, { n: String(view.incidents.length) })}</p>
        ) : null}
      </section>
    </>
  );
}

/**
 * The days that were not all well, in words, the newest first: what the bars tell, for who cannot hit a bar of seven pixels
 * or would rather read.
 */
export function TroubledDays({ days, t }: { days: ViewedDay[]; t: Translator }) {
  const troubled = days.filter(isTroubled).toReversed();
  if (troubled.length === 0) return null;
  return (
    <details className="trouble">
      <summary>{t.plural(t.messages.troubledDays, troubled.length)}</summary>
      <ul>
        {troubled.map((day) => (
          <li key={day.date}>{describeDay(day, t)}</li>
        ))}
      </ul>
    </details>
  );
}
