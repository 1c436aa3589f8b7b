import { FileText } from 'lucide-react';
import Link from 'next/link';
import { Moment } from '@/components/ui/moment';
import type { IncidentLine } from '@/lib/schemas/incident-log';
import { groupIncidents } from './group-incidents';
import { IncidentStatusBadge, SeverityBadge } from './incident-badges';
import { sayLength, sayNames } from './incident-texts';

type Props = { incidents: IncidentLine[]; names: ReadonlyMap<string, string>; now: Date };

/** Incidents, one a row: what is open, then month by month. */
export function IncidentList({ incidents, names, now }: Props) {
  return groupIncidents(incidents).map(({ heading, incidents: own }) => (
    <section key={heading} className="flex flex-col gap-2">
      <h2 className="text-sm font-semibold">{heading}</h2>
      <ul className="overflow-hidden rounded-lg border border-line bg-surface">
        {own.map((incident) => (
          <IncidentRow key={incident.id} incident={incident} names={names} now={now} />
        ))}
      </ul>
    </section>
  ));
}

function IncidentRow({ incident, names, now }: { incident: IncidentLine; names: Props['names']; now: Date }) {
  const { id, title, status, severity, automatic, affectedMonitors, hasPostmortem } = incident;
  const affected = affectedMonitors.map((monitor) => names.get(monitor) ?? 'a deleted monitor');
  return (
    <li className="relative grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 gap-y-1 border-b border-line px-4 py-3 last:border-0 hover:bg-sunken has-focus-visible:bg-sunken lg:grid-cols-[8rem_minmax(0,1fr)_5rem_7rem_12rem]">
      <div className="max-lg:order-2 max-lg:justify-self-end">
        <IncidentStatusBadge status={status} />
      </div>
      <div className="min-w-0 max-lg:order-1">
        <Link
          prefetch={false}
          href={`/incidents/${id}`}
          className="block truncate font-medium after:absolute after:inset-0"
        >
          {title}
        </Link>
        <p className="flex items-center gap-1.5 truncate text-xs text-muted">
          <span className="truncate">{affected.length > 0 ? sayNames(affected) : 'No monitor'}</span>
          {hasPostmortem ? (
            <>
              <FileText className="size-3.5 shrink-0" aria-hidden="true" />
              <span className="shrink-0">Postmortem</span>
            </>
          ) : null}
        </p>
      </div>
      <div className="flex max-lg:order-4 max-lg:justify-self-end">
        <SeverityBadge severity={severity} />
      </div>
      <p className="text-xs text-muted max-lg:hidden">{automatic ? 'By a monitor' : 'By a person'}</p>
      <p className="min-w-0 text-xs text-muted tabular-nums max-lg:order-3 lg:text-right">
        <Length incident={incident} now={now} />
      </p>
    </li>
  );
}

/** For how long it is open, or when it was and for how long. */
function Length({ incident, now }: { incident: IncidentLine; now: Date }) {
  const { startedAt, resolvedAt } = incident;
  const at = now.toISOString();
  if (resolvedAt === null) {
    return (
      <span className="text-ink">
        open for <Moment at={startedAt} now={at} as="duration" />
      </span>
    );
  }
  return (
    <>
      <span className="text-ink">
        <Moment at={startedAt} now={at} />
      </span>
      <span className="max-lg:before:content-['_·_'] lg:block">{sayLength(incident, now)}</span>
    </>
  );
}
