import { groupBy } from '@/lib/core/groups';
import type { Cause, EventContent } from '@/lib/schemas/webhooks/events';
import { decideAnnouncement } from '@/lib/state/announcements/decide-announcement';
import { isSentAtOnce } from '@/lib/webhook-formats/formats';
import {
  type EventSubscriber,
  type LateEvent,
  noteFor,
  openRoutes,
  type Routed,
  subscribersOf,
} from './audience';
import { eventsOf, type MonitorChange } from './change';
import {
  type AddressedEvent,
  type CreateId,
  composeDeliveries,
  type DeliveryFacts,
  type NewDelivery,
} from './compose-deliveries';
import type { EventFacts, NotificationFacts } from './facts';
import { audienceWhileFlapping, beganNote, type Flapping, flappingRow, planFlapping } from './flapping';
import type { FlappingRow } from './flapping-rows';
import type { NewHeld, OpenHeld } from './held-rows';
import type { NewNotice } from './notices';
import { holdForStories, planStories, storyRows } from './stories';
import type { NewStoryChange, StoredStory } from './story-rows';

/** Who hears what: all that is to be written, and nothing else. */
export type NotificationPlan = {
  /** To store, also those that somebody may be sent later. */
  events: AddressedEvent[];
  deliveries: NewDelivery[];
  /** To members, by email. */
  notices: NewNotice[];
  /** Changes that people are not notified of, or not yet, because of what the monitor depends on. */
  held: NewHeld[];
  /** Monitors whose recovery nobody hears of, since nobody heard of the outage: what is held of them ends. */
  dropped: { monitorId: string; at: Date }[];
  /** Monitors that flap, with their last change. */
  flapping: FlappingRow[];
  stories: (StoredStory & { restDueAt: Date | null })[];
  storyChanges: NewStoryChange[];
};

/** A plan before it is known what people have read: its events have endpoints, but no deliveries yet. */
type AddressedPlan = Omit<NotificationPlan, 'deliveries'>;

export const NOTHING: NotificationPlan = {
  events: [],
  deliveries: [],
  notices: [],
  held: [],
  dropped: [],
  flapping: [],
  stories: [],
  storyChanges: [],
};

/** What becomes of a change: people are notified now, perhaps later, or not, like of the outage that it ends. */
type Announcement = {
  action: 'send' | 'hold' | 'drop';
  /** What the monitor depends on and is down. */
  causedBy: Cause | null;
  /** When a worker looks at it, if it is held; null while it is suppressed. */
  lookAt: Date | null;
};

type Decided = { change: MonitorChange; announcement: Announcement; flapping: Flapping | null };

const SEND: Announcement = { action: 'send', causedBy: null, lookAt: null };

/** Leaves out of what is `addressed` what people have read already, and composes the rest. Pure, as is all that addresses. */
export function planNotifications(
  addressed: AddressedPlan,
  facts: DeliveryFacts,
  createId: CreateId,
): NotificationPlan {
  return { ...addressed, deliveries: composeDeliveries(addressed.events, facts, createId) };
}

/**
 * Decides who is sent changes of status. What people are not notified of, or not yet, because of what the monitor depends on, is
 * held. Of a monitor that flaps, they are notified once; of changes of one cause, of the first, and of the rest together. The order of
 * the monitors does not matter; the changes of one monitor are in the order in which they occurred.
 */
