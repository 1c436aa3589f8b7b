import { Siren } from 'lucide-react';
import Link from 'next/link';
import { Moment } from '@/components/ui/moment';

type Incident = { id: string; title: string; status: string; severity: string; startedAt: Date };

/** The incident that is open because of a monitor. */
export function OpenIncident({ incident, now }: { incident: Incident; now: Date }) {
  return (
    <section
      aria-label="Open incident"
      className="flex flex-wrap items-center gap-x-3 gap-y-1 rounded-lg border border-bad/30 bg-bad-wash px-4 py-3 text-bad"
    >
      <Siren className="size-4 shrink-0" aria-hidden="true" />
      <Link
        prefetch={false}
        href={`/incidents/${incident.id}`}
        className="font-medium underline underline-offset-2"
      >
        {incident.title}
      </Link>
      <span className="text-sm">
        Open incident, {incident.severity}, {incident.status}, began{' '}
        <Moment at={incident.startedAt.toISOString()} now={now.toISOString()} />
      </span>
    </section>
  );
}
