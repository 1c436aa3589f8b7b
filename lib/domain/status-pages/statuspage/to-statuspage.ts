import type { PageRow } from '@/lib/domain/status-pages/page-row';
import {
  formatHeadline,
  type PageMonitorState,
  type PageStatus,
} from '@/lib/domain/status-pages/page-status';
import type { FeedMaintenance } from '@/lib/domain/status-pages/public/read-public-maintenance';
import type { StatedSection } from '@/lib/domain/status-pages/sections/row-states';
import type { PageState } from '@/lib/schemas/status-pages/page-state';
import type { PublicIncident, PublicMonitor } from '@/lib/schemas/status-pages/public-status-page';
import type {
  StatuspageComponent,
  StatuspageIncident,
  StatuspageMaintenance,
  StatuspageSummary,
} from '@/lib/schemas/status-pages/statuspage';

/** What the documents of a page are made of. */
export type StatuspageSource = {
  page: Pick<PageRow, 'id' | 'name' | 'createdAt' | 'updatedAt'>;
  /** The URL of the page, without a trailing slash. */
  address: string;
  status: PageStatus;
  /** Every row, in display order. */
  components: ComponentSource[];
  sections: SectionSource[];
  /** Newest first. */
  incidents: PublicIncident[];
  maintenance: FeedMaintenance[];
};

/** A section with the IDs of its rows, and what they amount to. */
export type SectionSource = Pick<StatedSection, 'name' | 'description' | 'anchor' | 'state'> & {
  rows: Pick<StatedSection['rows'][number], 'id' | 'description'>[];
};

export type ComponentSource = Pick<PublicMonitor, 'id' | 'name' | 'status' | 'noDataSince'> & {
  state: PageMonitorState;
  createdAt: Date;
  /** When its status last changed. */
  changedAt: Date;
};

type Component = StatuspageComponent;
type Leaf = Extract<Component, { group: false }>;

const STATUSES: Partial<Record<PageMonitorState | PageState, Component['status']>> = {
  degraded: 'degraded_performance',
  partialOutage: 'partial_outage',
  majorOutage: 'major_outage',
  down: 'major_outage',
  maintenance: 'under_maintenance',
};

/** A page in the shape of Statuspage, with all of its incidents and maintenance. */
export function toStatuspage(source: StatuspageSource): StatuspageSummary {
  const { page, address, status } = source;
  const { sections } = source;
  const changes = latestChanges(source.incidents);
  const alone = source.components.map((component, place) =>
    toComponent(component, { place, pageId: page.id, incidentAt: changes.get(component.id) }),
  );
  const components = sections.length === 0 ? alone : toGroups(alone, source);
  const pick = pickerOf(components);
  const updates = [...components, ...source.incidents.map(({ updatedAt }) => ({ updated_at: updatedAt }))];
  return {
    page: {
      id: page.id,
      name: page.name,
      url: address,
      time_zone: 'Etc/UTC',
      updated_at: latest([page.updatedAt.toISOString(), ...updates.map(({ updated_at }) => updated_at)]),
    },
    components,
    incidents: source.incidents.map((incident) => toIncident(incident, pick, source)),
    scheduled_maintenances: source.maintenance.map((each) => toMaintenance(each, pick, source)),
    status: { indicator: status.indicator, description: formatHeadline(status) },
  };
}

/** Component groups, each followed by its components, with positions of their own. */
function toGroups(components: readonly Leaf[], { page, sections }: StatuspageSource): Component[] {
  const byId = new Map(components.map((component) => [component.id, component]));
  return sections.flatMap(({ name, description, anchor, state, rows }, place) => {
    const id = `${page.id}-${anchor}`;
    const own = rows.flatMap((row, position) => {
      const leaf = byId.get(row.id);
      if (leaf === undefined) return [];
      const text = leaf.description ?? row.description;
      return { ...leaf, description: text, group_id: id, position: position + 1 };
    });
    const created = page.createdAt.toISOString();
    const group = {
      id,
      name,
      status: STATUSES[state] ?? ('operational' as const),
      created_at: created,
      updated_at: latest([created, ...own.map(({ updated_at }) => updated_at)]),
      position: place + 1,
      description,
      showcase: false,
      start_date: null,
      group_id: null,
      page_id: page.id,
      group: true as const,
      only_show_if_degraded: false as const,
      components: own.map((leaf) => leaf.id),
    };
    return [group, ...own];
  });
}

