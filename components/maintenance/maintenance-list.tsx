import Link from 'next/link';
import type { Maintenance } from '@/lib/schemas/maintenance';
import { sayRepeat } from './repeat';
import { formatSpan } from './span';
import { MaintenanceStatusBadge } from './status-badge';

type Props = { heading: string; windows: Maintenance[]; names: ReadonlyMap<string, string> };

/** Windows of one status, one a row, under a heading; nothing where there are none. */
export function MaintenanceList({ heading, windows, names }: Props) {
  if (windows.length === 0) return null;
  return (
    <section className="flex flex-col gap-2">
      <h2 className="text-sm font-semibold">
        {heading} <span className="font-normal text-muted">{windows.length}</span>
      </h2>
      <ul className="overflow-hidden rounded-lg border border-line bg-surface">
        {windows.map((window) => (
          <MaintenanceRow key={window.id} window={window} names={names} />
        ))}
      </ul>
    </section>
  );
}

function MaintenanceRow({ window, names }: { window: Maintenance; names: Props['names'] }) {
  const { startsAt, endsAt } = window.occurrence ?? window;
  return (
    <li className="relative grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 gap-y-1 border-b border-line px-4 py-3 last:border-0 hover:bg-sunken has-focus-visible:bg-sunken lg:grid-cols-[minmax(0,1fr)_26rem_7rem]">
      <div className="min-w-0">
        <Link
          prefetch={false}
          href={`/maintenance/${window.id}`}
          className="block truncate font-medium after:absolute after:inset-0"
        >
          {window.title}
        </Link>
        <p className="truncate text-xs text-muted">{nameMonitors(window.monitors, names)}</p>
      </div>
      <div className="min-w-0 text-xs max-lg:order-last max-lg:col-span-2">
        <p className="tabular-nums">
          {formatSpan(startsAt, endsAt, window.timeZone)}{' '}
          <span className="text-muted">{window.timeZone}</span>
        </p>
        {window.rrule === null ? null : (
          <p className="truncate text-muted" title={window.rrule}>
            {sayRepeat(window.rrule)}
          </p>
        )}
      </div>
      <div className="justify-self-end lg:justify-self-start">
        <MaintenanceStatusBadge status={window.status} />
      </div>
    </li>
  );
}

function nameMonitors(ids: string[], names: Props['names']): string {
  if (ids.length === 0) return 'Its monitors were deleted';
  return ids.map((id) => names.get(id) ?? 'deleted').join(', ');
}
