import { CalendarClock, CircleCheck, Wrench } from 'lucide-react';
import { cn } from '@/components/ui/cn';
import type { MaintenanceStatus } from '@/lib/schemas/maintenance';

const LOOKS = {
  active: { word: 'Active', Icon: Wrench, colour: 'text-accent' },
  scheduled: { word: 'Scheduled', Icon: CalendarClock, colour: 'text-ink' },
  finished: { word: 'Finished', Icon: CircleCheck, colour: 'text-muted' },
} as const;

/** A window's status as icon and word. */
export function MaintenanceStatusBadge({ status }: { status: MaintenanceStatus }) {
  const { word, Icon, colour } = LOOKS[status];
  return (
    <span className={cn('inline-flex items-center gap-1.5 font-medium whitespace-nowrap', colour)}>
      <Icon className="size-4 shrink-0" aria-hidden="true" />
      {word}
    </span>
  );
}
