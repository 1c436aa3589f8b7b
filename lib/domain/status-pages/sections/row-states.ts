import {
  combineStates,
  decidePageStatus,
  indicatorOf,
  type MonitorState,
  type PageStatus,
  type SeenIncident,
  type SeenMonitor,
} from '@/lib/domain/status-pages/page-status';
import type { PageState } from '@/lib/schemas/status-pages/page-state';
import type { PublicStatusPage } from '@/lib/schemas/status-pages/public-status-page';
import { type ListedSection, listRows } from './list-rows';
import { publicationOf } from './page-scope';
import type { PageRows } from './resolve-sections';

/** The states of the rows of a page by ID, of its monitors and its components, and the state of the page. */
export function decideRows(
  page: Pick<PageRows, 'sections'> & { automaticDelay?: number | null },
  monitors: readonly SeenMonitor[],
  incidents: readonly SeenIncident[],
): { states: ReadonlyMap<string, MonitorState>; status: PageStatus } {
  const rows = listRows(page, monitors);
  const { states, status } = decidePageStatus(rows, incidents, publicationOf(page));
  return { states: new Map(rows.map(({ id }, place) => [id, states[place] ?? 'pending'])), status };
}

/** A section with its state, and those of its rows. */
export type StatedSection = Omit<ListedSection, 'rows'> & {
  state: PageState;
  rows: (ListedSection['rows'][number] & { state: MonitorState })[];
};

/** A section with the states of its rows, and the state that they amount to. */
export function withStates(section: ListedSection, states: ReadonlyMap<string, MonitorState>): StatedSection {
  const rows = section.rows.map((row) => ({ ...row, state: states.get(row.id) ?? ('pending' as const) }));
  return { ...section, state: combineStates(rows.map(({ state }) => state)), rows };
}

/** The sections of a page in its public JSON; `monitors` are those of the page. */
export function serializeSections(
  { sections }: Pick<PageRows, 'sections'>,
  monitors: readonly SeenMonitor[],
  states: ReadonlyMap<string, MonitorState>,
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
