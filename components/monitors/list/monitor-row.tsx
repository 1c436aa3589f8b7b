import Link from 'next/link';
import { memo } from 'react';
import { RegionList } from '@/components/monitors/regions/region-names';
import { cn } from '@/components/ui/cn';
import { LocalDay, LocalTime, Moment } from '@/components/ui/time/moment';
import { formatPercent } from '@/lib/core/formats/percent';
import { formatTiming } from '@/lib/core/time/duration';
import type { MonitorOverview } from '@/lib/domain/monitors/lists/list-overviews';
import { HeartbeatStrip } from '../heartbeat-strip';
import { type Standing, StandingBadge, standingOf } from '../standing-badge';

const CELL = 'px-3 py-1.5 align-middle max-lg:p-0';

/** Below `lg`, a row becomes a card of two lines: name and status, last checks and reason. It keeps its table semantics. */
const ROW =
  'relative scroll-mt-12 scroll-mb-24 border-b border-line hover:bg-sunken has-[a:focus-visible]:bg-sunken has-checked:bg-accent/6 lg:h-13 max-lg:grid max-lg:h-19 max-lg:grid-cols-[auto_minmax(0,clamp(6rem,25vw,10rem))_minmax(0,1fr)_auto] max-lg:content-center max-lg:items-center max-lg:gap-x-3 max-lg:gap-y-1.5 max-lg:px-3 max-lg:py-2';

type Props = {
  monitor: MonitorOverview;
  /** As in `HeartbeatStrip`. */
  beats: string | null | undefined;
  now: string;
  /** Zero-based. */
  index: number;
  /** Null if rows cannot be selected. */
  isSelected: boolean | null;
  onSelect: (id: string, isRange: boolean) => void;
  onFocus: (id: string) => void;
};

/** ID of the link in a monitor's row, which takes the focus. */
export const rowLinkId = (id: string) => `row-${id}`;

export const MonitorRow = memo(function MonitorRow(props: Props) {
  const { monitor, beats, now, index, isSelected, onSelect, onFocus } = props;
  const { id, name, regions, uptimePercentage, youngSince, p95 } = monitor;
  const standing = standingOf(monitor);
  const isBad = standing === 'down' || standing === 'degraded';
  return (
    <tr
      data-row
      // The header is the first row.
      aria-rowindex={index + 2}
      className={ROW}
      onFocus={() => onFocus(id)}
    >
      {isSelected === null ? null : (
        <SelectCell id={id} name={name} isSelected={isSelected} onSelect={onSelect} />
      )}
      <td className={`${CELL} max-lg:col-start-4 max-lg:row-start-1 max-lg:justify-self-end`}>
        <Status monitor={monitor} standing={standing} now={now} />
        {isBad ? <Reason monitor={monitor} now={now} className="max-lg:hidden" /> : null}
      </td>
      <th
        scope="row"
        className={`${CELL} text-left font-normal max-lg:col-span-2 max-lg:col-start-2 max-lg:row-start-1 max-lg:min-w-0`}
      >
        <Link
          id={rowLinkId(id)}
          prefetch={false}
          href={`/monitors/${id}`}
          title={name}
          className="block truncate font-medium outline-offset-0 after:absolute after:inset-0"
        >
          {name}
        </Link>
        <Target monitor={monitor} />
      </th>
      <td className={`${CELL} max-xl:hidden`}>
        <span className="line-clamp-2 text-xs text-muted">
          <RegionList ids={regions} />
        </span>
      </td>
      <td className={`${CELL} max-lg:col-start-2 max-lg:row-start-2`}>
        <div className="relative flex max-lg:pointer-events-none">
          <HeartbeatStrip beats={beats} />
        </div>
      </td>
      <td className={`${CELL} text-right tabular-nums max-lg:hidden`}>
        {uptimePercentage === null ? <span className="text-muted">–</span> : formatPercent(uptimePercentage)}
        {youngSince === undefined || uptimePercentage === null ? null : (
          <span className="block text-xs text-muted">
            since <LocalDay at={new Date(youngSince * 1000).toISOString()} now={now} />
          </span>
        )}
      </td>
      <td
        className={`${CELL} text-right tabular-nums max-lg:col-span-2 max-lg:col-start-3 max-lg:row-start-2 max-lg:min-w-0 max-lg:text-xs max-lg:text-muted`}
      >
        {isBad ? <Reason monitor={monitor} now={now} className="lg:hidden" /> : null}
        <span className={isBad ? 'max-lg:hidden' : ''}>
          {uptimePercentage === null ? null : (
            <span className="lg:hidden">{formatPercent(uptimePercentage)} · </span>
          )}
          {p95 === null ? <span className="text-muted">–</span> : formatTiming(p95)}
        </span>
      </td>
      <td className={`${CELL} text-right text-muted tabular-nums max-lg:hidden`}>
        <LastCheck monitor={monitor} now={now} />
      </td>
    </tr>
  );
});

