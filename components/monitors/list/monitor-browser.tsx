'use client';

import dynamic from 'next/dynamic';
import { useSearchParams } from 'next/navigation';
import { type ReactNode, use, useDeferredValue, useEffect, useMemo, useRef, useState } from 'react';
import { Button } from '@/components/ui/button';
import { cn } from '@/components/ui/cn';
import { EmptyState } from '@/components/ui/section';
import { memoizeByObject } from '@/lib/core/calls/memoize';
import type { MonitorOverview } from '@/lib/domain/monitors/lists/list-overviews';
import { useHiddenMonitors } from '../hidden-monitors';
import { STANDING_STYLES, STANDINGS, type Standing } from '../standing-badge';
import type { BulkActions } from './bulk-bar';
import {
  isFiltered,
  type ListQuery,
  readListQuery,
  toggleSort,
  WHOLE_LIST,
  writeListQuery,
} from './list-query';
import { ListToolbar } from './list-toolbar';
import { type ListView, viewList } from './list-view';
import { MonitorTable } from './monitor-table';
import { type PackedMonitors, unpackMonitors } from './packed-monitors';
import type { StripSource } from './use-strips';

/** The selected rows, and the one that a range selection starts from. */
type RowSelection = { ids: ReadonlySet<string>; anchor: string | null };

export const NOTHING_SELECTED: RowSelection = { ids: new Set(), anchor: null };

/** Loaded on the first selection: most visits have none. */
const BulkBar = dynamic(() => import('./bulk-bar').then((module) => module.BulkBar), { ssr: false });

type Props = {
  /** The first rows for the query of the URL, until all monitors are loaded. */
  first: ListView;
  all: Promise<PackedMonitors>;
  strips: StripSource;
  now: string;
  /** Null for viewers. */
  bulk: { actions: BulkActions; max: number } | null;
  /** Links to create monitors, next to the heading. */
  create: ReactNode;
  /** Shown if there are no monitors; null if there are some. */
  empty: ReactNode;
};

/** All monitors of an organization, searched, filtered, sorted, and selected in the browser. */
export function MonitorBrowser({ first, all, strips, now, bulk, create, empty }: Props) {
  const { query, choose, type, clear } = useListQuery();
  const view = useListView(first, all, query);
  const { shown } = view;
  const [selection, setSelection] = useState(NOTHING_SELECTED);
  // Rows hidden by a filter are left out of actions, but stay selected.
  const selected = useMemo(() => shown.filter(({ id }) => selection.ids.has(id)), [shown, selection]);
  const selectedIds = useMemo(() => new Set(selected.map(({ id }) => id)), [selected]);

  if (view.total === 0) {
    return (
      <>
        <Heading />
        {empty ?? <EmptyState title="No monitors left" text="Undo the deletion, or create a monitor." />}
      </>
    );
  }
  const order = () => shown.map(({ id }) => id);
  const select = (id: string, isRange: boolean) =>
    setSelection((before) => (isRange ? toggleTo(before, id, order()) : toggle(before, id)));
  const selectAll = (isSelected: boolean) =>
    setSelection(isSelected ? selectOnly(order().slice(0, bulk?.max)) : NOTHING_SELECTED);
  return (
    <>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-3">
        <Heading />
        <div className="max-md:order-last max-md:w-full">
          <StandingFilter counts={view.counts} chosen={query.standings} onChoose={choose} />
        </div>
        <div className="ml-auto flex gap-2">{create}</div>
      </div>
      <p className="sr-only" aria-live="polite">
        {view.summary}
      </p>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <ListToolbar query={query} types={view.types} tags={view.tags} onType={type} onChoose={choose} />
        {isFiltered(query) ? <Matches view={view} onClear={clear} /> : null}
      </div>
      {view.matching === 0 ? (
        <NoMatches onClear={clear} />
      ) : (
        <MonitorTable
          monitors={shown}
          count={view.matching}
          strips={strips}
          now={now}
          sort={query.sort}
          onSort={(key) => choose({ sort: toggleSort(query.sort, key) })}
          selected={bulk === null ? null : selectedIds}
          onSelect={select}
          onSelectAll={selectAll}
        />
      )}
      {bulk !== null && selected.length > 0 ? (
        <BulkBar
          selected={selected}
          shown={shown.length}
          max={bulk.max}
          tags={view.tags}
          actions={bulk.actions}
          onSelectAll={() => selectAll(true)}
          onClear={() => setSelection(NOTHING_SELECTED)}
        />
      ) : null}
    </>
  );
}

/**
 * What the list shows for the query: the first rows until all monitors are loaded. A refreshed list replaces the previous one once it
 * is complete.
 */
function useListView(first: ListView, loading: Promise<PackedMonitors>, query: ListQuery): ListView {
  const hidden = useHiddenMonitors();
  const loaded = useDeferredValue<Promise<PackedMonitors> | null>(loading, null);
  const all = loaded === null ? null : use(unpackOnce(loaded));
  return useMemo(() => {
    if (all !== null) return viewOnce(all)(hidden)(query);
    return { ...first, shown: first.shown.filter(({ id }) => !hidden.has(id)) };
  }, [all, first, hidden, query]);
}

// React renders a refreshed list in the background, and from the start again whenever the reader scrolls, without
// what it computed before. These compute thousands of rows once for all attempts.
const unpackOnce = memoizeByObject(async (loading: Promise<PackedMonitors>) => unpackMonitors(await loading));
const viewOnce = memoizeByObject((all: readonly MonitorOverview[]) =>
  memoizeByObject((hidden: ReadonlySet<string>) =>
    memoizeByObject((query: ListQuery) => {
      const present = all.filter(({ id }) => !hidden.has(id));
      return viewList(present, query);
    }),
  ),
);

