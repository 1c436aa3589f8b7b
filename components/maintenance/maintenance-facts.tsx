import type { ReactNode } from 'react';
import type { Maintenance } from '@/lib/schemas/maintenance';
import { sayRepeat } from './repeat';
import { formatSpan } from './span';

/** A window for who may only read. */
export function MaintenanceFacts({ window, names }: { window: Maintenance; names: string[] }) {
  const { startsAt, endsAt } = window.occurrence ?? window;
  return (
    <dl className="overflow-hidden rounded-lg border border-line bg-surface">
      <Fact term="When">
        {formatSpan(startsAt, endsAt, window.timeZone)} {window.timeZone}
      </Fact>
      <Fact term="Repeats">{sayRepeat(window.rrule)}</Fact>
      <Fact term="Monitors">{names.join(', ') || '–'}</Fact>
      <Fact term="Message">{window.message || '–'}</Fact>
    </dl>
  );
}

function Fact({ term, children }: { term: string; children: ReactNode }) {
  return (
    <div className="flex flex-col gap-0.5 border-b border-line px-4 py-3 last:border-0">
      <dt className="text-xs text-muted">{term}</dt>
      <dd className="break-words whitespace-pre-wrap">{children}</dd>
    </div>
  );
}
