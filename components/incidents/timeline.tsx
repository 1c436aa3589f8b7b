import { Moment } from '@/components/ui/moment';
import type { Incident } from '@/lib/schemas/incident';
import { IncidentStatusBadge } from './incident-badges';

type Props = {
  incident: Incident;
  /** Why the service wrote an update, by its moment. */
  reasons: Readonly<Record<string, string>>;
  serviceName: string;
  now: Date;
};

/** All that was said of an incident, the newest first, with who said it; for what the service said, why. */
export function Timeline({ incident, reasons, serviceName, now }: Props) {
  return (
    <section className="flex flex-col gap-2" aria-labelledby="timeline">
      <h2 id="timeline" className="text-sm font-semibold">
        Timeline
      </h2>
      <ol className="rounded-lg border border-line bg-surface px-4 py-1">
        {incident.updates.map((update) => {
          const by = update.author ?? (incident.automatic ? serviceName : null);
          const reason = update.author === null ? reasons[update.createdAt] : undefined;
          return (
            <li key={update.id} className="flex flex-col gap-1 border-b border-line py-3 last:border-0">
              <p className="flex flex-wrap items-center gap-x-2 text-xs text-muted">
                <span className="text-sm">
                  <IncidentStatusBadge status={update.status} />
                </span>
                <Moment at={update.createdAt} now={now.toISOString()} />
                {by ? <span className="wrap-anywhere">by {by}</span> : null}
              </p>
              <p className="max-w-[75ch] whitespace-pre-line wrap-anywhere">{update.message}</p>
              {reason ? (
                <p className="text-xs text-muted wrap-anywhere">
                  <span className="font-medium">Why (not public):</span> {reason}
                </p>
              ) : null}
            </li>
          );
        })}
      </ol>
    </section>
  );
}
