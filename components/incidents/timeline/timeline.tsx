import {
  Activity,
  BellOff,
  BellRing,
  ChevronRight,
  CircleX,
  Globe,
  Hand,
  type LucideIcon,
  Mail,
  Pencil,
  Rocket,
  Users,
} from 'lucide-react';
import { formatRule } from '@/components/monitors/history/transition-texts';
import type { RegionNames } from '@/components/monitors/regions/name-region';
import { Translated } from '@/components/translations/translated';
import { CodeBlock } from '@/components/ui/code-block';
import { Fold } from '@/components/ui/fold';
import { Section } from '@/components/ui/section';
import { TextLink } from '@/components/ui/text-link';
import { LocalTime } from '@/components/ui/time/moment';
import type { TimelineEntry } from '@/lib/domain/timelines/timeline-entry';
import type { Incident } from '@/lib/schemas/incidents/incident';
import { IncidentStatusBadge } from '../incident-list';
import { formatTimelineMarkdown } from './timeline-markdown';
import { describeEntry, type TimelineDetail, type TimelineLine } from './timeline-texts';

const STYLES: Record<TimelineEntry['kind'], { Icon: LucideIcon; color: string }> = {
  marker: { Icon: Rocket, color: 'text-accent' },
  edit: { Icon: Pencil, color: 'text-muted' },
  failures: { Icon: CircleX, color: 'text-bad' },
  transition: { Icon: Activity, color: 'text-ink' },
  acknowledgement: { Icon: Hand, color: 'text-accent' },
  event: { Icon: BellRing, color: 'text-muted' },
  emails: { Icon: Mail, color: 'text-muted' },
  suppression: { Icon: BellOff, color: 'text-muted' },
  flapping: { Icon: BellOff, color: 'text-slow' },
  publication: { Icon: Globe, color: 'text-muted' },
  subscribers: { Icon: Users, color: 'text-muted' },
};

type Props = {
  incident: Incident;
  entries: readonly TimelineEntry[];
  /** Reasons for automatic updates, keyed by `createdAt`. */
  reasons: Readonly<Record<string, string>>;
  serviceName: string;
  names: RegionNames;
  now: Date;
  /** Whether updates can be translated. */
  mayWrite: boolean;
};

/** What happened around an incident, newest first: its updates, and in between what its monitors saw, and who was notified. */
export function Timeline({ incident, entries, reasons, serviceName, names, now, mayWrite }: Props) {
  const items = [
    ...incident.updates.map((update) => ({
      at: new Date(update.createdAt),
      shown: (
        <UpdateItem
          key={update.id}
          incident={incident}
          update={update}
          reason={update.author === null ? formatRule(reasons[update.createdAt] ?? '', names) : ''}
          serviceName={serviceName}
          now={now}
          mayWrite={mayWrite}
        />
      ),
    })),
    ...entries.map((entry) => ({
      at: entry.at,
      shown: <EntryItem key={`${entry.kind} ${entry.id}`} entry={entry} names={names} now={now} />,
    })),
  ].sort((a, b) => b.at.getTime() - a.at.getTime());
  return (
    <Section title="Timeline">
      <ol className="overflow-hidden rounded-lg border border-line bg-surface">
        {items.map(({ shown }) => shown)}
      </ol>
      <Fold title="Copy as Markdown" hint="For a postmortem: without people, endpoints, and errors">
        <CodeBlock text={formatTimelineMarkdown(entries, incident.updates)} label="Copy the timeline" />
      </Fold>
    </Section>
  );
}

function EntryItem({ entry, names, now }: { entry: TimelineEntry; names: RegionNames; now: Date }) {
  const line = describeEntry(entry, names);
  const { Icon, color } = STYLES[entry.kind];
  const summary = (
    <>
      <Icon className={`mt-0.5 size-4 shrink-0 ${color}`} />
      <span className="flex min-w-0 flex-1 flex-wrap items-baseline justify-between gap-x-3">
        <LineText line={line} />
        <span className="text-xs text-muted tabular-nums">
          <LocalTime at={entry.at.toISOString()} now={now.toISOString()} isExact />
        </span>
      </span>
    </>
  );
  const hasFailed = line.details.some(({ isFailure }) => isFailure);
  return (
    <li className="border-b border-line text-sm last:border-0">
      {line.details.length === 0 ? (
        <div className="flex gap-2 py-2 pr-4 pl-9">{summary}</div>
      ) : (
        <details className="group" open={hasFailed}>
          <summary className="flex list-none gap-2 py-2 pr-4 pl-4 hover:bg-sunken [&::-webkit-details-marker]:hidden">
            <ChevronRight className="-mr-1 mt-0.5 size-4 shrink-0 text-muted transition-transform group-open:rotate-90" />
            {summary}
          </summary>
          <ul className="flex flex-col gap-1 border-t border-line bg-canvas py-2 pr-4 pl-15 text-muted">
            {line.details.map((detail) => (
              <li key={detail.text} className="wrap-anywhere">
                <DetailText detail={detail} />
              </li>
            ))}
          </ul>
        </details>
      )}
    </li>
  );
}

function LineText({ line: { text, href } }: { line: TimelineLine }) {
  if (href === undefined) return <span className="wrap-anywhere">{text}</span>;
  return (
    <TextLink href={href}>
      <span className="wrap-anywhere">{text}</span>
    </TextLink>
  );
}

function DetailText({ detail: { text, href, isFailure = false } }: { detail: TimelineDetail }) {
  const shown = <span className={isFailure ? 'text-bad' : undefined}>{text}</span>;
  return href === undefined ? shown : <TextLink href={href}>{shown}</TextLink>;
}

type UpdateItemProps = {
  incident: Incident;
  update: Incident['updates'][number];
  /** Why the service wrote it. */
  /** Empty without one. */
  reason: string;
  serviceName: string;
  now: Date;
  /** Whether it can be translated. */
  mayWrite: boolean;
};

/** An update of an incident with its author; an automatic one with its reason. */
function UpdateItem({ incident, update, reason, serviceName, now, mayWrite }: UpdateItemProps) {
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
          <TextLink isAlone href={`/incidents/${incident.id}/updates/${update.id}`}>
            Translate
          </TextLink>
        ) : null}
        <span className="ml-auto tabular-nums">
          <LocalTime at={update.createdAt} now={now.toISOString()} isExact />
        </span>
      </p>
      <p className="max-w-[75ch] whitespace-pre-line wrap-anywhere">{update.message}</p>
      <Translated translations={update.translations} />
      {reason === '' ? null : (
        <p className="text-xs text-muted wrap-anywhere">
          <span className="font-medium">Why (not public):</span> {reason}
        </p>
      )}
    </li>
  );
}
