import { fill } from '@/lib/core/text';
import type { HistoryView } from '@/lib/domain/status-pages/public/read-history-view';
import { Freshness } from '../freshness';
import { IncidentLine } from '../incident-card';
import { linkTo, type PagePlace } from '../links';
import { MaintenanceCard } from '../maintenance-card';
import type { Translator } from '../translator';
import { Rows, UptimeTable } from './row-history';

type Props = { view: HistoryView; place: PagePlace; t: Translator };

const linkToMonth = (place: PagePlace, month: string) => linkTo(place, '/history', { month });

function MonthNavigation({ view, place, t }: Props) {
  return (
    <nav className="months" aria-label={t.messages.months}>
      {view.previous === null ? (
        <span />
      ) : (
        <a href={linkToMonth(place, view.previous)} rel="prev">
          ← {t.month(view.previous)}
        </a>
      )}
      <h2>{t.month(view.month)}</h2>
      {view.next === null ? (
        <span />
      ) : (
        <a href={linkToMonth(place, view.next)} rel="next">
          {t.month(view.next)} →
        </a>
      )}
    </nav>
  );
}

/** One month: the days and uptime of every row, maintenance, and incidents; the current one with the uptime of a year. */
export function MonthHistory({ view, place, t }: Props) {
  const { messages } = t;
  const names = new Map([...view.monitors, ...view.components].map(({ id, name }) => [id, name]));
  return (
    <>
      <MonthNavigation view={view} place={place} t={t} />
      <Freshness asOf={view.asOf} t={t} />
      <Rows view={view} t={t} />
      {view.quarters.length > 1 ? (
        <UptimeTable
          id="quarters"
          title={messages.uptimeByQuarter}
          view={view}
          t={t}
          columns={view.quarters.map((quarter) => ({ key: quarter, head: t.quarter(quarter) }))}
          uptimesOf={({ quarterlyUptimes }) => quarterlyUptimes}
        />
      ) : null}
      {view.year.length > 1 ? (
        <UptimeTable
          id="year"
          title={messages.uptimeByMonth}
          view={view}
          t={t}
          columns={view.year.map((month) => ({
            key: month,
            head: <a href={linkToMonth(place, month)}>{t.shortMonth(month)}</a>,
          }))}
          uptimesOf={({ monthlyUptimes }) => monthlyUptimes}
        />
      ) : null}
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
          <IncidentLine key={incident.id} incident={incident} names={names} place={place} t={t} />
        ))}
        {view.isCut ? (
          <p className="empty">{fill(messages.cut, { n: String(view.incidents.length) })}</p>
        ) : null}
      </section>
    </>
  );
}