export function addressChanges(
  changes: readonly MonitorChange[],
  facts: NotificationFacts,
  createId: CreateId,
): AddressedPlan {
  const { now } = facts;
  const byMonitor = groupBy(changes, ({ monitor }) => monitor.id);
  const ids = [...byMonitor.keys()].toSorted(compare);
  const decided = ids.flatMap((id) => decideMonitor(byMonitor.get(id) ?? [], facts));
  const joinable = decided.map((each) => {
    const isNow = each.announcement.action === 'send' && each.flapping === null;
    return { ...each, isNow };
  });
  const joined = planStories(joinable, facts, () => createId('story'));
  const address = openAddresses(facts, createId);
  const addressed = joined.changes.map((each) => ({
    ...each,
    events: newEvents(each, now).flatMap(address),
  }));
  const { changes: heard, stories } = holdForStories(addressed, joined.stories);
  const events = heard.flatMap((each) => each.events);
  const results = heard.map((each) => {
    const { change, flapping } = each;
    const notice = noticeOf(change, flapping, now);
    return { ...each, notice, eventIds: each.events.map(({ id }) => id) };
  });
  return {
    events,
    notices: results.flatMap(({ notice, announcement }) =>
      notice !== null && announcement.action === 'send' ? [notice] : [],
    ),
    held: results.flatMap((each) => (each.announcement.action === 'hold' ? [heldRow(each, now)] : [])),
    dropped: results.flatMap(({ change, announcement }) =>
      announcement.action === 'drop' ? [{ monitorId: change.monitor.id, at: now }] : [],
    ),
    flapping: [...groupBy(heard, ({ change }) => change.monitor.id).values()].flatMap((own) => {
      const row = flappingRow(
        own.flatMap(({ change, flapping, events }) =>
          flapping === null
            ? []
            : [{ change, flapping, events: events.map(({ id, payload }) => ({ id, kind: payload.event })) }],
        ),
        now,
      );
      return row === null ? [] : [row];
    }),
    ...storyRows(stories, results),
  };
}

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);

/** Decides about the changes of one monitor, in their order. */
function decideMonitor(own: readonly MonitorChange[], facts: NotificationFacts): Decided[] {
  const id = own[0]?.monitor.id ?? '';
  let held = facts.held.get(id);
  const announced = own.map((change) => {
    const announcement = announce(change, held, facts.now);
    if (announcement.action === 'drop') held = undefined;
    if (announcement.action === 'hold') held = { causedBy: announcement.causedBy ?? held?.causedBy ?? null };
    return { change, announcement, isSent: announcement.action === 'send' };
  });
  return planFlapping(announced, facts.recent.get(id)).map(({ change, announcement, flapping }) =>
    // What a monitor depends on does not matter while it flaps: its end is looked at later.
    flapping === null
      ? { change, announcement, flapping }
      : { change, announcement: { ...announcement, action: 'send', lookAt: null }, flapping },
  );
}

/** Decides whether people are notified of a change, given what is `held` of its monitor so far. */
function announce(
  { monitor, effect, ancestors }: MonitorChange,
  held: OpenHeld | undefined,
  now: Date,
): Announcement {
  if (monitor.dependsOn.length === 0) return SEND;
  const before = held?.causedBy ?? null;
  if (effect.to === 'operational') {
    if (held === undefined) return SEND;
    // Announced together with the outage, or not at all.
    return before === null ? { action: 'hold', causedBy: null, lookAt: now } : { ...SEND, action: 'drop' };
  }
  const heldAt = now.getTime();
  const { intervalMs } = monitor.config;
  const decision = decideAnnouncement(
    { heldAt, causedBy: before?.id ?? null, intervalMs },
    ancestors,
    heldAt,
  );
  if (decision.kind === 'suppress') return { action: 'hold', causedBy: decision.causedBy, lookAt: null };
  // What happened before is announced first.
  if (decision.kind === 'announce' && held === undefined) return SEND;
  return { action: 'hold', causedBy: null, lookAt: now };
}

/** An event to send to the webhook endpoints of an organization. */
export type NewEvent = Routed & {
  occurredAt: Date;
  dependents?: number;
  /** For how long the automatic incident was open that the recovery of its monitor resolved. */
  recoveredAfter?: string;
  /** Only those are sent it who get events at once; the others as a `LateEvent`. */
  isHeld?: boolean;
};

function newEvents({ change, announcement, flapping }: Decided, now: Date): NewEvent[] {
  const { monitor, effect } = change;
  const { action, causedBy } = announcement;
  const [own, ...others] = eventsOf(change, causedBy);
  const [recoveredAfter] = others.flatMap(listRecovered);
  const event = (payload: EventContent): NewEvent => ({
    organizationId: monitor.organizationId,
    occurredAt: new Date(effect.at),
    payload,
    isHeld: action !== 'send',
    dependents: effect.to === 'down' && action === 'send' ? change.dependents : 0,
    recoveredAfter,
    flapping: flapping
      ? audienceWhileFlapping(flapping, change, { isOwn: payload === own && effect.event !== null, now })
      : undefined,
  });
  return own === undefined ? [] : [own, ...others].map(event);
}

