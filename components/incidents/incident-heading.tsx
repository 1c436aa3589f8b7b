import type { ReactNode } from 'react';
import { BackLink } from '@/components/shell/back-link';
import type { Incident } from '@/lib/schemas/incident';
import { IncidentStatusBadge, SeverityBadge } from './incident-badges';
import { sayLength } from './incident-texts';

type Props = { incident: Incident; now: Date; children: ReactNode };

/** What an incident is called and how it stands; `children` is what can be done about it. */
export function IncidentHeading({ incident, now, children }: Props) {
  const { title, status, severity } = incident;
  return (
    <div className="flex flex-col gap-2">
      <BackLink href="/incidents" label="Incidents" />
      <div className="flex flex-wrap items-start justify-between gap-3">
        <h1 className="min-w-0 text-lg font-semibold break-words">{title}</h1>
        {children}
      </div>
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <span aria-live="polite" className="flex">
          <IncidentStatusBadge status={status} />
        </span>
        <SeverityBadge severity={severity} />
        <span className="text-muted tabular-nums">{sayLength(incident, now)}</span>
      </p>
    </div>
  );
}
