import type { EventContent } from '@/lib/schemas/webhooks/events';
import type { Rule } from '@/lib/schemas/webhooks/rules';
import type { Ancestor } from '@/lib/state/announcements/decide-announcement';
import type { StatusChange } from '@/lib/state/announcements/decide-flapping';
import { parseStatus } from '@/lib/state/announcements/message-status';
import type { MonitorStatus, StatusEffect } from '@/lib/state/types';
import type { WebhookFormat } from '@/lib/webhook-formats/formats';
import type { EventSubscriber, IncidentStanding } from '../audience';
import type { MonitorChange } from '../change';
import { type KnownMessages, placeOf } from '../choose-messages';
import type { AddressedEvent, CreateId, DeliveryFacts } from '../compose-deliveries';
import type { NotificationFacts } from '../facts';
import type { OpenFlapping } from '../flapping-rows';
import type { OpenHeld } from '../held-rows';
import { addressChanges, type NotificationPlan, planNotifications } from '../plan';
import { listAbout } from '../read-messages';
import type { StoredStory } from '../story-rows';

export const START = Date.parse('2026-03-01T12:00:00.000Z');
const ORGANIZATION = 'org';
const EVENTS = [
  'monitor.down',
  'monitor.up',
  'monitor.degraded',
  'incident.created',
  'incident.updated',
  'incident.resolved',
];

/** IDs that are the same in every run. */
export function createIds(): CreateId {
  let count = 0;
  return (kind) => `${kind}-${++count}`;
}

/** An endpoint of the organization that subscribes to everything and has no rules. */
export function endpointOf(format: WebhookFormat, fields: Partial<EventSubscriber> = {}): EventSubscriber {
  return {
    id: format,
    organizationId: ORGANIZATION,
    events: EVENTS,
    rules: [],
    format,
    enabled: true,
    acknowledgeLinks: false,
    hasCredentials: false,
    ...fields,
  };
}

/** A rule that matches one tag. */
export function ruleOf(tag: string): Rule {
  return { tags: [tag], monitors: [], severities: [], kinds: [], schedule: null };
}

export type Step = { to: 'operational' | 'degraded' | 'down'; from?: MonitorStatus };
export type MonitorFields = Partial<
  Pick<MonitorChange['monitor'], 'url' | 'tags' | 'dependsOn' | 'organizationId'>
>;

const KINDS = { operational: 'monitor.up', degraded: 'monitor.degraded', down: 'monitor.down' } as const;

/** A change of a monitor, with the incident that it opens, continues or ends. */
export function changeOf(
  id: string,
  { to, from = to === 'operational' ? 'down' : 'operational' }: Step,
  { at = START, monitor = {} as MonitorFields, incidentId = `inc_${id}`, ancestors = [] as Ancestor[] } = {},
): MonitorChange {
  const isOpen = from === 'down' || from === 'degraded';
  const severity: 'minor' | 'critical' = to === 'degraded' ? 'minor' : 'critical';
  const status = to === 'operational' ? 'resolved' : 'investigating';
  const shown = {
    id: incidentId,
    title: `${id} is ${to}`,
    description: '',
    severity,
    affectedMonitors: [id],
    affectedComponents: [],
    impacts: {},
  };
  const timestamp = new Date(at).toISOString();
  const open = { ...shown, status: 'investigating' as const };
  const incidentEvent = (): EventContent => {
    if (to === 'operational') {
      const resolved = { ...shown, status: 'resolved' as const, resolvedAt: timestamp, duration: '1m' };
      return { event: 'incident.resolved', timestamp, incident: resolved };
    }
    if (!isOpen) return { event: 'incident.created', timestamp, incident: open, causedBy: null };
    const updated = { ...open, previousStatus: 'investigating' as const, message: '' };
    return { event: 'incident.updated', timestamp, incident: updated };
  };
  const effect: StatusEffect = {
    kind: 'status',
    from,
    to,
    at,
    since: at,
    why: { rule: '', regions: [], voting: 1, quorum: 1, configVersion: 1 },
    event: KINDS[to],
    region: 'us-east',
    details: { consecutiveFailures: 1, responseTime: 1, statusCode: null, errorMessage: 'timed out' },
    downSince: from === 'down' ? at - 60_000 : null,
    downtimeMs: from === 'down' ? 60_000 : 0,
  };
  return {
    monitor: {
      id,
      organizationId: ORGANIZATION,
      name: id,
      url: `http://${id}.test/`,
      type: 'http',
      ref: null,
      tags: [],
      dependsOn: [],
      config: { intervalMs: 60_000 },
      ...monitor,
    },
    effect,
    incident: { id: incidentId, severity, status },
    incidentEvents: [incidentEvent()],
    ancestors,
    dependents: 0,
  };
}

/** Facts of a time at which nothing is known of the past. */
export function factsOf(
  endpoints: readonly EventSubscriber[],
  fields: Partial<NotificationFacts> = {},
): NotificationFacts {
  const subscribers = new Map<string, EventSubscriber[]>();
  for (const each of endpoints) {
    subscribers.set(each.organizationId, [...(subscribers.get(each.organizationId) ?? []), each]);
  }
  return {
    subscribers,
    tags: new Map(),
    standings: new Map(),
    appUrl: null,
    nameRegion: (id) => id,
    now: new Date(START),
    held: new Map(),
    recent: new Map(),
    stories: { open: [], ofIncidents: new Map() },
    ...fields,
  };
}

