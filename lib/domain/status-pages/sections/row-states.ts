import {
  combineStates,
  decidePageStatus,
  indicatorOf,
  type PageMonitor,
  type PageMonitorState,
  type PageStatus,
  type SeenIncident,
} from '@/lib/domain/status-pages/page-status';
import type { PageState } from '@/lib/schemas/status-pages/page-state';
import type { PublicStatusPage } from '@/lib/schemas/status-pages/public-status-page';
import { type ComponentRow, type ListedSection, listRows } from './list-rows';
import type { PageRows } from './resolve-sections';

/** The rows of a page as it shows them, its monitors and its components, their states by ID, and the state of the page. */
export function decideRows<Monitor extends PageMonitor>(
  page: Pick<PageRows, 'sections'> & { automaticDelay: number | null },
  monitors: readonly Monitor[],
  incidents: readonly SeenIncident[],
): {
  rows: readonly (Monitor | ComponentRow)[];
  states: ReadonlyMap<string, PageMonitorState>;
  status: PageStatus;
} {
  const { monitors: rows, states, status } = decidePageStatus(listRows(page, monitors), incidents, page);
  return { rows, states: new Map(rows.map(({ id }, place) => [id, states[place] ?? 'pending'])), status };
}

/** A section with its state, and those of its rows. */
export type StatedSection = Omit<ListedSection, 'rows'> & {
  state: PageState;
  rows: (ListedSection['rows'][number] & { state: PageMonitorState })[];
};

/** A section with the states of its rows, and the state that they amount to. */
export function withStates(
  section: ListedSection,
  states: ReadonlyMap<string, PageMonitorState>,
): StatedSection {
  const rows = section.rows.map((row) => ({ ...row, state: states.get(row.id) ?? ('pending' as const) }));
  return { ...section, state: combineStates(rows.map(({ state }) => state)), rows };
}

/** The sections of a page in its public JSON; `monitors` are those of the page. */
export function serializeSections(
  { sections }: Pick<PageRows, 'sections'>,
  monitors: readonly PageMonitor[],
  states: ReadonlyMap<string, PageMonitorState>,
): PublicStatusPage['sections'] {
  const names = new Map(monitors.map(({ id, name }) => [id, name]));
  return sections.map((section) => {
    const items = section.items.map((item) => {
      const state = states.get(item.monitorId ?? item.componentId) ?? 'pending';
      const name = item.name ?? names.get(item.monitorId ?? '') ?? '';
      return { state, shown: { ...item, name, indicator: indicatorOf(state) } };
    });
    return {
      ...section,
      indicator: indicatorOf(combineStates(items.map(({ state }) => state))),
      items: items.map(({ shown }) => shown),
    };
  });
}
