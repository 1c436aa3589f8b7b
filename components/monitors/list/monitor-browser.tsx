'use client';

import dynamic from 'next/dynamic';
import { type ReactNode, useMemo, useState } from 'react';
import { Button } from '@/components/ui/button';
import type { MonitorOverview } from '@/lib/domain/monitors/list-overviews';
import { useHiddenMonitors } from '../hidden-monitors';
import { summarize } from '../standing';
import type { BulkActions } from './bulk-actions';
import { isFiltered, turnSort } from './list-query';
import { ListToolbar } from './list-toolbar';
import { MonitorTable } from './monitor-table';
import { NothingFits } from './nothing-fits';
import { countStandings, listChoices, selectMonitors } from './select-monitors';
import { NOTHING_SELECTED, selectOnly, toggle, toggleTo } from './selection';
import { StandingFilter } from './standing-filter';
import { useListQuery } from './use-list-query';

/** Loaded with the first selection: most visits have none. */
const BulkBar = dynamic(() => import('./bulk-bar').then((module) => module.BulkBar), { ssr: false });

type Props = {
  monitors: readonly MonitorOverview[];
  now: string;
  /** Null for who only reads. */
  bulk: { actions: BulkActions; most: number } | null;
  /** Beside the heading: the way to a new monitor. */
  create: ReactNode;
  /** Shown where there is no monitor at all. */
  empty: ReactNode;
};

/** All monitors of an organization: searched, narrowed, sorted and selected without asking the server. */
export function MonitorBrowser({ monitors, now, bulk, create, empty }: Props) {
  const hidden = useHiddenMonitors();
  const present = useMemo(() => monitors.filter(({ id }) => !hidden.has(id)), [monitors, hidden]);
  const { query, choose, type, clear } = useListQuery();
  const shown = useMemo(() => selectMonitors(present, query), [present, query]);
  const counts = useMemo(() => countStandings(present, query), [present, query]);
  const types = useMemo(() => listChoices(present.map((monitor) => monitor.type)), [present]);
  const tags = useMemo(() => listChoices(present.flatMap((monitor) => monitor.tags)), [present]);
  const [selection, setSelection] = useState(NOTHING_SELECTED);
  // What a filter hides is not acted on; it is still ticked when the filter goes.
  const selected = useMemo(() => shown.filter(({ id }) => selection.ids.has(id)), [shown, selection]);
  const selectedIds = useMemo(() => new Set(selected.map(({ id }) => id)), [selected]);

  if (present.length === 0) {
    return (
      <>
        <Heading />
        {empty}
      </>
    );
  }
  const order = () => shown.map(({ id }) => id);
  const select = (id: string, isRange: boolean) =>
    setSelection((before) => (isRange ? toggleTo(before, id, order()) : toggle(before, id)));
  const selectAll = (isSelected: boolean) =>
    setSelection(isSelected ? selectOnly(order().slice(0, bulk?.most)) : NOTHING_SELECTED);
  return (
    <>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-3">
        <Heading />
        <div className="max-md:order-last max-md:w-full">
          <StandingFilter
            counts={counts}
            chosen={query.standings}
            onChoose={(standings) => choose({ standings })}
          />
        </div>
        <div className="ml-auto">{create}</div>
      </div>
      <p className="sr-only" aria-live="polite">
        {summarize(present)}
      </p>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <ListToolbar query={query} types={types} tags={tags} onType={type} onChoose={choose} />
        {isFiltered(query) ? (
          <div className="flex items-center gap-1">
            <p role="status" className="text-muted tabular-nums">
              {shown.length} of {present.length}
            </p>
            <Button tone="bare" onClick={clear}>
              Clear filters
            </Button>
          </div>
        ) : null}
      </div>
      {shown.length === 0 ? (
        <NothingFits onClear={clear} />
      ) : (
        <MonitorTable
          monitors={shown}
          now={now}
          sort={query.sort}
          onSort={(key) => choose({ sort: turnSort(query.sort, key) })}
          selected={bulk === null ? null : selectedIds}
          onSelect={select}
          onSelectAll={selectAll}
        />
      )}
      {bulk !== null && selected.length > 0 ? (
        <BulkBar
          selected={selected}
          shown={shown.length}
          most={bulk.most}
          tags={tags}
          actions={bulk.actions}
          onSelectAll={() => selectAll(true)}
          onClear={() => setSelection(NOTHING_SELECTED)}
        />
      ) : null}
    </>
  );
}

function Heading() {
  return <h1 className="flex min-h-8 items-center text-lg font-semibold">Monitors</h1>;
}
