import { DataTable } from '@/components/ui/data-table';
import type { Region } from '@/lib/schemas/monitor/region';
import { RegionState } from './region-state';
import { formatMonitors } from './region-texts';

const COLUMNS = [
  { label: 'Region', className: 'w-1/3' },
  { label: 'State' },
  { label: 'Your monitors', className: 'w-40 text-right' },
];
const CELL = 'px-3 py-2 align-top max-sm:block max-sm:p-0';

type Props = {
  regions: readonly Region[];
  /** The IDs of those that the plan includes. */
  included: readonly string[];
  monitors: ReadonlyMap<string, number>;
  now: string;
};

const ids = new Intl.ListFormat('en');

/** The regions of the service while one machine serves all of them: only their IDs differ. */
export function OnePlace({ name, regions, now }: { name: string; regions: readonly Region[]; now: string }) {
  const [first] = regions;
  return first === undefined ? null : (
    <div className="flex flex-col gap-1 rounded-lg border border-line bg-surface px-3 py-2.5">
      <p className="flex flex-wrap items-center gap-x-3">
        <span className="font-medium">{name}</span>
        <RegionState region={first} now={now} />
      </p>
      <p className="text-muted">
        All checks run here until a worker or probe elsewhere serves a region. The API, files and
        PROBE_REGIONS know it by the IDs {ids.format(regions.map(({ id }) => id))}.
      </p>
    </div>
  );
}

/** The regions of the service. Who serves them is not shown: they are shared between organizations. */
export function BuiltInRegions({ regions, included, monitors, now }: Props) {
  return (
    <DataTable cardsBelow="sm" columns={COLUMNS} label="Built-in regions">
      {regions.map((region) => (
        <tr
          key={region.id}
          className="border-b border-line last:border-0 max-sm:flex max-sm:flex-col max-sm:gap-1 max-sm:px-3 max-sm:py-2.5"
        >
          <td className={CELL}>
            <span className="font-medium">{region.name}</span>{' '}
            <span className="font-mono text-xs text-muted">{region.id}</span>
            <span className="block text-xs text-muted">{region.location}</span>
          </td>
          <td className={CELL}>
            <RegionState region={region} now={now} />
            {included.includes(region.id) ? null : (
              <span className="block text-xs text-muted">Not included in your plan</span>
            )}
          </td>
          <td className={`${CELL} text-muted tabular-nums sm:text-right`}>
            {formatMonitors(monitors.get(region.id) ?? 0)}
          </td>
        </tr>
      ))}
    </DataTable>
  );
}
