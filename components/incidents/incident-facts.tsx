import type { ReactNode } from 'react';
import { StandingBadge, type StandingFields, standingOf } from '@/components/monitors/standing-badge';
import { PageHeading } from '@/components/shell/page-heading';
import { Fact, Facts } from '@/components/ui/fold';
import { RowLink, Section } from '@/components/ui/section';
import { Moment } from '@/components/ui/time/moment';
import type { Incident } from '@/lib/schemas/incidents/incident';
import type { Monitor } from '@/lib/schemas/monitor';
import { IncidentStatusBadge, SeverityBadge } from './incident-list';
import { formatIncidentDuration } from './incident-texts';

/** When an incident started and was resolved, and who opened it. */
export function IncidentFacts({ incident, now }: { incident: Incident; now: Date }) {
  const { startedAt, resolvedAt, automatic, updates, acknowledgedAt, acknowledgedBy } = incident;
  const { status, resolveAfterMinutes } = incident;
  const at = now.toISOString();
  const author = updates.at(-1)?.author;
  return (
    <Facts className="grid-cols-2">
      <Fact term="Started">
        <Moment at={startedAt} now={at} />
      </Fact>
      <Fact term="Resolved">{resolvedAt ? <Moment at={resolvedAt} now={at} /> : 'Not yet'}</Fact>
      {resolvedAt === null && resolveAfterMinutes !== null && status === 'monitoring' ? (
        <Fact term="Resolves" className="col-span-2">
          After {resolveAfterMinutes} {resolveAfterMinutes === 1 ? 'minute' : 'minutes'} without issues
        </Fact>
      ) : null}
      <Fact term="Opened by" className="col-span-2">
        {automatic ? 'A monitor' : (author ?? 'A person')}
      </Fact>
      <Fact term="Acknowledged" className="col-span-2">
        {acknowledgedAt !== null ? (
          <>
            By {acknowledgedBy}, <Moment at={acknowledgedAt} now={at} />
          </>
        ) : resolvedAt !== null ? (
          'No'
        ) : (
          'Not yet'
        )}
      </Fact>
    </Facts>
  );
}

type Props = { incident: Incident; now: Date; children: ReactNode };

/** Title, status, and severity of an incident; `children` are its actions. */
export function IncidentHeading({ incident, now, children }: Props) {
  const { title, status, severity } = incident;
  return (
    <PageHeading back={{ href: '/incidents', label: 'Incidents' }} title={title} actions={children}>
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <span aria-live="polite" className="flex">
          <IncidentStatusBadge status={status} />
        </span>
        <SeverityBadge severity={severity} />
        <span className="text-muted tabular-nums">{formatIncidentDuration(incident, now)}</span>
      </p>
    </PageHeading>
  );
}

type AffectedProps = {
  monitors: readonly (Pick<Monitor, 'id' | 'name'> & StandingFields)[];
  /** Number of affected monitors that have since been deleted. */
  deleted: number;
  /** The names of affected components of status pages. */
  components: readonly string[];
};

/** The affected monitors with their current status, and the affected components. */
export function Affected({ monitors, deleted, components }: AffectedProps) {
  return (
    <Section title={components.length > 0 ? 'Affected' : 'Affected monitors'}>
      <ul className="rounded-lg border border-line bg-surface">
        {monitors.map((monitor) => (
          <li
            key={monitor.id}
            className="touch relative flex items-center justify-between gap-3 border-b border-line px-3 py-2 last:border-0 hover:bg-sunken has-focus-visible:bg-sunken"
          >
            <RowLink href={`/monitors/${monitor.id}`} className="min-w-0 truncate">
              {monitor.name}
            </RowLink>
            <StandingBadge standing={standingOf(monitor)} />
          </li>
        ))}
        {components.map((name) => (
          <li key={name} className="border-b border-line px-3 py-2 last:border-0">
            {name} <span className="text-xs text-muted">component</span>
          </li>
        ))}
        {deleted > 0 ? (
          <li className="px-3 py-2 text-muted">
            {deleted} deleted {deleted === 1 ? 'monitor' : 'monitors'}
          </li>
        ) : null}
        {monitors.length + deleted + components.length === 0 ? (
          <li className="px-3 py-2 text-muted">None, so no status page shows this incident.</li>
        ) : null}
      </ul>
    </Section>
  );
}
