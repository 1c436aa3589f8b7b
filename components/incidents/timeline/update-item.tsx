import { Translated } from '@/components/translations/translated';
import { TextLink } from '@/components/ui/text-link';
import { LocalTime } from '@/components/ui/time/moment';
import type { Incident } from '@/lib/schemas/incidents/incident';
import { IncidentStatusBadge } from '../incident-list';

type Props = {
  incident: Incident;
  update: Incident['updates'][number];
  /** Why the service wrote it. */
  reason: string | undefined;
  serviceName: string;
  now: Date;
  /** Whether it can be translated. */
  mayWrite: boolean;
};

/** An update of an incident with its author; an automatic one with its reason. */
export function UpdateItem({ incident, update, reason, serviceName, now, mayWrite }: Props) {
  const isOfService = update.author === null && incident.automatic;
  const by = update.author ?? (isOfService ? serviceName : null);
  return (
    <li className="flex flex-col gap-1 border-b border-line px-4 py-3 last:border-0">
      <p className="flex flex-wrap items-center gap-x-2 text-xs text-muted">
        <span className="text-sm">
          <IncidentStatusBadge status={update.status} />
        </span>
        {by ? <span className="wrap-anywhere">by {by}</span> : null}
        {mayWrite && !isOfService ? (
          <TextLink href={`/incidents/${incident.id}/updates/${update.id}`}>Translate</TextLink>
        ) : null}
        <span className="ml-auto tabular-nums">
          <LocalTime at={update.createdAt} now={now.toISOString()} isExact />
        </span>
      </p>
      <p className="max-w-[75ch] whitespace-pre-line wrap-anywhere">{update.message}</p>
      <Translated translations={update.translations} />
      {reason ? (
        <p className="text-xs text-muted wrap-anywhere">
          <span className="font-medium">Why (not public):</span> {reason}
        </p>
      ) : null}
    </li>
  );
}
