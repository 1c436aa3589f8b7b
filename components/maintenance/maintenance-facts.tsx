import { Fact, Facts } from '@/components/ui/facts';
import type { Maintenance } from '@/lib/schemas/maintenance';
import { sayRepeat } from './repeat';
import { formatSpan } from './span';

/** A window for who may only read. */
export function MaintenanceFacts({ window, names }: { window: Maintenance; names: string[] }) {
  const { startsAt, endsAt } = window.occurrence ?? window;
  return (
    <Facts className="grid-cols-1 sm:grid-cols-1">
      <Fact term="When">
        {formatSpan(startsAt, endsAt, window.timeZone)} {window.timeZone}
      </Fact>
      <Fact term="Repeats">{sayRepeat(window.rrule)}</Fact>
      <Fact term="Monitors">{names.join(', ') || '–'}</Fact>
      <Fact term="Message">
        <span className="whitespace-pre-wrap">{window.message || '–'}</span>
      </Fact>
    </Facts>
  );
}
