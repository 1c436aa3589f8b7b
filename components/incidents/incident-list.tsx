import { CircleCheck, Eye, FileText, Hand, ScanSearch, Search } from 'lucide-react';
import { cn } from '@/components/ui/cn';
import { IconLabel } from '@/components/ui/icon-label';
import { RowLink } from '@/components/ui/section';
import { Moment } from '@/components/ui/time/moment';
import type { Incident } from '@/lib/schemas/incidents/incident';
import type { IncidentLine } from '@/lib/schemas/incidents/incident-log';
import { INCIDENT_SEVERITIES } from '@/lib/schemas/incidents/incident-statuses';
import { formatIncidentDuration, formatNames, SEVERITY_LABELS, STATUS_LABELS } from './incident-texts';
import { bundleStories, type StoryOf, StoryRow } from './stories/story-row';

const STYLES = {
  investigating: { Icon: Search, color: 'text-bad' },
  identified: { Icon: ScanSearch, color: 'text-slow' },
  monitoring: { Icon: Eye, color: 'text-accent' },
  resolved: { Icon: CircleCheck, color: 'text-good' },
} as const;

const WASHES = {
  minor: 'border-line bg-sunken text-ink',
  major: 'border-slow/30 bg-slow-wash text-slow',
  critical: 'border-bad/30 bg-bad-wash text-bad',
} as const;

const MONTH = new Intl.DateTimeFormat('en', { month: 'long', year: 'numeric', timeZone: 'UTC' });

type Props = {
  incidents: IncidentLine[];
  /** The stories of those that belong to one with others, by ID. */
  stories: ReadonlyMap<string, StoryOf>;
  names: ReadonlyMap<string, string>;
  now: Date;
};

/** One incident per row, or one story that expands to its incidents: open ones first, then by month. */
export function IncidentList({ incidents, stories, names, now }: Props) {
  return groupIncidents(incidents).map(({ heading, incidents: own }) => (
    <section key={heading} className="flex flex-col gap-2">
      <h2 className="text-sm font-semibold">{heading}</h2>
      <ul className="overflow-hidden rounded-lg border border-line bg-surface">
        {bundleStories(own, stories).map(({ story, incidents: bundled }) => {
          const rows = bundled.map((incident) => (
            <IncidentRow key={incident.id} incident={incident} names={names} now={now} />
          ));
          const [worst] = bundled.toSorted((a, b) => rankOf(b) - rankOf(a));
          const first = bundled.at(-1);
          if (story === null || !worst || !first) return rows;
          return (
            <StoryRow
              key={story.id}
              story={story}
              incidents={bundled}
              badges={
                <>
                  <SeverityBadge severity={worst.severity} />
                  <IncidentStatusBadge status={worst.status} />
                </>
              }
              duration={<Duration incident={first} now={now} />}
            >
              {rows}
            </StoryRow>
          );
        })}
      </ul>
    </section>
  ));
}

const rankOf = ({ severity }: IncidentLine) => INCIDENT_SEVERITIES.indexOf(severity);

function IncidentRow({ incident, names, now }: { incident: IncidentLine; names: Props['names']; now: Date }) {
  const { id, title, status, severity, automatic, affectedMonitors, hasPostmortem, acknowledgedBy } =
    incident;
  const affected = affectedMonitors.map((monitor) => names.get(monitor) ?? 'deleted monitor');
  return (
    <li className="relative grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 gap-y-1 border-b border-line px-4 py-3 last:border-0 hover:bg-sunken has-focus-visible:bg-sunken lg:grid-cols-[8rem_minmax(0,1fr)_5rem_7rem_12rem]">
      <div className="max-lg:order-2 max-lg:justify-self-end">
        <IncidentStatusBadge status={status} />
      </div>
      <div className="min-w-0 max-lg:order-1">
        <RowLink href={`/incidents/${id}`} className="block truncate">
          {title}
        </RowLink>
        <p className="flex items-center gap-1.5 truncate text-xs text-muted">
          <span className="truncate">{affected.length > 0 ? formatNames(affected) : 'No monitors'}</span>
          {acknowledgedBy !== null && status !== 'resolved' ? (
            <>
              <Hand className="size-3.5 shrink-0" />
              <span className="truncate">Acknowledged by {acknowledgedBy}</span>
            </>
          ) : null}
          {hasPostmortem ? (
            <>
              <FileText className="size-3.5 shrink-0" />
              <span className="shrink-0">Postmortem</span>
            </>
          ) : null}
        </p>
      </div>
      <div className="flex max-lg:order-4 max-lg:justify-self-end">
        <SeverityBadge severity={severity} />
      </div>
      <p className="text-xs text-muted max-lg:hidden">{automatic ? 'Automatic' : 'Manual'}</p>
      <p className="min-w-0 text-xs text-muted tabular-nums max-lg:order-3 lg:text-right">
        <Duration incident={incident} now={now} />
      </p>
    </li>
  );
}

/** How long an incident has been open, or when it was and how long it took. */
function Duration({ incident, now }: { incident: IncidentLine; now: Date }) {
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
      <span className="max-lg:before:content-['_·_'] lg:block">{formatIncidentDuration(incident, now)}</span>
    </>
  );
}

type IncidentGroup = { heading: string; incidents: IncidentLine[] };

/** Groups a sorted list under headings: open incidents, then the UTC month in which each was opened. */
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

export function IncidentStatusBadge({ status }: { status: Incident['status'] }) {
  return <IconLabel {...STYLES[status]} label={STATUS_LABELS[status]} />;
}

export function SeverityBadge({ severity }: { severity: Incident['severity'] }) {
  return (
    <span
      className={cn(
        'inline-flex h-5 items-center rounded border px-1.5 text-xs font-medium whitespace-nowrap',
        WASHES[severity],
      )}
    >
      {SEVERITY_LABELS[severity]}
    </span>
  );
}
