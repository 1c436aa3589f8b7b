import { PAGE_SENTENCES, type PageState } from '@/lib/schemas/status-pages/page-state';
import type {
  PublicIncident,
  PublicMonitor,
  PublicStatusPage,
} from '@/lib/schemas/status-pages/public-status-page';

/** The state of a monitor as visitors see it: its own, or the effect of an open incident if that is worse. */
export type PageMonitorState =
  | PublicMonitor['status']
  | 'partialOutage'
  | 'majorOutage'
  | 'noData'
  | 'paused'
  | 'maintenance';

/** What a page shows of the present. */
export type PageStatus = {
  state: PageState;
  /** How bad the state is, in the words of Statuspage. */
  indicator: PublicStatusPage['indicator'];
  /** The names of the first monitors that the indicator is about, at most three, in the order of the page; none for `none`. */
  affected: string[];
  /** How many more there are. */
  moreAffected: number;
  openIncidents: number;
  /** When the last data arrived; null unless the state is `unknown`. */
  noDataSince: string | null;
};

/** What the state of a row follows from. */
export type PageMonitor = Pick<
  PublicMonitor,
  'id' | 'name' | 'status' | 'enabled' | 'inMaintenance' | 'noDataSince'
>;
/** What an incident means for the rows that it affects. */
export type SeenIncident = Pick<
  PublicIncident,
  'severity' | 'impacts' | 'automatic' | 'affectedMonitors' | 'affectedComponents' | 'resolvedAt'
>;

/** The effect of an open incident on its monitors. It lasts until the incident is resolved: also while it is `monitoring`. */
const EFFECTS = { minor: 'degraded', major: 'partialOutage', critical: 'majorOutage' } as const;

/** More names would not be read in a headline. */
const MAX_NAMED = 3;

/** The states that worsen a page. Of two that are as bad, the one that was measured. */
const WORST_FIRST = ['down', 'majorOutage', 'partialOutage', 'degraded'] as const;

const INDICATORS: Partial<Record<PageMonitorState | PageState, PageStatus['indicator']>> = {
  down: 'critical',
  majorOutage: 'critical',
  partialOutage: 'major',
  degraded: 'minor',
  maintenance: 'maintenance',
};

/** How bad the state of a row, a section or a page is. */
export function indicatorOf(state: PageMonitorState | PageState): PageStatus['indicator'] {
  return INDICATORS[state] ?? 'none';
}

/** Whether a page shows automatic incidents immediately, which is a delay of 0. */
type Publishing = { automaticDelay: number | null };

/**
 * Decides the states of the rows of a page, in their order, and of the page itself, whose rows are all in `measured`. Paused
 * monitors and those in maintenance do not worsen it, unless a person opened an incident about them. It is never operational while the
 * data of a monitor is missing. Unless a page shows automatic incidents immediately, the status of a monitor worsens it only with one that
 * is published: `incidents` are those that the page shows, and `monitors` the measured ones as it shows them.
 */
export function decidePageStatus<Monitor extends PageMonitor>(
  measured: readonly Monitor[],
  incidents: readonly SeenIncident[],
  page: Publishing,
): { monitors: readonly Monitor[]; states: PageMonitorState[]; status: PageStatus } {
  const open = incidents.filter(({ resolvedAt }) => resolvedAt === null);
  const monitors = withoutUnpublished(measured, open, page);
  const effects = listEffects(open);
  const states = monitors.map((monitor) => stateOf(monitor, effects.get(monitor.id)));
  const state = combineStates(states);
  const indicator = indicatorOf(state);
  const affected = monitors.filter((_, place) => INDICATORS[states[place] ?? 'pending'] === indicator);
  return {
    monitors,
    states,
    status: {
      state,
      indicator,
      affected: affected.slice(0, MAX_NAMED).map(({ name }) => name),
      moreAffected: Math.max(0, affected.length - MAX_NAMED),
      openIncidents: open.length,
      noDataSince: state === 'unknown' ? latestSilence(monitors) : null,
    },
  };
}