/** When an incident about each row changed last. */
function latestChanges(incidents: readonly PublicIncident[]): ReadonlyMap<string, string> {
  const changes = new Map<string, string>();
  for (const incident of incidents) {
    for (const id of affectedBy(incident))
      changes.set(id, latest([incident.updatedAt, changes.get(id) ?? '']));
  }
  return changes;
}

type Position = { place: number; pageId: string; incidentAt: string | undefined };

function toComponent(monitor: ComponentSource, { place, pageId, incidentAt = '' }: Position): Leaf {
  const { id, name, state, createdAt, changedAt } = monitor;
  return {
    id,
    name,
    // Statuspage has no word for missing data: as in our own API, the last known status is kept.
    status: STATUSES[state === 'noData' ? monitor.status : state] ?? 'operational',
    created_at: createdAt.toISOString(),
    updated_at: latest([changedAt.toISOString(), incidentAt]),
    position: place + 1,
    description: formatReason(monitor),
    showcase: true,
    start_date: createdAt.toISOString().slice(0, 10),
    group_id: null,
    page_id: pageId,
    group: false,
    only_show_if_degraded: false,
  };
}

/** Why a component that is called operational may not be. */
function formatReason({ state, noDataSince }: ComponentSource): string | null {
  if (state === 'noData') return `No data since ${noDataSince}`;
  if (state === 'paused') return 'Monitoring is paused';
  return state === 'pending' ? 'Not checked yet' : null;
}

function toIncident(
  incident: PublicIncident,
  pick: Picker,
  { page, address }: StatuspageSource,
): StatuspageIncident {
  const { id, title, status, severity, createdAt, updatedAt, updates } = incident;
  return {
    id,
    name: title,
    status,
    created_at: createdAt,
    updated_at: updatedAt,
    monitoring_at: updates.find((update) => update.status === 'monitoring')?.createdAt ?? null,
    resolved_at: incident.resolvedAt,
    impact: severity,
    shortlink: `${address}/incidents/${id}`,
    started_at: incident.startedAt,
    page_id: page.id,
    incident_updates: updates.map((update) => toUpdate({ ...update, body: update.message, incidentId: id })),
    components: pick(affectedBy(incident)),
  };
}

const MAINTENANCE = { scheduled: 'scheduled', active: 'in_progress', finished: 'completed' } as const;

/** Each occurrence of a window is one of its own. */
function toMaintenance(
  occurrence: FeedMaintenance,
  pick: Picker,
  { page, address }: StatuspageSource,
): StatuspageMaintenance {
  const { title, message, startsAt, endsAt, createdAt, updatedAt } = occurrence;
  const id = `${occurrence.id}-${Date.parse(startsAt)}`;
  const status = MAINTENANCE[occurrence.status];
  const update = { id: `${id}-1`, status, body: message || title, incidentId: id, createdAt: updatedAt };
  return {
    id,
    name: title,
    status,
    created_at: createdAt,
    updated_at: updatedAt,
    monitoring_at: null,
    resolved_at: status === 'completed' ? endsAt : null,
    impact: 'maintenance',
    shortlink: `${address}#${id}`,
    started_at: startsAt,
    page_id: page.id,
    incident_updates: [toUpdate(update)],
    components: pick(occurrence.monitors),
    scheduled_for: startsAt,
    scheduled_until: endsAt,
  };
}

type Update<Status> = { id: string; status: Status; body: string; incidentId: string; createdAt: string };

function toUpdate<Status>({ id, status, body, incidentId, createdAt }: Update<Status>) {
  return {
    id,
    status,
    body,
    incident_id: incidentId,
    created_at: createdAt,
    updated_at: createdAt,
    display_at: createdAt,
    affected_components: null,
    deliver_notifications: true,
    custom_tweet: null,
    tweet_id: null,
  };
}

function affectedBy({ affectedMonitors, affectedComponents }: PublicIncident): string[] {
  return [...affectedMonitors, ...affectedComponents];
}

/** The components with some IDs, in the order of the page. */
type Picker = (ids: readonly string[]) => Component[];

/** Each is looked up: a page has thousands, and of incidents a hundred. */
function pickerOf(components: readonly Component[]): Picker {
  const places = new Map(components.map(({ id }, place) => [id, place]));
  return (ids) => {
    const own = new Set(ids.flatMap((id) => places.get(id) ?? []));
    return [...own].sort((a, b) => a - b).flatMap((place) => components[place] ?? []);
  };
}

/** ISO instants sort chronologically. */
function latest(instants: string[]): string {
  return instants.toSorted().at(-1) ?? '';
}