function Heading() {
  return <h1 className="flex min-h-8 items-center text-lg font-semibold">Monitors</h1>;
}

type MatchesProps = { view: ListView; onClear: () => void };

/** How many monitors the filters leave. */
function Matches({ view: { matching, total }, onClear }: MatchesProps) {
  return (
    <div className="flex items-center gap-1">
      <p role="status" className="text-muted tabular-nums">
        {matching} of {total}
      </p>
      <Button tone="bare" onClick={onClear}>
        Clear filters
      </Button>
    </div>
  );
}

function NoMatches({ onClear }: Pick<MatchesProps, 'onClear'>) {
  return (
    <EmptyState title="No matching monitors" text="Try a different search, or clear the filters.">
      <Button onClick={onClear}>Clear filters</Button>
    </EmptyState>
  );
}

/** Selects or deselects one row. */
export function toggle({ ids }: RowSelection, id: string): RowSelection {
  return { ids: withEach(ids, [id], !ids.has(id)), anchor: id };
}

/**
 * Selects or deselects everything from the anchor to `id` in the given order, depending on `id`.
 * Without an anchor in the list, only `id`.
 */
export function toggleTo(selection: RowSelection, id: string, order: readonly string[]): RowSelection {
  const { ids, anchor } = selection;
  const from = anchor === null ? -1 : order.indexOf(anchor);
  const to = order.indexOf(id);
  if (from === -1 || to === -1) return toggle(selection, id);
  const range = order.slice(Math.min(from, to), Math.max(from, to) + 1);
  return { ids: withEach(ids, range, !ids.has(id)), anchor: id };
}

/** Selects these and no others. */
export function selectOnly(ids: readonly string[]): RowSelection {
  return { ids: new Set(ids), anchor: null };
}

function withEach(ids: ReadonlySet<string>, changed: readonly string[], isSelected: boolean): Set<string> {
  const next = new Set(ids);
  for (const id of changed) {
    if (isSelected) next.add(id);
    else next.delete(id);
  }
  return next;
}

type StandingFilterProps = {
  counts: ReadonlyMap<Standing, number>;
  chosen: readonly Standing[];
  onChoose: (change: { standings: readonly Standing[] }) => void;
};

/** The number of monitors per standing; each is a filter. Standings without a monitor are left out. */
function StandingFilter({ counts, chosen, onChoose }: StandingFilterProps) {
  const shown = STANDINGS.filter((standing) => counts.get(standing) || chosen.includes(standing));
  const toggle = (standing: Standing) =>
    onChoose({
      standings: chosen.includes(standing)
        ? chosen.filter((each) => each !== standing)
        : [...chosen, standing],
    });
  return (
    <fieldset className="flex min-w-0 flex-wrap gap-1.5">
      <legend className="sr-only">Status</legend>
      {shown.map((standing) => {
        const { label, Icon, color } = STANDING_STYLES[standing];
        return (
          <button
            key={standing}
            type="button"
            aria-pressed={chosen.includes(standing)}
            onClick={() => toggle(standing)}
            className="flex h-8 items-center gap-1.5 rounded-md border border-line bg-surface px-2.5 text-sm whitespace-nowrap hover:bg-sunken aria-pressed:border-accent aria-pressed:bg-sunken"
          >
            <Icon className={cn('size-4 shrink-0', color)} />
            <span className="font-medium tabular-nums">{counts.get(standing) ?? 0}</span>
            <span className="text-muted">{label.toLowerCase()}</span>
          </button>
        );
      })}
    </fieldset>
  );
}

/** Long enough to type a word: browsers throttle a page that changes its URL at every keystroke. */
const TYPING_MS = 250;

/** The list's filters and order, kept in the URL without a request. Choices add a history entry; typing does not. */
function useListQuery() {
  const params = useSearchParams();
  const inAddress = useMemo(() => readListQuery(params), [params]);
  const [q, setQ] = useState(inAddress.q);
  const written = useRef(inAddress.q);
  const typed = useRef(inAddress.q);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);

  // The URL changed by other means than typing, such as the back button or a link.
  useEffect(() => {
    if (inAddress.q === written.current) return;
    clearTimeout(timer.current);
    written.current = inAddress.q;
    typed.current = inAddress.q;
    setQ(inAddress.q);
  }, [inAddress.q]);
  useEffect(() => () => clearTimeout(timer.current), []);

  const query = useMemo(() => ({ ...inAddress, q }), [inAddress, q]);
  // What is rendered is older while a change of the URL is pending.
  const current = () => ({
    ...readListQuery(new URLSearchParams(window.location.search)),
    q: typed.current,
  });
  const navigate = (next: ListQuery, isHistoryEntry: boolean) => {
    clearTimeout(timer.current);
    typed.current = next.q;
    written.current = next.q.trim();
    const address = `${window.location.pathname}${writeListQuery(next)}`;
    if (isHistoryEntry) window.history.pushState(null, '', address);
    else window.history.replaceState(null, '', address);
  };
  return {
    query,
    choose: (change: Partial<Omit<ListQuery, 'q'>>) => navigate({ ...current(), ...change }, true),
    type: (text: string) => {
      setQ(text);
      typed.current = text;
      clearTimeout(timer.current);
      const path = window.location.pathname;
      timer.current = setTimeout(() => {
        if (window.location.pathname === path) navigate(current(), false);
      }, TYPING_MS);
    },
    clear: () => {
      setQ('');
      navigate({ ...WHOLE_LIST, sort: current().sort }, true);
    },
  };
}
