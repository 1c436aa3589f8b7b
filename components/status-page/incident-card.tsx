import { Markdown } from '@/components/ui/markdown';
import { fill } from '@/lib/core/text';
import type { IncidentView } from '@/lib/domain/status-pages/public/read-history-view';
import { inLanguage } from '@/lib/schemas/incidents/in-language';
import type { PublicIncident } from '@/lib/schemas/status-pages/public-status-page';
import { Freshness } from './freshness';
import { Icon } from './icons';
import { linkTo, type PagePlace } from './links';
import { Affected, Moment } from './maintenance-card';
import type { StateTone } from './state';
import type { Translator } from './translator';

/** `stillFailing`: the monitors whose outage is not over, though the incident is resolved. */
type Shown = PublicIncident & { stillFailing?: readonly string[] };
type Props = { incident: Shown; names: ReadonlyMap<string, string>; t: Translator };

/** The tone of an open incident: that of its effect on monitors. */
export const SEVERITY_TONE: Record<PublicIncident['severity'], StateTone> = {
  minor: 'slow',
  major: 'slow',
  critical: 'bad',
};

/** An incident in the language of its reader. */
export function readIncident<Incident extends PublicIncident>(
  incident: Incident,
  { language }: Translator,
): Incident {
  const origin = { isAutomatic: incident.automatic };
  const updates = incident.updates.map((update) => inLanguage(update, language, origin));
  return { ...inLanguage(incident, language, origin), updates };
}

/** An open incident with its updates, newest first. */
export function OpenIncident({ incident: written, names, place, t }: Props & { place: PagePlace }) {
  const incident = readIncident(written, t);
  const tone = SEVERITY_TONE[incident.severity];
  return (
    <article id={incident.id} className={`card ${tone}`}>
      <h3>
        <Icon tone={tone} />
        <a href={linkTo(place, `/incidents/${incident.id}`)}>{incident.title}</a>
      </h3>
      <IncidentFacts incident={incident} names={names} t={t} />
      <IncidentUpdates incident={incident} t={t} />
    </article>
  );
}

type ListedIncident = Shown & { hasPostmortem?: boolean };
type LineProps = Props & { incident: ListedIncident; place: PagePlace };

/** An incident in a list: when, how long, what it affected, and its postmortem. */
export function IncidentLine({ incident: written, names, place, t }: LineProps) {
  const incident = inLanguage(written, t.language, { isAutomatic: written.automatic });
  const path = `/incidents/${incident.id}`;
  const isOver = incident.resolvedAt !== null && !isStillFailing(incident, names);
  return (
    <article id={incident.id} className="line">
      <h3>
        <Icon tone={isOver ? 'good' : SEVERITY_TONE[incident.severity]} />
        <a href={linkTo(place, path)}>{incident.title}</a>
      </h3>
      <p className="facts">
        <Moment at={incident.startedAt} t={t} /> · {endOf(incident, t)}
        <Affected ids={affectedBy(incident)} names={namesOf(incident, names, t)} t={t} />
        {incident.hasPostmortem ? (
          <>
            {' '}
            · <a href={`${linkTo(place, path)}#postmortem`}>{t.messages.postmortem}</a>
          </>
        ) : null}
      </p>
      <StillFailing incident={incident} names={names} t={t} />
    </article>
  );
}

/** Severity, status, start, and affected monitors. */
function IncidentFacts({ incident, names, t }: Props) {
  const { messages } = t;
  return (
    <>
      <p className="facts">
        {messages.severity[incident.severity]} · {endOf(incident, t)} ·{' '}
        <Moment at={incident.startedAt} t={t} />
        <Affected ids={affectedBy(incident)} names={namesOf(incident, names, t)} t={t} />
      </p>
      <StillFailing incident={incident} names={names} t={t} />
    </>
  );
}

/** Says that people resolved an incident before its outage was over. */
function StillFailing({ incident, names, t }: Props) {
  if (!isStillFailing(incident, names)) return null;
  const failing = incident.stillFailing?.flatMap((id) => names.get(id) ?? []) ?? [];
  return <p className="text">{fill(t.messages.stillFailing, { names: t.list(failing) })}</p>;
}

function isStillFailing({ stillFailing = [] }: Shown, names: Props['names']): boolean {
  return stillFailing.some((id) => names.has(id));
}

/** The updates of an incident, newest first, below its description. */
function IncidentUpdates({ incident, t }: { incident: PublicIncident; t: Translator }) {
  const { description, updates } = incident;
  // The description is repeated as the first update until somebody edits it.
  const isRepeated = updates.some(({ message }) => message === description);
  return (
    <>
      {description === '' || isRepeated ? null : <p className="text">{description}</p>}
      <ol className="updates">
        {updates.map((update) => (
          <li key={update.id}>
            <strong>{t.messages.incidentStatus[update.status]}</strong> <Moment at={update.createdAt} t={t} />
            <p className="text">{update.message}</p>
          </li>
        ))}
      </ol>
    </>
  );
}

/** The names of affected rows, with their own severity where it is not that of the incident. */
function namesOf(
  { severity, impacts }: PublicIncident,
  names: Props['names'],
  t: Translator,
): Props['names'] {
  const own = Object.entries(impacts).filter(([id, impact]) => names.has(id) && impact !== severity);
  if (own.length === 0) return names;
  const labeled = own.map(
    ([id, impact]) => [id, `${names.get(id)} (${t.messages.severity[impact]})`] as const,
  );
  return new Map([...names, ...labeled]);
}

function affectedBy({ affectedMonitors, affectedComponents }: PublicIncident): string[] {
  return [...affectedMonitors, ...affectedComponents];
}

function endOf({ startedAt, resolvedAt, status }: PublicIncident, t: Translator): string {
  if (resolvedAt === null) return t.messages.incidentStatus[status];
  const duration = t.duration(Math.max(0, Date.parse(resolvedAt) - Date.parse(startedAt)));
  return fill(t.messages.resolvedAfter, { duration });
}

/** One incident under its permanent URL, with its postmortem. */
export function IncidentDetail({ view, place, t }: { view: IncidentView; place: PagePlace; t: Translator }) {
  const { rows, postmortem } = view;
  const incident = readIncident(view.incident, t);
  const names = new Map(rows.map(({ id, name }) => [id, name]));
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
