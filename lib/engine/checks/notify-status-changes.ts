import type { Services } from '@/lib/domain/context/services';
import { followStatus } from '@/lib/domain/incidents/follow-status';
import { countDependents } from '@/lib/domain/monitors/dependencies/count-dependents';
import { type NewNotice, writeNotices } from '@/lib/domain/notices/write-notices';
import { writePageNotices } from '@/lib/domain/notices/write-page-notices';
import { emitEvents, type NewEvent } from '@/lib/domain/webhooks/emit-events';
import {
  type Announcement,
  planAnnouncements,
  storeHeld,
} from '@/lib/engine/announcements/plan-announcements';
import {
  beganNote,
  type FlappingPlan,
  planFlapping,
  recordFlapping,
  shareWhileFlapping,
} from '@/lib/engine/announcements/plan-flapping';
import { planStories, storeStories } from '@/lib/engine/announcements/stories/plan-stories';
import type { Transaction } from '@/lib/platform/db/client';
import type { Incident } from '@/lib/platform/db/generated/client';
import type { StatusEffect } from '@/lib/state/types';
import type { LockedMonitor } from './recording/monitor-states';
import { monitorEvent } from './status-events';

/** A monitor, locked until the transaction ends, and a change of its status. */
export type NotifiedChange = { monitor: LockedMonitor; effect: StatusEffect };

/**
 * Writes what follows from changes of status: incidents, events with their deliveries, notices to members and subscribers. What people
 * are not notified of, or not yet, because of what the monitor depends on, is held. Of a monitor that flaps, they are notified once.
 */
export async function notifyStatusChanges(
  tx: Transaction,
  services: Pick<Services, 'appUrl' | 'mail'>,
  changes: readonly NotifiedChange[],
  now: Date,
): Promise<void> {
  if (changes.length === 0) return;
  const planned = await planAnnouncements(tx, changes, now);
  const flapping = await planFlapping(tx, changes, planned, now);
  // What a monitor depends on does not matter while it flaps: its end is looked at later.
  const announcements = planned.map((one, index) =>
    flapping[index] ? { ...one, action: 'send' as const, lookAt: null } : one,
  );
  const followed = await followStatus(
    tx,
    changes.map(({ monitor, effect }, index) => ({
      organizationId: monitor.organizationId,
      monitorId: monitor.id,
      monitorName: monitor.name,
      status: requireChecked(effect),
      at: new Date(effect.at),
      since: new Date(effect.since),
      causedBy: announcements[index]?.causedBy ?? null,
    })),
  );
  const dependents = await countDependents(tx, listRoots(changes, announcements));
  const announced = changes.map((change, index) => ({
    ...change,
    incidentId: followed[index]?.incident?.id ?? null,
    isSent: announcements[index]?.action === 'send' && !flapping[index],
  }));
  const stories = await planStories(tx, announced, now);
  const events = changes.flatMap(({ monitor, effect }, index) => {
    const { incident = null, events: incidentEvents = [] } = followed[index] ?? {};
    const { causedBy = null, action = 'send' } = announcements[index] ?? {};
    const own = monitorEvent(monitor, effect, incident, causedBy);
    const payloads = own ? [own, ...incidentEvents] : incidentEvents;
    const { organizationId } = monitor;
    const event = {
      organizationId,
      occurredAt: new Date(effect.at),
      isHeld: action !== 'send',
      story: stories.holds[index],
    };
    const affected = effect.to === 'down' ? { dependents: dependents.get(monitor.id) ?? 0 } : {};
    const plan = flapping[index];
    const shares = plan ? shareWhileFlapping(plan, monitor, now) : null;
    return payloads.map(
      (payload): EventOfChange => ({
        ...event,
        ...affected,
        flapping: payload === own ? shares?.own : shares?.others,
        payload,
        index,
      }),
    );
  });
  const emitted = await emitEvents(tx, services, events);
  const emittedEvents = groupByChange(changes.length, events, emitted);
  const eventIds = emittedEvents.map((of) => of.map(({ id }) => id));
  await storeStories(tx, stories, announced, eventIds);
  const pageNotices = followed.map(({ notice }) => notice);
  await writePageNotices(
    tx,
    services,
    pageNotices.filter((notice) => notice !== null),
  );
  const notices = changes.map((change, index) =>
    services.mail.isOn
      ? noticeOf(change, followed[index]?.incident ?? null, flapping[index] ?? null, now)
      : null,
  );
  const results = changes.map((change, index) => ({
    ...change,
    status: change.effect.to,
    announcement: announcements[index] ?? null,
    plan: flapping[index] ?? null,
    incidentId: followed[index]?.incident?.id ?? null,
    events: emittedEvents[index] ?? [],
    notice: notices[index] ?? null,
  }));
  await storeHeld(tx, results, now);
  await recordFlapping(tx, results, now);
  await writeNotices(
    tx,
    notices.flatMap((notice, index) =>
      notice !== null && announcements[index]?.action === 'send' ? [notice] : [],
    ),
  );
}

/** An event, and the place of the change that it follows from. */
type EventOfChange = NewEvent & { index: number };

/** The events that were emitted for each change; `ids` are in the order of `events`, null for those that nobody gets. */
function groupByChange(count: number, events: readonly EventOfChange[], ids: readonly (string | null)[]) {
  const groups = Array.from(
    { length: count },
    () => [] as { id: string; kind: EventOfChange['payload']['event'] }[],
  );
  for (const [place, { index, payload }] of events.entries()) {
    const id = ids[place] ?? null;
    if (id !== null) groups[index]?.push({ id, kind: payload.event });
  }
  return groups;
}

/** The monitors that went down, not because of others, and on which others depend. */
function listRoots(changes: readonly NotifiedChange[], announcements: readonly Announcement[]): string[] {
  const roots = changes.filter(
    ({ monitor, effect }, index) =>
      effect.to === 'down' && monitor.hasDependents && announcements[index]?.action === 'send',
  );
  return [...new Set(roots.map(({ monitor }) => monitor.id))];
}

function requireChecked({ to }: StatusEffect): 'operational' | 'degraded' | 'down' {
  if (to === 'pending') throw new Error('a check cannot set a monitor to pending');
  return to;
}

/**
 * The email notice to members when a monitor goes down or recovers from that, or begins to flap; null for other changes, and while it
 * flaps.
 */
function noticeOf(
  { monitor: { id, name, organizationId }, effect }: NotifiedChange,
  incident: Pick<Incident, 'id'> | null,
  flapping: FlappingPlan | null,
  now: Date,
): NewNotice | null {
  const { event, at, details, downSince, downtimeMs } = effect;
  const notice = {
    organizationId,
    subjectId: id,
    subjectName: name,
    incidentId: incident?.id ?? null,
    occurredAt: new Date(at),
  };
  if (flapping !== null) {
    const began = { kind: 'monitor.flapping' as const, error: details.errorMessage, downtime: null };
    return flapping.phase === 'begins'
      ? { ...notice, ...began, flapping: beganNote({ id, name }, now) }
      : null;
  }
  if (event === 'monitor.down') {
    return { ...notice, kind: 'monitor.down', error: details.errorMessage, downtime: null };
  }
  // Members were not notified of a monitor that was only degraded.
  if (event !== 'monitor.up' || downSince === null) return null;
  return { ...notice, kind: 'monitor.up', error: null, downtime: Math.floor(downtimeMs / 1000) };
}
