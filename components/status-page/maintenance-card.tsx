import { fill } from '@/lib/core/fill';
import type { PastMaintenance } from '@/lib/domain/status-pages/read-public-maintenance';
import { Icon } from './icons';
import { Moment } from './moment';
import type { Translator } from './translator';

type Props = { maintenance: PastMaintenance; names: ReadonlyMap<string, string>; t: Translator };

/** Announced work: when, on what, and why; to come, going on or over. A repeated window has one for each time. */
export function MaintenanceCard({ maintenance, names, t }: Props) {
  const affected = maintenance.monitors.flatMap((id) => names.get(id) ?? []);
  return (
    <article id={`${maintenance.id}-${Date.parse(maintenance.startsAt)}`} className="card info">
      <h3>
        <Icon tone="info" />
        {maintenance.title}
      </h3>
      <p className="facts">
        <Moment at={maintenance.startsAt} t={t} /> – <Moment at={maintenance.endsAt} t={t} />
        {affected.length === 0 ? null : <> · {fill(t.messages.affects, { names: t.list(affected) })}</>}
      </p>
      {maintenance.message ? <p className="text">{maintenance.message}</p> : null}
    </article>
  );
}
