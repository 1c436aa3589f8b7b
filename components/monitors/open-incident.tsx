import { Siren } from 'lucide-react';
import { Moment } from '@/components/ui/moment';

type Incident = { title: string; status: string; severity: string; createdAt: Date };

/** The incident that is open because of a monitor. */
export function OpenIncident({ incident, now }: { incident: Incident; now: Date }) {
  return (
    <section
      aria-label="Open incident"
      className="flex flex-wrap items-center gap-x-3 gap-y-1 rounded-lg border border-bad/30 bg-bad-wash px-4 py-3 text-bad"
    >
      <Siren className="size-4 shrink-0" aria-hidden="true" />
      <span className="font-medium">{incident.title}</span>
      <span className="text-sm">
        Open incident, {incident.severity}, {incident.status}, opened{' '}
        <Moment at={incident.createdAt.toISOString()} now={now.toISOString()} />
      </span>
    </section>
  );
}
