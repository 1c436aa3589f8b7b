import { Markdown } from '@/components/ui/markdown';
import type { IncidentView } from '@/lib/domain/status-pages/read-incident-view';
import { Freshness } from './freshness';
import { IncidentFacts, IncidentUpdates } from './incident-card';
import { linkTo, type Place } from './links';
import { Moment } from './moment';
import type { Translator } from './translator';

type Props = { view: IncidentView; place: Place; t: Translator };

/** One incident under its permanent address, with what was learned of it. */
export function IncidentDetail({ view, place, t }: Props) {
  const { incident, monitors, postmortem } = view;
  const names = new Map(monitors.map((monitor) => [monitor.id, monitor.name]));
  return (
    <>
      <section id="incident">
        <h2>{incident.title}</h2>
        <IncidentFacts incident={incident} names={names} t={t} />
        <IncidentUpdates incident={incident} t={t} />
      </section>
      {postmortem === null ? null : (
        <section id="postmortem">
          <h2>{t.messages.postmortem}</h2>
          <p className="facts">
            <Moment at={postmortem.publishedAt} t={t} />
          </p>
          <div className="post">
            <Markdown text={postmortem.text} topLevel={3} />
          </div>
        </section>
      )}
      <Freshness asOf={view.asOf} t={t} />
      <p>
        <a href={linkTo(place, '')}>{t.messages.currentStatus}</a>
      </p>
    </>
  );
}