/** For how long the incident of a monitor was open, in the event that it is resolved. Changes of the status alone cause one here. */
function listRecovered(payload: EventContent): string[] {
  return payload.event === 'incident.resolved' ? [payload.incident.duration] : [];
}

/** Finds the endpoints of events, in the order in which they occurred; no event if nobody is sent it, now or later. */
function openAddresses(
  facts: EventFacts,
  createId: CreateId,
): (event: NewEvent) => (AddressedEvent & { endpoints: EventSubscriber[] })[] {
  const route = openRoutes(facts);
  return ({ isHeld = false, ...event }) => {
    const subscribed = subscribersOf(event, facts);
    const due = subscribed.filter(({ format }) => !isHeld || isSentAtOnce(format));
    const endpoints = route(event, due, event.occurredAt);
    // What is held can be sent to any subscriber later.
    const isKept = (isHeld || event.flapping ? subscribed : endpoints).length > 0;
    return isKept ? [{ ...event, id: createId('event'), endpoints }] : [];
  };
}

/** Decides who is sent events that are not about a change of status, in the order in which they occurred. */
export function addressEvents(
  events: readonly NewEvent[],
  facts: EventFacts,
  createId: CreateId,
): AddressedPlan {
  return { ...NOTHING, events: events.flatMap(openAddresses(facts, createId)) };
}

/** A stored event that is to be sent now, with those who were sent it, and those who were sent the beginning of its note. */
export type StoredLateEvent = LateEvent & {
  organizationId: string;
  payload: EventContent;
  delivered: readonly string[];
  noted: readonly string[];
};

/**
 * Decides who is sent events after all: the endpoints that subscribe to them now, whose rules match now, and that have none; people get a
 * note about flapping even if they got the event. `alerted`: who was sent something about incidents, by incident.
 */
export function addressLateEvents(
  late: readonly StoredLateEvent[],
  facts: EventFacts & { now: Date; alerted: ReadonlyMap<string, readonly string[]> },
): AddressedEvent[] {
  const { now, alerted } = facts;
  const route = openRoutes(facts);
  return late.map(({ delivered, noted, alertedIncidentId, ...event }) => {
    const isNew = ({ id, format }: EventSubscriber) =>
      !delivered.includes(id) || noteFor(format, event.flapping) !== undefined;
    const owed = subscribersOf(event, facts).filter(
      (endpoint) => !isSentAtOnce(endpoint.format) && isNew(endpoint),
    );
    const knowing = alerted.get(alertedIncidentId ?? '');
    const endpoints = route(event, owed, now, { noted, knowing });
    // What is held until later was caused by changes of monitors.
    const [recoveredAfter] = listRecovered(event.payload);
    return { ...event, occurredAt: now, recoveredAfter, endpoints };
  });
}

type Result = Decided & { eventIds: string[]; notice: NewNotice | null };

function heldRow({ change, announcement, eventIds, notice }: Result, now: Date): NewHeld {
  const { monitor, effect, incident } = change;
  const { causedBy, lookAt } = announcement;
  return {
    organizationId: monitor.organizationId,
    monitorId: monitor.id,
    incidentId: incident?.id ?? null,
    status: effect.to,
    eventIds,
    notice,
    heldAt: now,
    lookAt,
    causedBy,
  };
}

/**
 * The email notice to members when a monitor goes down or recovers from that, or begins to flap; null for other changes, and while it
 * flaps.
 */
function noticeOf(
  { monitor, effect, incident }: MonitorChange,
  flapping: Flapping | null,
  now: Date,
): NewNotice | null {
  const { event, at, details, downSince, downtimeMs } = effect;
  const notice = {
    organizationId: monitor.organizationId,
    subjectId: monitor.id,
    subjectName: monitor.name,
    incidentId: incident?.id ?? null,
    occurredAt: new Date(at),
  };
  const error = details.errorMessage;
  if (flapping?.phase === 'continues') return null;
  if (flapping !== null) {
    const note = beganNote(monitor, now);
    return { ...notice, kind: 'monitor.flapping', error, downtime: null, flapping: note };
  }
  if (event === 'monitor.down') return { ...notice, kind: 'monitor.down', error, downtime: null };
  // Members were not notified of a monitor that was only degraded.
  if (event !== 'monitor.up' || downSince === null) return null;
  return { ...notice, kind: 'monitor.up', error: null, downtime: Math.floor(downtimeMs / 1000) };
}
