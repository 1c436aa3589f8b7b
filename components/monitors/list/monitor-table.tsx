'use client';

import { ArrowDown, ArrowUp } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { Fragment, useCallback, useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { useShortcuts } from '@/components/shell/shortcuts/use-shortcuts';
import { cn } from '@/components/ui/cn';
import type { MonitorOverview } from '@/lib/domain/monitors/lists/list-overviews';
import type { Sort, SortKey } from './list-query';
import { MonitorRow, rowLinkId } from './monitor-row';
import { useRowWindow } from './use-row-window';
import { type StripSource, useStrips } from './use-strips';

const HEAD_CELL =
  'sticky top-0 z-20 bg-surface shadow-[inset_0_-1px_0_var(--color-line)] text-xs font-medium text-muted';

type Column = { label: string; sortKey?: SortKey; className?: string };

const COLUMNS: readonly Column[] = [
  { label: 'Status', sortKey: 'status', className: 'w-50' },
  { label: 'Monitor', sortKey: 'name' },
  { label: 'Regions', className: 'w-32 max-xl:hidden' },
  { label: 'Last 30 checks', className: 'w-44' },
  { label: 'Uptime (30d)', sortKey: 'uptime', className: 'w-30 text-right' },
  { label: 'p95 (24h)', sortKey: 'p95', className: 'w-26 text-right' },
  { label: 'Last check', sortKey: 'checked', className: 'w-28 text-right' },
];

type Props = {
  /** In display order; only the first until all are loaded. */
  monitors: readonly MonitorOverview[];
  /** The number of all. */
  count: number;
  strips: StripSource;
  now: string;
  sort: Sort;
  onSort: (key: SortKey) => void;
  /** Null if rows cannot be selected. */
  selected: ReadonlySet<string> | null;
  onSelect: (id: string, isRange: boolean) => void;
  onSelectAll: (isSelected: boolean) => void;
};

/** One monitor per row. Long lists render only the rows near the viewport. `j` and `k` move through them. */
export function MonitorTable({
  monitors,
  count,
  strips,
  now,
  sort,
  onSort,
  selected,
  onSelect,
  onSelectAll,
}: Props) {
  const host = useRef<HTMLTableSectionElement>(null);
  const [focused, setFocused] = useState<string | null>(null);
  const pinned = focused === null ? -1 : monitors.findIndex(({ id }) => id === focused);
  const { rows, skippedAfter, rowHeight } = useRowWindow({ host, count, pinned });
  const shown = rows.flatMap(({ index }) => monitors[index]?.id ?? []);
  const beatsOf = useStrips(strips, shown, now);
  useRowKeys({ monitors, pinned, onFocus: setFocused, onSelect: selected === null ? null : onSelect });

  const select = useLatest(onSelect);
  return (
    <div className="overflow-clip rounded-lg border border-line bg-surface">
      <table className="w-full table-fixed border-collapse max-lg:block" aria-rowcount={count + 1}>
        <thead className="max-lg:sr-only">
          <tr aria-rowindex={1} className="text-left">
            {selected === null ? null : (
              <th scope="col" className={cn(HEAD_CELL, 'w-10 p-0 max-lg:hidden')}>
                <SelectAll
                  selected={selected.size}
                  total={count}
                  isDisabled={monitors.length < count}
                  onChange={onSelectAll}
                />
              </th>
            )}
            {COLUMNS.map((column) => (
              <ColumnHead key={column.label} {...column} sort={sort} onSort={onSort} />
            ))}
          </tr>
        </thead>
        <tbody ref={host} className="max-lg:block">
          {rows.map(({ index, skipped }) => {
            const monitor = monitors[index];
            if (!monitor) return <Gap key={index} height={(skipped + 1) * rowHeight} />;
            return (
              <Fragment key={monitor.id}>
                <Gap height={skipped * rowHeight} />
                <MonitorRow
                  monitor={monitor}
                  beats={beatsOf(monitor.id)}
                  now={now}
                  index={index}
                  isSelected={selected === null ? null : selected.has(monitor.id)}
                  onSelect={select}
                  onFocus={setFocused}
                />
              </Fragment>
            );
          })}
          <Gap height={skippedAfter * rowHeight} />
        </tbody>
      </table>
    </div>
  );
}

type RowKeys = {
  monitors: readonly MonitorOverview[];
  /** The focused row; -1 for none. */
  pinned: number;
  /** Renders a row, which must be before it can take the focus. */
  onFocus: (id: string) => void;
  /** Null if rows cannot be selected. */
  onSelect: ((id: string, isRange: boolean) => void) | null;
};

/** `j` and `k` move through the rows, `Enter` opens one, `x` selects it. */
function useRowKeys({ monitors, pinned, onFocus, onSelect }: RowKeys) {
  const router = useRouter();
  const current = monitors[pinned];

  const moveTo = (index: number) => {
    const id = monitors[Math.min(Math.max(index, 0), monitors.length - 1)]?.id;
    if (id === undefined) return;
    flushSync(() => onFocus(id));
    const link = document.getElementById(rowLinkId(id));
    link?.focus({ preventScroll: true });
    link?.closest('tr')?.scrollIntoView({ block: 'nearest' });
  };
  useShortcuts({
    j: { label: 'Next monitor', run: () => moveTo(pinned + 1) },
    k: { label: 'Previous monitor', run: () => moveTo(pinned - 1) },
    enter: { label: 'Open monitor', run: () => current && router.push(`/monitors/${current.id}`) },
    ...(onSelect && { x: { label: 'Select monitor', run: () => current && onSelect(current.id, false) } }),
  });
}

/** The space of rows that are not rendered. */
function Gap({ height }: { height: number }) {
  return height === 0 ? null : <tr className="max-lg:block" style={{ height }} />;
}

/** A stable function that calls the latest `run`, so typing does not rerender every row. */
function useLatest<Args extends unknown[]>(run: (...args: Args) => void): (...args: Args) => void {
  const latest = useRef(run);
  useEffect(() => {
    latest.current = run;
  });
  return useCallback((...args: Args) => latest.current(...args), []);
}

type SelectAllProps = {
  selected: number;
  total: number;
  isDisabled: boolean;
  onChange: (isSelected: boolean) => void;
};

function SelectAll({ selected, total, isDisabled, onChange }: SelectAllProps) {
  const isAll = total > 0 && selected === total;
  return (
    <label className="flex h-8 w-10 items-center justify-center">
      <input
        type="checkbox"
        aria-label="Select all monitors shown"
        className="size-4 accent-accent"
        checked={isAll}
        disabled={isDisabled}
        ref={(input) => {
          if (input) input.indeterminate = selected > 0 && !isAll;
        }}
        onChange={() => onChange(!isAll)}
      />
    </label>
  );
}

type ColumnHeadProps = Column & { sort: Sort; onSort: (key: SortKey) => void };

/** The header of a column: a button if the list can be sorted by it. */
function ColumnHead({ label, sortKey, className, sort, onSort }: ColumnHeadProps) {
  if (sortKey === undefined) {
    return (
      <th scope="col" className={cn(HEAD_CELL, 'px-3 py-2', className)}>
        {label}
      </th>
    );
  }
  const isSorted = sort.key === sortKey;
  const Arrow = sort.isDescending ? ArrowDown : ArrowUp;
  const direction = sort.isDescending ? 'descending' : 'ascending';
  return (
    <th scope="col" aria-sort={isSorted ? direction : undefined} className={cn(HEAD_CELL, 'p-0', className)}>
      <span className="lg:hidden">{label}</span>
      <button
        type="button"
        onClick={() => onSort(sortKey)}
        className={cn(
          'inline-flex max-lg:hidden h-8 items-center gap-1 rounded px-3 -outline-offset-2 hover:text-ink',
          isSorted && 'text-ink',
        )}
      >
        {label}
        {isSorted ? <Arrow className="size-3" /> : null}
      </button>
    </th>
  );
}