/** When it was checked last; a group never is. */
function LastCheck({ monitor: { isGroup, lastCheckedAt }, now }: Pick<Props, 'monitor' | 'now'>) {
  if (lastCheckedAt === null) return isGroup ? '–' : 'Never';
  return <Moment at={new Date(lastCheckedAt).toISOString()} now={now} />;
}

type SelectCellProps = Pick<Props, 'onSelect'> & { id: string; name: string; isSelected: boolean };

function SelectCell({ id, name, isSelected, onSelect }: SelectCellProps) {
  return (
    <td className="w-10 p-0 max-lg:col-start-1 max-lg:row-span-2 max-lg:row-start-1 max-lg:-mx-3">
      <label className="relative z-10 flex h-12 w-10 items-center justify-center">
        <input
          type="checkbox"
          aria-label={`Select ${name}`}
          className="size-4 accent-accent"
          checked={isSelected}
          onChange={(event) =>
            onSelect(id, event.nativeEvent instanceof MouseEvent && event.nativeEvent.shiftKey)
          }
        />
      </label>
    </td>
  );
}

type StatusProps = { monitor: MonitorOverview; standing: Standing; now: string };

/** The standing, whether it is flapping, and since when there is no data. */
function Status({ monitor: { flappingSince, noDataSince }, standing, now }: StatusProps) {
  return (
    <>
      <StandingBadge standing={standing} />
      {flappingSince === undefined ? null : (
        <span
          className="pl-1.5 text-xs whitespace-nowrap text-slow"
          title="Changing too often: alerts resume once it is stable"
        >
          Flapping
        </span>
      )}
      {standing === 'noData' && noDataSince !== null ? (
        <span className="block text-xs text-muted tabular-nums max-lg:inline max-lg:pl-1.5">
          since <LocalTime at={noDataSince} now={now} />
        </span>
      ) : null}
    </>
  );
}

type ReasonProps = { monitor: MonitorOverview; now: string; className: string };

/** `2h 45m · connection refused`: for how long a monitor is down or degraded, and why. */
function Reason({ monitor: { changedAt, cause }, now, className }: ReasonProps) {
  return (
    <span className={cn('block truncate text-xs text-muted tabular-nums', className)} title={cause}>
      {changedAt === null ? null : (
        <Moment at={new Date(changedAt * 1000).toISOString()} now={now} as="duration" />
      )}
      {changedAt === null || cause === undefined ? '' : ' · '}
      {cause}
    </span>
  );
}

function Target({ monitor: { type, url, tags } }: { monitor: MonitorOverview }) {
  return (
    <span className="flex min-w-0 items-center gap-1.5 text-xs text-muted max-lg:hidden">
      <span className="shrink-0 rounded border border-line px-1 font-mono text-[0.6875rem] uppercase">
        {type}
      </span>
      <span className="truncate font-mono" title={url}>
        {url}
      </span>
      {tags.length > 0 ? (
        <span className="flex max-w-1/2 min-w-0 shrink-0 gap-1 overflow-hidden" title={tags.join(', ')}>
          {tags.map((tag) => (
            <span key={tag} className="truncate rounded border border-line bg-sunken px-1.5 text-ink">
              {tag}
            </span>
          ))}
        </span>
      ) : null}
    </span>
  );
}
