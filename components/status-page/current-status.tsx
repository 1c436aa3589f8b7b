import type { ReactNode } from 'react';
import { fill } from '@/lib/core/text';
import type { PageStatus } from '@/lib/domain/status-pages/page-status';
import type { PageView, ViewedSection } from '@/lib/domain/status-pages/public/read-page-view';
import type { PageState } from '@/lib/schemas/status-pages/page-state';
import { Freshness } from './freshness';
import { Icon } from './icons';
import { IncidentLine, OpenIncident } from './incident-card';
import { linkTo, type PagePlace } from './links';
import { MaintenanceCard, WithMoment } from './maintenance-card';
import { MonitorRow, State } from './monitor-row';
import { TONE_OF } from './state';
import type { Translator } from './translator';

type Props = { view: PageView; place: PagePlace; t: Translator };

/** The history has them all. */
const MAX_PAST_INCIDENTS = 30;

/** The page itself: headline, open incidents, maintenance, every monitor, and past incidents. */
export function CurrentStatus({ view, place, t }: Props) {
  const { messages } = t;
  const names = new Map([...view.monitors, ...view.components].map(({ id, name }) => [id, name]));
  const open = view.incidents.filter((incident) => incident.resolvedAt === null);
  const past = view.incidents.filter((incident) => incident.resolvedAt !== null);
  return (
    <>
      <Headline view={view} t={t} />
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
        {names.size === 0 ? <p className="empty">{messages.noSystems}</p> : null}
        {view.sections.length > 0 ? (
          <Sections view={view} t={t} />
        ) : (
          <ul className="list">
            {view.monitors.map((monitor, index) => (
              <MonitorRow key={monitor.id} id={`m${index}`} monitor={monitor} t={t} />
            ))}
          </ul>
        )}
        <details id="formula">
          <summary>{messages.formula.summary}</summary>
          <p>{messages.formula.window}</p>
          <p>{messages.formula.counted}</p>
          <p>{messages.formula.day}</p>
        </details>
      </section>
      <section id="past">
        <h2>{messages.pastIncidents}</h2>
        {past.length === 0 ? (
          <p className="empty">{open.length === 0 ? messages.noIncidents : messages.noPastIncidents}</p>
        ) : null}
        {past.slice(0, MAX_PAST_INCIDENTS).map((incident) => (
          <IncidentLine key={incident.id} incident={incident} names={names} place={place} t={t} />
        ))}
        <p>
          <a href={linkTo(place, '/history')}>{messages.history}</a>
        </p>
      </section>
    </>
  );
}

function Headline({ view, t }: Omit<Props, 'place'>) {
  const { messages } = t;
  const { state, noDataSince } = view.status;
  return (
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

type SectionsProps = { view: PageView; t: Translator };

/** In these states, nobody has to look into a section. */
const WELL: ReadonlySet<PageState> = new Set(['operational', 'pending', 'paused']);

/** The sections of a page with their states. A collapsed one opens, without a script, while something in it is wrong. */
function Sections({ view, t }: SectionsProps) {
  const places = new Map(view.monitors.map(({ id }, place) => [id, place]));
  const components = new Map(view.components.map((component) => [component.id, component]));
  return view.sections.map((section) => (
    <Section key={section.anchor} section={section} t={t}>
      {section.rows.map(({ id, description, state }) => {
        const place = places.get(id);
        const monitor = place === undefined ? undefined : view.monitors[place];
        if (monitor) {
          return (
            <MonitorRow
              key={id}
              id={`m${place}`}
              monitor={monitor}
              description={description}
              t={t}
              isInSection
            />
          );
        }
        return (
          <li key={id} id={id} className="component">
            <div className="row">
              <h4>{components.get(id)?.name}</h4>
              <State state={state} t={t} />
            </div>
            {description === null ? null : <p className="facts">{description}</p>}
          </li>
        );
      })}
    </Section>
  ));
}

type SectionProps = { section: ViewedSection; t: Translator; children: ReactNode };

function Section({ section: { anchor, name, description, collapsed, state }, t, children }: SectionProps) {
  const heading = (
    <>
      <h3>{name}</h3>
      <State state={state} t={t} />
    </>
  );
  const content = (
    <>
      {description === null ? null : <p>{description}</p>}
      <ul className="list">{children}</ul>
    </>
  );
  return collapsed ? (
    <details id={anchor} className="group" open={!WELL.has(state)}>
      <summary className="row">{heading}</summary>
      {content}
    </details>
  ) : (
    <section id={anchor} className="group">
      <div className="row">{heading}</div>
      {content}
    </section>
  );
}
