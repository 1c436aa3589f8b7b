import Link from 'next/link';
import { Moment } from '@/components/ui/moment';
import type { Heartbeat } from '@/lib/monitors/read-heartbeats';
import type { Monitor } from '@/lib/schemas/monitor';
import { HeartbeatStrip } from './heartbeat-strip';
import { formatPercent } from './percent';
import { standingOf } from './standing';
import { StandingBadge } from './standing-badge';

const HEAD = 'px-3 py-2 text-left text-xs font-medium text-muted';
const CELL = 'px-3 py-2 align-middle max-lg:p-0';
/** On a narrow screen a row becomes a small card; browsers keep its meaning as a table row. */
const ROW =
  'relative border-b border-line last:border-0 hover:bg-sunken has-focus-visible:bg-sunken max-lg:grid max-lg:grid-cols-[1fr_auto] max-lg:items-center max-lg:gap-x-3 max-lg:gap-y-1.5 max-lg:px-3 max-lg:py-3';

type Props = { monitors: Monitor[]; beats: Map<string, Heartbeat[]>; now: Date };

/** The monitors, one a row. */
export function MonitorList({ monitors, beats, now }: Props) {
  return (
    <div className="overflow-hidden rounded-lg border border-line bg-surface">
      <table className="w-full table-fixed border-collapse max-lg:block">
        <thead className="border-b border-line max-lg:sr-only">
          <tr>
            <th scope="col" className={`${HEAD} w-34`}>
              Status
            </th>
            <th scope="col" className={HEAD}>
              Monitor
            </th>
            <th scope="col" className={`${HEAD} w-32`}>
              Regions
            </th>
            <th scope="col" className={`${HEAD} w-44`}>
              Last 30 checks
            </th>
            <th scope="col" className={`${HEAD} w-24 text-right`}>
              Uptime 30 d
            </th>
            <th scope="col" className={`${HEAD} w-24 text-right`}>
              Response
            </th>
            <th scope="col" className={`${HEAD} w-28 text-right`}>
              Last check
            </th>
          </tr>
        </thead>
        <tbody className="max-lg:block">
          {monitors.map((monitor) => (
            <MonitorRow key={monitor.id} monitor={monitor} beats={beats.get(monitor.id) ?? []} now={now} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function MonitorRow({ monitor, beats, now }: { monitor: Monitor; beats: Heartbeat[]; now: Date }) {
  const { id, name, url, type, regions, uptimePercentage, lastResponseTime, lastCheckedAt } = monitor;
  return (
    <tr className={ROW}>
      <td className={`${CELL} max-lg:order-2 max-lg:justify-self-end`}>
        <StandingBadge standing={standingOf(monitor)} />
      </td>
      <th scope="row" className={`${CELL} text-left font-normal max-lg:order-1 max-lg:min-w-0`}>
        <Link
          prefetch={false}
          href={`/monitors/${id}`}
          className="block truncate font-medium outline-offset-0 after:absolute after:inset-0"
        >
          {name}
        </Link>
        <span className="flex min-w-0 items-center gap-1.5 text-xs text-muted">
          <span className="shrink-0 rounded border border-line px-1 font-mono text-[0.6875rem] uppercase">
            {type}
          </span>
          <span className="truncate font-mono" title={url}>
            {url}
          </span>
        </span>
      </th>
      <td className={`${CELL} text-xs text-muted max-lg:hidden`}>{regions.join(', ')}</td>
      <td className={`${CELL} max-lg:order-3`}>
        <div className="relative flex">
          <HeartbeatStrip beats={beats} />
        </div>
      </td>
      <td className={`${CELL} text-right tabular-nums max-lg:hidden`}>{formatPercent(uptimePercentage)}</td>
      <td className={`${CELL} text-right tabular-nums max-lg:order-4 max-lg:text-xs max-lg:text-muted`}>
        <span className="lg:hidden">{formatPercent(uptimePercentage)} · </span>
        {lastResponseTime === null ? <span className="text-muted">–</span> : `${lastResponseTime} ms`}
      </td>
      <td className={`${CELL} text-right text-muted tabular-nums max-lg:hidden`}>
        {lastCheckedAt === null ? 'never' : <Moment at={lastCheckedAt} now={now.toISOString()} />}
      </td>
    </tr>
  );
}