/** Monitors with an unpublished problem are shown as operational. */
function withoutUnpublished<Monitor extends PageMonitor>(
  monitors: readonly Monitor[],
  incidents: readonly SeenIncident[],
  { automaticDelay }: Publishing,
): readonly Monitor[] {
  if (automaticDelay === 0) return monitors;
  const published = new Set(
    incidents.flatMap(({ automatic, resolvedAt, affectedMonitors }) =>
      automatic && resolvedAt === null ? affectedMonitors : [],
    ),
  );
  return monitors.map((monitor) => {
    const isProblem = monitor.status === 'down' || monitor.status === 'degraded';
    return isProblem && !published.has(monitor.id) ? { ...monitor, status: 'operational' } : monitor;
  });
}

/** What an open incident means for a row. */
type Effect = { effect: (typeof EFFECTS)[keyof typeof EFFECTS]; automatic: boolean };

/** The effects of open incidents by row. */
function listEffects(open: readonly SeenIncident[]): ReadonlyMap<string, readonly Effect[]> {
  const effects = new Map<string, Effect[]>();
  for (const { severity, impacts, automatic, affectedMonitors, affectedComponents } of open) {
    for (const id of [...affectedMonitors, ...affectedComponents]) {
      const own = effects.get(id) ?? [];
      own.push({ effect: EFFECTS[impacts[id] ?? severity], automatic });
      effects.set(id, own);
    }
  }
  return effects;
}

/** The worse of a monitor and its incidents. An automatic one counts only while the status that it follows does. */
function stateOf(monitor: PageMonitor, affecting: readonly Effect[] = []): PageMonitorState {
  const own = ownState(monitor);
  const counted = affecting.filter(({ automatic }) => !automatic || own === monitor.status);
  const effects = counted.map(({ effect }) => effect);
  return WORST_FIRST.find((state) => [own, ...effects].includes(state)) ?? own;
}

/** Paused and maintenance take precedence over the status. */
function ownState({ enabled, status, inMaintenance, noDataSince }: PageMonitor): PageMonitorState {
  if (!enabled) return 'paused';
  if (inMaintenance) return 'maintenance';
  return noDataSince === null ? status : 'noData';
}

/** The state of a page or section with rows in these states. */
export function combineStates(states: readonly PageMonitorState[]): PageState {
  if (states.length === 0) return 'empty';
  const worst = WORST_FIRST.find((state) => states.includes(state));
  if (worst !== undefined) return worst === 'down' ? 'majorOutage' : worst;
  const enabled = states.filter((state) => state !== 'paused');
  if (enabled.length === 0) return 'paused';
  const current = enabled.filter((state) => state !== 'maintenance');
  if (current.length > 0 && current.every((state) => state === 'noData')) return 'unknown';
  if (current.includes('noData')) return 'noData';
  if (current.length < enabled.length) return 'maintenance';
  return current.every((state) => state === 'pending') ? 'pending' : 'operational';
}

function latestSilence(monitors: readonly PageMonitor[]): string | null {
  const silent = monitors.flatMap(({ enabled, inMaintenance, noDataSince }) =>
    enabled && !inMaintenance ? (noDataSince ?? []) : [],
  );
  return silent.toSorted().at(-1) ?? null;
}

type Seen = Pick<PublicMonitor, 'status' | 'enabled' | 'inMaintenance' | 'noDataSince'>;

/**
 * The aggregate status in the API: the worst of the monitors that are neither paused nor in maintenance, regardless of incidents;
 * operational without any. It has no word for missing data: pending instead of operational while data is missing.
 */
export function publicStatus(monitors: readonly Seen[]): PublicMonitor['status'] {
  const counted = monitors.filter(({ enabled, inMaintenance }) => enabled && !inMaintenance);
  const statuses = counted.map(({ status }) => status);
  const worst = (['down', 'degraded'] as const).find((status) => statuses.includes(status));
  if (worst !== undefined) return worst;
  if (counted.some(({ noDataSince }) => noDataSince !== null)) return 'pending';
  return counted.length === 0 || statuses.includes('operational') ? 'operational' : 'pending';
}

/** `Major outage: Shop, Mail (2 open incidents)`. */
export function formatHeadline({ state, affected, moreAffected, openIncidents }: PageStatus): string {
  const names = [...affected, ...(moreAffected > 0 ? [`${moreAffected} more`] : [])].join(', ');
  const count = openIncidents > 1 ? ` (${openIncidents} open incidents)` : '';
  return `${PAGE_SENTENCES[state]}${names === '' ? '' : `: ${names}`}${count}`;
}
