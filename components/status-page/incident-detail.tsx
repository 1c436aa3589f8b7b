import type { IncidentView } from '@/lib/status-pages/read-incident-view';
import { Freshness } from './freshness';
import { IncidentFacts, IncidentUpdates } from './incident-card';
import { linkTo, type Place } from './links';
import type { Translator } from './translator';

type Props = { view: IncidentView; place: Place; t: Translator };

/** One incident under its permanent address. */
export function IncidentDetail({ view, place, t }: Props) {
  const { incident, monitors } = view;
  const names = new Map(monitors.map((monitor) => [monitor.id, monitor.name]));
  return (
    <>
      <section id="incident">
        <h2>{incident.title}</h2>
        <IncidentFacts incident={incident} names={names} t={t} />
        <IncidentUpdates incident={incident} t={t} />
      </section>
      <Freshness asOf={view.asOf} t={t} />
      <p>
        <a href={linkTo(place, '')}>{t.messages.currentStatus}</a>
      </p>
    </>
  );
}
