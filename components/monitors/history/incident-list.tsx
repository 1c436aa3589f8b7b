import Link from 'next/link';
import { EmptyNote, RowLink, Section } from '@/components/ui/section';
import { Period } from '@/components/ui/time/period';
import type { IncidentSummary } from '@/lib/domain/incidents/read-incidents';

type Props = { incidents: IncidentSummary[]; hasMore: boolean; id: string; now: Date };

/** The latest incidents that affect a monitor, newest first. */
export function IncidentList({ incidents, hasMore, id, now }: Props) {
  return (
    <Section title="Incidents" className="min-w-0">
      {incidents.length > 0 ? (
        <ul className="overflow-hidden rounded-lg border border-line bg-surface">
          {incidents.map((incident) => (
            <IncidentItem key={incident.id} incident={incident} now={now.toISOString()} />
          ))}
        </ul>
      ) : (
        <EmptyNote>No incidents yet.</EmptyNote>
      )}
      {hasMore ? (
        <Link
          prefetch={false}
          href={`/incidents?monitor=${id}`}
          className="self-end text-sm text-muted underline underline-offset-2 hover:text-ink"
        >
          All incidents for this monitor
        </Link>
      ) : null}
    </Section>
  );
}

function IncidentItem({ incident, now }: { incident: IncidentSummary; now: string }) {
  const { id, title, status, severity, automatic, startedAt, resolvedAt, acknowledgedBy } = incident;
  const isOpen = resolvedAt === null;
  return (
    <li className="relative flex flex-col gap-0.5 border-b border-line px-3 py-2.5 last:border-0 hover:bg-sunken has-focus-visible:bg-sunken">
      <div className="flex flex-wrap items-baseline justify-between gap-x-3">
        <RowLink href={`/incidents/${id}`} className="min-w-0 wrap-anywhere">
          {title}
        </RowLink>
        <Period from={startedAt} to={resolvedAt} now={now} />
      </div>
      <p className="text-sm text-muted">
        <span className={isOpen ? 'font-medium text-bad' : ''}>
          {isOpen ? `Open, ${status}` : 'Resolved'}
        </span>
        {` · ${severity} · ${automatic ? 'automatic' : 'manual'}`}
        {isOpen && acknowledgedBy !== null ? ` · acknowledged by ${acknowledgedBy}` : ''}
      </p>
    </li>
  );
}
