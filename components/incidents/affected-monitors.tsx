import Link from 'next/link';
import { standingOf } from '@/components/monitors/standing';
import { StandingBadge } from '@/components/monitors/standing-badge';
import type { Monitor } from '@/lib/schemas/monitor';

type Affected = Pick<Monitor, 'id' | 'name' | 'status' | 'enabled' | 'maintenance' | 'noDataSince'>;

type Props = {
  monitors: readonly Affected[];
  /** How many more there were that are deleted now. */
  deleted: number;
};

/** The monitors that an incident affects, and how they are right now. */
export function AffectedMonitors({ monitors, deleted }: Props) {
  return (
    <section className="flex flex-col gap-2" aria-labelledby="affected">
      <h2 id="affected" className="text-sm font-semibold">
        Affected monitors
      </h2>
      <ul className="rounded-lg border border-line bg-surface">
        {monitors.map((monitor) => (
          <li
            key={monitor.id}
            className="relative flex items-center justify-between gap-3 border-b border-line px-3 py-2 last:border-0 hover:bg-sunken has-focus-visible:bg-sunken"
          >
            <Link
              prefetch={false}
              href={`/monitors/${monitor.id}`}
              className="min-w-0 truncate font-medium after:absolute after:inset-0"
            >
              {monitor.name}
            </Link>
            <StandingBadge standing={standingOf(monitor)} />
          </li>
        ))}
        {deleted > 0 ? (
          <li className="px-3 py-2 text-muted">
            {deleted} deleted {deleted === 1 ? 'monitor' : 'monitors'}
          </li>
        ) : null}
        {monitors.length + deleted === 0 ? (
          <li className="px-3 py-2 text-muted">None, so no status page shows it.</li>
        ) : null}
      </ul>
    </section>
  );
}
