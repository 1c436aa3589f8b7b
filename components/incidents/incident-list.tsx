import { CircleCheck, Eye, FileText, Plus, ScanSearch, Search } from 'lucide-react';
import Link from 'next/link';
import { buttonLook } from '@/components/ui/button';
import { cn } from '@/components/ui/cn';
import { Moment } from '@/components/ui/moment';
import type { Incident } from '@/lib/schemas/incident';
import type { IncidentLine } from '@/lib/schemas/incident-log';
import { SEVERITY_WORDS, STATUS_WORDS, sayLength, sayNames } from './incident-texts';

const LOOKS = {
  investigating: { Icon: Search, colour: 'text-bad' },
  identified: { Icon: ScanSearch, colour: 'text-slow' },
  monitoring: { Icon: Eye, colour: 'text-accent' },
  resolved: { Icon: CircleCheck, colour: 'text-good' },
} as const;

const WASHES = {
  minor: 'border-line bg-sunken text-ink',
  major: 'border-slow/30 bg-slow-wash text-slow',
  critical: 'border-bad/30 bg-bad-wash text-bad',
} as const;

type IncidentGroup = { heading: string; incidents: IncidentLine[] };

const MONTH = new Intl.DateTimeFormat('en', { month: 'long', year: 'numeric', timeZone: 'UTC' });

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

/** Incidents in the order of the list under their headings: what is open, then the month (UTC) in which each was opened. */
export function groupIncidents(incidents: readonly IncidentLine[]): IncidentGroup[] {
  const groups: IncidentGroup[] = [];
  for (const incident of incidents) {
    const heading = incident.resolvedAt === null ? 'Open' : MONTH.format(new Date(incident.createdAt));
    const last = groups.at(-1);
    if (last?.heading === heading) last.incidents.push(incident);
    else groups.push({ heading, incidents: [incident] });
  }
  return groups;
}

/** The list before the first incident. */
export function EmptyList({ mayWrite }: { mayWrite: boolean }) {
  return (
    <section className="flex flex-col items-start gap-5 rounded-lg border border-line bg-surface px-5 py-8 sm:px-8">
      <div className="flex max-w-2xl flex-col gap-1">
        <h2 className="text-base font-semibold">No incidents</h2>
        <p className="text-muted">
          One opens by itself when a monitor goes down, and is resolved when it comes back. For everything
          that no monitor sees, open one yourself: status pages show it, and their subscribers are told.
        </p>
      </div>
      {mayWrite ? (
        <Link
          prefetch={false}
          href="/incidents/new"
          className={buttonLook({ tone: 'primary', size: 'large' })}
        >
          <Plus aria-hidden="true" />
          Open an incident
        </Link>
      ) : null}
    </section>
  );
}

/** How far an incident is, as icon and word. */
export function IncidentStatusBadge({ status }: { status: Incident['status'] }) {
  const { Icon, colour } = LOOKS[status];
  return (
    <span className={cn('inline-flex items-center gap-1.5 font-medium whitespace-nowrap', colour)}>
      <Icon className="size-4 shrink-0" aria-hidden="true" />
      {STATUS_WORDS[status]}
    </span>
  );
}

/** How bad it is. */
export function SeverityBadge({ severity }: { severity: Incident['severity'] }) {
  return (
    <span
      className={cn(
        'inline-flex h-5 items-center rounded border px-1.5 text-xs font-medium whitespace-nowrap',
        WASHES[severity],
      )}
    >
      {SEVERITY_WORDS[severity]}
    </span>
  );
}
