import type { MonitorOverview } from '@/lib/domain/monitors/lists/list-overviews';
import { countStandings, type Standing, standingOf, summarize } from '../standing-badge';
import { compareTexts, sortMonitors } from './list-order';
import type { ListQuery } from './list-query';

/** What the list shows. */
export type ListView = {
  /** The matching monitors in their order; only the first of them until all are loaded. */
  shown: readonly MonitorOverview[];
  /** The number of matching monitors. */
  matching: number;
  /** The number of monitors. */
  total: number;
  /** Matching monitors per standing, regardless of the standings chosen. */
  counts: ReadonlyMap<Standing, number>;
  /** What the monitors can be filtered by. */
  types: readonly string[];
  tags: readonly string[];
  summary: string;
};

/** The list as the query asks for it: filtered, in order, with the counts that its filters show. `countShown`: how many of the matching monitors it shows. */
export function viewList(
  monitors: readonly MonitorOverview[],
  query: ListQuery,
  countShown = (matching: number) => matching,
): ListView {
  const { standings, sort } = query;
  const matching = monitors.filter(matchingTo(query));
  const isChosen = (monitor: MonitorOverview) => standings.includes(standingOf(monitor));
  const chosen = standings.length === 0 ? matching : matching.filter(isChosen);
  return {
    shown: sortMonitors(chosen, sort, countShown(chosen.length)),
    matching: chosen.length,
    total: monitors.length,
    counts: countStandings(matching),
    types: listChoices(monitors.map(({ type }) => type)),
    tags: listChoices(monitors.flatMap(({ tags }) => tags)),
    summary: summarize(monitors),
  };
}

/** Each value once, ordered by name. */
function listChoices(values: readonly string[]): string[] {
  return [...new Set(values)].sort(compareTexts);
}

/** Matches the type, the tag, and every word of the search in the name, the target, or a tag. */
function matchingTo({ q, type, tag }: ListQuery): (monitor: MonitorOverview) => boolean {
  const words = q.toLowerCase().split(/\s+/).filter(Boolean);
  return (monitor) => {
    if (type !== null && monitor.type !== type) return false;
    if (tag !== null && !monitor.tags.includes(tag)) return false;
    if (words.length === 0) return true;
    const text = [monitor.name, monitor.url, ...monitor.tags].join('\n').toLowerCase();
    return words.every((word) => text.includes(word));
  };
}
