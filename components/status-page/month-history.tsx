import { fill } from '@/lib/core/text';
import type { HistoryView } from '@/lib/domain/status-pages/public/read-history-view';
import { DayBars, formatCorrected } from './day-bars';
import { Freshness } from './freshness';
import { IncidentLine } from './incident-card';
import { linkTo, type Place } from './links';
import { MaintenanceCard } from './maintenance-card';
import type { Translator } from './translator';

type Props = { view: HistoryView; place: Place; t: Translator };

/** One month: the days and uptime of every monitor, maintenance, and incidents. */
export function MonthHistory({ view, place, t }: Props) {
  const { messages } = t;
  const names = new Map([...view.monitors, ...view.components].map(({ id, name }) => [id, name]));
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
                  ? messages.state.noData
                  : fill(messages.uptime, { percent: t.percent(monitor.uptimePercentage) })}
                {monitor.measuredUptimePercentage === null
                  ? ''
                  : ` (${formatCorrected(monitor.measuredUptimePercentage, t)})`}
              </span>
            </div>
            <DayBars id={monitor.id} name={monitor.name} days={monitor.days} perRow={31} t={t} />
          </li>
        ))}
      </ul>
      {view.year.length > 1 ? <UptimeTable view={view} place={place} t={t} /> : null}
      {view.maintenance.length === 0 ? null : (
        <section id="maintenance">
          <h2>{messages.maintenance.past}</h2>
          {view.maintenance.map((maintenance) => (
            <MaintenanceCard key={maintenance.id + maintenance.startsAt} {...{ maintenance, names, t }} />
          ))}
        </section>
      )}
      <section id="incidents">
        <h2>{messages.incidentsOfMonth}</h2>
        {view.incidents.length === 0 ? <p className="empty">{messages.noIncidentsOfMonth}</p> : null}
        {view.incidents.map((incident) => (
          <IncidentLine key={incident.id} {...{ incident, names, place, t }} />
        ))}
        {view.isCut ? (
          <p className="empty">{fill(messages.cut, { n: String(view.incidents.length) })}</p>
        ) : null}
      </section>
    </>
  );
}

/** The uptime of every monitor in each of the last months. The newest ones are at the start, where a narrow screen shows them. */
function UptimeTable({ view, place, t }: Props) {
  const { messages } = t;
  return (
    <section id="year">
      <h2>{messages.uptimeByMonth}</h2>
      <div className="wide">
        <table>
          <thead>
            <tr>
              <th scope="col">{messages.systems}</th>
              {view.year.map((month) => (
                <th key={month} scope="col">
                  <a href={linkTo(place, '/history', { month })}>{t.shortMonth(month)}</a>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {view.monitors.map(({ id, name, monthlyUptimes }) => (
              <tr key={id}>
                <th scope="row">{name}</th>
                {view.year.map((month, index) => (
                  <td key={month}>{formatUptime(monthlyUptimes[index] ?? null, t)}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

function formatUptime(uptime: number | null, t: Translator): string {
  return uptime === null ? '–' : t.percent(uptime);
}