/** Plans a batch. Of what people have read, only what is looked up is known. */
export function planBatch(
  changes: readonly MonitorChange[],
  facts: NotificationFacts,
  createId: CreateId,
  read: DeliveryFacts['messages'] = new Map(),
): NotificationPlan {
  const addressed = addressChanges(changes, facts, createId);
  const looked = new Set(listPlaces(addressed.events));
  const messages = new Map([...read].filter(([place]) => looked.has(place)));
  return planNotifications(addressed, { ...facts, messages }, createId);
}

/** Where what people have read of events is looked up, by `placeOf`. */
export function listPlaces(events: readonly AddressedEvent[]): string[] {
  return listAbout(events).map(({ endpointId, incidentId }) => placeOf(endpointId, incidentId));
}

/** An ancestor that was just checked. */
export function ancestorOf(id: string, isDown: boolean, at = START): Ancestor {
  return {
    id,
    name: id,
    isWatched: true,
    isDown,
    isDoubtful: false,
    isProbed: true,
    checkedAt: at + 1,
    timeoutMs: 5000,
    changedAt: at,
  };
}

type Known = { status: Step['to']; incidents: number; changes: StatusChange[] };

/** Plans one batch after the other, and remembers of each what the database would. */
export function beginSequence(
  endpoints: readonly EventSubscriber[],
  monitors: Record<string, MonitorFields>,
) {
  const createId = createIds();
  const known = new Map<string, Known>();
  const held = new Map<string, OpenHeld>();
  const open = new Map<string, OpenFlapping>();
  const stories = new Map<string, StoredStory>();
  const ofIncidents = new Map<string, string>();
  const messages = new Map<string, KnownMessages>();
  const standings = new Map<string, IncidentStanding>();
  let now = START;

  const before = (id: string): Known => known.get(id) ?? { status: 'operational', incidents: 0, changes: [] };
  const change = (id: string, to: Step['to']): MonitorChange => {
    const { status, incidents, changes } = before(id);
    const count = status === 'operational' ? incidents + 1 : incidents;
    known.set(id, { status: to, incidents: count, changes: [{ from: now, decidedAt: now }, ...changes] });
    const monitor = monitors[id] ?? {};
    const ancestors = (monitor.dependsOn ?? []).map((each) =>
      ancestorOf(each, before(each).status === 'down', now),
    );
    return changeOf(
      id,
      { from: status, to },
      { at: now, monitor, incidentId: `inc_${id}_${count}`, ancestors },
    );
  };
  const remember = (plan: NotificationPlan) => {
    for (const { monitorId, causedBy } of plan.held) {
      held.set(monitorId, { causedBy: causedBy ?? held.get(monitorId)?.causedBy ?? null });
    }
    for (const { monitorId } of plan.dropped) held.delete(monitorId);
    for (const row of plan.flapping) open.set(row.monitorId, row);
    for (const story of plan.stories) stories.set(story.id, story);
    for (const { incidentId, status, storyId } of plan.storyChanges) {
      if (incidentId !== null && status !== 'operational') ofIncidents.set(incidentId, storyId);
    }
    for (const { endpointId, eventId, messageKey, messageStatus } of plan.deliveries) {
      if (messageKey !== null) {
        const said = { usual: parseStatus(messageStatus), own: null, recent: null };
        messages.set(placeOf(endpointId, messageKey), said);
      }
      const incident = plan.events.find(({ id }) => id === eventId)?.payload.incident;
      if (!incident) continue;
      const notified = [...(standings.get(incident.id)?.notified ?? []), endpointId];
      standings.set(incident.id, { severity: null, notified });
    }
  };
  return {
    /** What follows from changes after some seconds, one line each. */
    after(seconds: number, changed: Record<string, Step['to']>): string[] {
      now += seconds * 1000;
      const changes = Object.entries(changed).map(([id, to]) => change(id, to));
      const recent = new Map(
        changes.map(({ monitor: { id } }) => {
          return [id, { changes: before(id).changes, countedSince: null, open: open.get(id) ?? null }];
        }),
      );
      const past = { held, recent, standings, now: new Date(now) };
      const tags = new Map(Object.entries(monitors).map(([id, fields]) => [id, fields.tags ?? []]));
      const facts = factsOf(endpoints, {
        ...past,
        tags,
        stories: { open: [...stories.values()], ofIncidents },
      });
      const plan = planBatch(changes, facts, createId, messages);
      remember(plan);
      return describePlan(plan);
    },
  };
}

/** A plan as lines such as “slack: shop monitor.down”. */
export function describePlan(plan: NotificationPlan): string[] {
  const events = new Map(plan.events.map((event) => [event.id, event.payload]));
  const subject = (payload: EventContent | undefined) =>
    payload === undefined
      ? ''
      : 'monitor' in payload
        ? payload.monitor.id
        : payload.incident.affectedMonitors.join();
  const deliveries = plan.deliveries.map(({ endpointId, eventId, messageKey }) => {
    const payload = events.get(eventId);
    const isNote = messageKey?.startsWith('flapping') ?? false;
    return `${endpointId}: ${subject(payload)} ${isNote ? 'is flapping' : payload?.event}`;
  });
  return [
    ...deliveries,
    ...plan.notices.map(({ subjectId, kind }) => `mail: ${subjectId} ${kind}`),
    ...plan.held.map(({ monitorId, causedBy }) => `held: ${monitorId}, ${causedBy?.id ?? 'not decided'}`),
    ...plan.dropped.map(({ monitorId }) => `dropped: ${monitorId}`),
    ...plan.stories.flatMap(({ id, restDueAt }) => (restDueAt === null ? [] : [`later: rest of ${id}`])),
  ];
}
