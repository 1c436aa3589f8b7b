import { CircleCheck, Eye, ScanSearch, Search } from 'lucide-react';
import { cn } from '@/components/ui/cn';
import type { Incident } from '@/lib/schemas/incident';
import { SEVERITY_WORDS, STATUS_WORDS } from './incident-texts';

const LOOKS = {
  investigating: { Icon: Search, colour: 'text-bad' },
  identified: { Icon: ScanSearch, colour: 'text-slow' },
  monitoring: { Icon: Eye, colour: 'text-accent' },
  resolved: { Icon: CircleCheck, colour: 'text-good' },
} as const;

/** How far an incident is, as icon and word. */
export function IncidentStatusBadge({ status }: { status: Incident['status'] }) {
  const { Icon, colour } = LOOKS[status];
  return (
    <span className={cn('inline-flex items-center gap-1.5 font-medium whitespace-nowrap', colour)}>
      <Icon className="size-4 shrink-0" aria-hidden="true" />
      {STATUS_WORDS[status]}
    </span>
  );
}

const WASHES = {
  minor: 'border-line bg-sunken text-ink',
  major: 'border-slow/30 bg-slow-wash text-slow',
  critical: 'border-bad/30 bg-bad-wash text-bad',
} as const;

/** How bad it is. */
export function SeverityBadge({ severity }: { severity: Incident['severity'] }) {
  return (
    <span
      className={cn(
        'inline-flex h-5 items-center rounded border px-1.5 text-xs font-medium whitespace-nowrap',
        WASHES[severity],
      )}
    >
      {SEVERITY_WORDS[severity]}
    </span>
  );
}
