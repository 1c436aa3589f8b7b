import type { PageView } from '@/lib/domain/status-pages/read-page-view';
import type { PublicIncident } from '@/lib/schemas/status-page';
import { Freshness } from './freshness';
import type { Headline } from './headline';
import { Icon } from './icons';
import { IncidentLine, OpenIncident } from './incident-card';
import { linkTo, type Place } from './links';
import { MaintenanceCard } from './maintenance-card';
import { WithMoment } from './moment';
import { MonitorRow } from './monitor-row';
import { stateOf } from './state';
import type { Translator } from './translator';

type Props = { view: PageView; headline: Headline; place: Place; t: Translator };

/** More than anybody reads; the history has them all. */
const PAST_SHOWN = 30;

/** The page itself: how things stand, what goes on, every monitor, and what happened lately. */
export function CurrentStatus({ view, headline, place, t }: Props) {
  const { messages } = t;
  const names = new Map(view.monitors.map((monitor) => [monitor.id, monitor.name]));
  const open = view.incidents.filter((incident) => incident.resolvedAt === null);
  return (
    <>
      <section id="now" className={`banner ${headline.tone}`}>
        <Icon tone={headline.tone} />
        <div>
          <h2>{messages.banner[headline.says]}</h2>
          {headline.noDataSince === null ? null : (
            <p>
              <WithMoment text={messages.noDataSince} at={headline.noDataSince} t={t} />
            </p>
          )}
          <Freshness asOf={view.asOf} t={t} />
        </div>
      </section>
      {open.length === 0 ? null : (
        <section id="open">
          <h2>{messages.openIncidents}</h2>
          {open.map((incident) => (
            <OpenIncident key={incident.id} incident={incident} names={names} place={place} t={t} />
          ))}
        </section>
      )}
      {(['active', 'scheduled'] as const).map((status) => {
        const some = view.maintenance.filter((maintenance) => maintenance.status === status);
        return some.length === 0 ? null : (
          <section key={status} id={status}>
            <h2>{messages.maintenance[status]}</h2>
            {some.map((maintenance) => (
              <MaintenanceCard key={maintenance.id} maintenance={maintenance} names={names} t={t} />
            ))}
          </section>
        );
      })}
      <section id="systems">
        <h2>{messages.systems}</h2>
        {view.monitors.length === 0 ? <p className="empty">{messages.noSystems}</p> : null}
        <ul className="list">
          {view.monitors.map((monitor, index) => (
            <MonitorRow key={monitor.id} id={`m${index}`} monitor={monitor} state={stateOf(monitor)} t={t} />
          ))}
        </ul>
        <details id="formula">
          <summary>{messages.formula.summary}</summary>
          <p>{messages.formula.window}</p>
          <p>{messages.formula.counted}</p>
          <p>{messages.formula.day}</p>
        </details>
      </section>
      <PastIncidents
        incidents={view.incidents.filter((incident) => incident.resolvedAt !== null)}
        {...{ names, place, t }}
      />
    </>
  );
}

type PastProps = {
  incidents: PublicIncident[];
  names: ReadonlyMap<string, string>;
  place: Place;
  t: Translator;
};

function PastIncidents({ incidents, names, place, t }: PastProps) {
  const { messages } = t;
  return (
    <section id="past">
      <h2>{messages.pastIncidents}</h2>
      {incidents.length === 0 ? <p className="empty">{messages.noPastIncidents}</p> : null}
      {incidents.slice(0, PAST_SHOWN).map((incident) => (
        <IncidentLine key={incident.id} as="h3" {...{ incident, names, place, t }} />
      ))}
      <p>
        <a href={linkTo(place, '/history')}>{messages.history}</a>
      </p>
    </section>
  );
}
