import { fill } from '@/lib/core/text';
import type { PastMaintenance } from '@/lib/domain/status-pages/public/read-public-maintenance';
import { inLanguage } from '@/lib/schemas/incidents/in-language';
import { Icon } from './icons';
import type { Translator } from './translator';

type Props = { maintenance: PastMaintenance; names: ReadonlyMap<string, string>; t: Translator };

/** One occurrence of a maintenance window: scheduled, active, or past. */
export function MaintenanceCard({ maintenance: written, names, t }: Props) {
  const maintenance = inLanguage(written, t.language, { isAutomatic: false });
  return (
    <article id={`${maintenance.id}-${Date.parse(maintenance.startsAt)}`} className="card info">
      <h3>
        <Icon tone="info" />
        {maintenance.title}
      </h3>
      <p className="facts">
        <Moment at={maintenance.startsAt} t={t} /> – <Moment at={maintenance.endsAt} t={t} />
        <Affected ids={maintenance.monitors} names={names} t={t} />
      </p>
      {maintenance.message ? <p className="text">{maintenance.message}</p> : null}
    </article>
  );
}

type AffectedProps = Omit<Props, 'maintenance'> & { ids: readonly string[] };

/** The names of the affected rows, if any of them is on the page. */
export function Affected({ ids, names, t }: AffectedProps) {
  const affected = ids.flatMap((id) => names.get(id) ?? []);
  return affected.length === 0 ? null : <> · {fill(t.messages.affects, { names: t.list(affected) })}</>;
}

type WithMomentProps = { at: string; t: Translator };

/**
 * A moment in UTC; the page's script shows it in the visitor's time zone and moves UTC to the title. If the page has a time zone, the moment
 * is in that one, and the visitor's is added to the title.
 */
export function Moment({ at, t }: WithMomentProps) {
  return (
    <time dateTime={at} title={t.momentTitle(at)}>
      {t.moment(at)}
    </time>
  );
}

/** A text with a moment in place of `{time}`. */
export function WithMoment({ text, at, t }: WithMomentProps & { text: string }) {
  const [before, after] = text.split('{time}');
  return (
    <>
      {before}
      <Moment at={at} t={t} />
      {after}
    </>
  );
}
