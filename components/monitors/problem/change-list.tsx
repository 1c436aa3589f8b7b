import { Pencil, Rocket } from 'lucide-react';
import type { ReactNode } from 'react';
import { EmptyNote } from '@/components/ui/section';
import { LocalTime } from '@/components/ui/time/moment';
import { formatElapsed } from '@/lib/core/time/duration';
import type { Edit } from '@/lib/domain/audit/read-edits';
import type { Marker } from '@/lib/schemas/monitor/marker';

const MAX_SHOWN = 6;

type Props = { markers: readonly Marker[]; edits: readonly Edit[]; since: Date; now: Date };

/** Deploys and edits before a problem that began at `since`, and during it, newest first. */
export function ChangeList({ markers, edits, since, now }: Props) {
  const changes = [
    ...markers.map((marker) => ({
      id: marker.id,
      at: new Date(marker.occurredAt),
      shown: <Deploy {...marker} />,
    })),
    ...edits.map((edit) => ({ id: edit.id, at: edit.at, shown: <EditText edit={edit} /> })),
  ]
    .sort((a, b) => b.at.getTime() - a.at.getTime())
    .slice(0, MAX_SHOWN);
  if (changes.length === 0) {
    return (
      <EmptyNote>
        No edits or deploys (<code className="font-mono text-xs">POST /events</code>) in the 24 hours before
        this.
      </EmptyNote>
    );
  }
  return (
    <ol className="divide-y divide-line overflow-hidden rounded-lg border border-line bg-surface">
      {changes.map(({ id, at, shown }) => (
        <li key={id} className="flex items-center justify-between gap-3 px-3 py-1.5 text-sm">
          {shown}
          <span className="shrink-0 text-right text-muted tabular-nums">
            <span className="text-ink">{formatDistance(at, since)}</span>{' '}
            <span className="max-sm:block">
              <LocalTime at={at.toISOString()} now={now.toISOString()} />
            </span>
          </span>
        </li>
      ))}
    </ol>
  );
}

/** `4m before` the problem, or `2m after` it began. */
export function formatDistance(at: Date, since: Date): string {
  const ms = at.getTime() - since.getTime();
  return `${formatElapsed(Math.abs(ms))} ${ms <= 0 ? 'before' : 'after'}`;
}

function Deploy({ title, url }: Marker) {
  return (
    <Line icon={<Rocket className="size-4 shrink-0 self-center text-accent" />}>
      {url === null ? (
        title
      ) : (
        <a href={url} rel="noreferrer" className="underline underline-offset-2 hover:text-accent">
          {title}
        </a>
      )}
    </Line>
  );
}

const ACTIONS: Readonly<Record<string, string>> = {
  'monitor.create': 'Monitor created',
  'monitor.update': 'Monitor edited',
};

function EditText({ edit: { action, fields, actor } }: { edit: Edit }) {
  return (
    <Line icon={<Pencil className="size-4 shrink-0 self-center text-muted" />}>
      {ACTIONS[action] ?? action}
      {fields.length > 0 ? `: ${fields.join(', ')}` : ''}
      <span className="text-muted"> by {actor}</span>
    </Line>
  );
}

function Line({ icon, children }: { icon: ReactNode; children: ReactNode }) {
  return (
    <span className="flex min-w-0 gap-2">
      {icon}
      <span className="min-w-0 wrap-anywhere">{children}</span>
    </span>
  );
}
