import {
  decideFlapping,
  decideSteady,
  FLAPPING,
  type StatusChange,
} from '@/lib/state/announcements/decide-flapping';
import { type FlappingNote, formatFlappingKey } from '@/lib/state/announcements/flapping-note';
import type { MonitorStatus, StatusEffect } from '@/lib/state/types';
import type { LateEvent, WhileFlapping } from './audience';
import type { MonitorChange } from './change';
import type { FlappingRow, OpenFlapping, OpenRow, RecentChanges } from './flapping-rows';
import type { NewNotice } from './notices';

/** What becomes of a change of a monitor that flaps: people are notified that it does, if it `begins`, or of nothing. */
export type Flapping = { phase: 'begins'; first: StatusChange } | { phase: 'continues'; open: OpenFlapping };

/** What is known of a monitor that begins to flap in the same batch. */
const JUST_BEGUN: OpenFlapping = { incidentId: null, lastIncidentId: null, eventIds: [] };

/** Whether a change counts. The first status after a monitor was pending is no change. */
export function isCounted({ event, from }: Pick<StatusEffect, 'event' | 'from'>): boolean {
  return event !== null && from !== 'pending';
}

/**
 * Decides which changes of one monitor are flapping, in their order; null: the change is announced as planned. A monitor whose announcement
 * is held or dropped because of others does not begin to flap, but whatever it depends on, it continues to.
 */
export function planFlapping<Each extends { change: MonitorChange; isSent: boolean }>(
  own: readonly Each[],
  recent: RecentChanges | undefined,
): (Each & { flapping: Flapping | null })[] {
  let open = recent?.open ?? null;
  /** Changes of this batch that come later than the one that is decided about. */
  let later = own.filter(({ change }) => isCounted(change.effect)).length;
  return own.map((each) => {
    if (recent === undefined || !isCounted(each.change.effect)) return { ...each, flapping: null };
    later -= 1;
    if (open !== null) return { ...each, flapping: { phase: 'continues', open } };
    if (!each.isSent) return { ...each, flapping: null };
    const { changes, countedSince } = recent;
    const decision = decideFlapping(changes.slice(later), { isFlapping: false, countedSince });
    if (decision.kind !== 'begins') return { ...each, flapping: null };
    open = JUST_BEGUN;
    return { ...each, flapping: { phase: 'begins', first: decision.first } };
  });
}

/** Who is sent an event of a change of a monitor that flaps. Its own event is the one that a note replaces. */
export function audienceWhileFlapping(
  { phase }: Flapping,
  { monitor }: Pick<MonitorChange, 'monitor'>,
  { isOwn, now }: { isOwn: boolean; now: Date },
): WhileFlapping {
  if (phase === 'continues') return { note: null, alerts: 'none' };
  return { note: isOwn ? beganNote(monitor, now) : null, alerts: 'openings' };
}

/** That a monitor flaps since a change. */
export function beganNote({ id, name }: { id: string; name: string }, since: Date): FlappingNote {
  return { monitor: { id, name }, at: since.toISOString(), key: formatFlappingKey(id, since), kind: 'began' };
}

/** A change of a monitor that flaps, with its events: that of the monitor first. */
type Followed = { change: MonitorChange; flapping: Flapping; events: readonly EventRef[] };
type EventRef = { id: string; kind: string };

/** What is stored of a monitor that flaps, after its changes in their order; the last one counts. */
export function flappingRow(followed: readonly Followed[], now: Date): FlappingRow | null {
  return followed.reduce<FlappingRow | null>((earlier, { change, flapping, events }) => {
    const { monitor, effect, incident } = change;
    const open = earlier ?? (flapping.phase === 'continues' ? flapping.open : null);
    const kept = eventsToKeep(events, incident?.id ?? null, open);
    return {
      organizationId: monitor.organizationId,
      monitorId: monitor.id,
      monitorName: monitor.name,
      status: effect.to,
      firstChangeAt:
        earlier?.firstChangeAt ?? (flapping.phase === 'begins' ? new Date(flapping.first.from) : now),
      changedAt: now,
      lookAt: new Date(now.getTime() + FLAPPING.steadyMs),
      ...kept,
      endEventId: earlier?.endEventId ?? kept.endEventId,
      error: (effect.to === 'operational' ? null : effect.details.errorMessage) ?? earlier?.error ?? null,
    };
  }, null);
}

/**
 * What is sent once a monitor is steady: the events of its last change, with those of the current incident, and the end of the incident
 * whose alerts are open since it began to flap. Ends of other incidents end nothing.
 */
function eventsToKeep(
  events: readonly EventRef[],
  incidentId: string | null,
  open: OpenFlapping | null,
): OpenFlapping & { endEventId: string | null } {
  const alerted = open === null ? incidentId : open.incidentId;
  const isAlerted = alerted !== null && incidentId === alerted;
  const own = events.filter(({ kind }) => kind.startsWith('monitor.')).map(({ id }) => id);
  const others = events.filter(({ kind }) => kind.startsWith('incident.'));
  const end = others.find(({ kind }) => kind === 'incident.resolved');
  const current = others.filter((event) => event !== end || isAlerted).map(({ id }) => id);
  const isContinued = others.length === 0 && open !== null && open.lastIncidentId === incidentId;
  return {
    incidentId: alerted,
    lastIncidentId: incidentId,
    eventIds: [...own, ...(isContinued ? open.eventIds.slice(own.length) : current)],
    endEventId: isAlerted ? (end?.id ?? null) : null,
  };
}

/** The last of the changes of a monitor that were held until now, with its events: that of the monitor first. */
type HeldChange = {
  organizationId: string;
  monitor: { id: string; name: string };
  incidentId: string | null;
  status: MonitorStatus;
  heldAt: Date;
  events: readonly EventRef[];
  /** Of the last outage. */
  error: string | null;
};

/** A monitor that begins to flap with changes that were held. */
export type HeldFlapping = {
  row: FlappingRow;
  /** What people are notified of instead, in place of the last event. */
  note: FlappingNote;
  lastEventId: string | null;
  notice: NewNotice;
};

/**
 * The first change that counts, if a monitor begins to flap with what was held of it; null: it does not. What was held until now was not
 * suppressed: it counts.
 */
export function findFirstChange({ changes, countedSince }: RecentChanges): StatusChange | null {
  const decision = decideFlapping(changes, { isFlapping: false, countedSince });
  return decision.kind === 'begins' ? decision.first : null;
}

/** What becomes of a monitor that begins to flap with what was held of it. */
export function beginHeldFlapping(first: StatusChange, last: HeldChange, now: Date): HeldFlapping {
  const { organizationId, monitor, incidentId, status, heldAt, events, error } = last;
  const note = beganNote(monitor, heldAt);
  const row = {
    organizationId,
    monitorId: monitor.id,
    monitorName: monitor.name,
    error,
    changedAt: heldAt,
    status,
    firstChangeAt: new Date(first.from),
    lookAt: new Date(heldAt.getTime() + FLAPPING.steadyMs),
    ...eventsToKeep(events, incidentId, null),
  };
  const notice = {
    organizationId,
    incidentId,
    kind: 'monitor.flapping' as const,
    subjectId: monitor.id,
    subjectName: monitor.name,
    error,
    downtime: null,
    occurredAt: now,
    flapping: note,
  };
  return { row, note, lastEventId: events[0]?.id ?? null, notice };
}

/** Whether a monitor has stopped flapping, or when to look again. */
export function decideEnd(
  row: OpenRow,
  { isSuppressed }: { isSuppressed: boolean },
  now: Date,
): ReturnType<typeof decideSteady> {
  const { interruptedAt, isUnknown, lastChangeAt, end } = row;
  const isInterrupted = interruptedAt !== null || end !== 'steady';
  const flapping = { lastChangeAt: lastChangeAt.getTime(), isInterrupted, isUnknown, isSuppressed };
  return decideSteady(flapping, now.getTime());
}

/** What people are notified of once a monitor does not flap any more: events that nobody was sent, and a notice to members. */
export function planEnd(row: OpenRow, now: Date): { events: LateEvent[]; notice: NewNotice } {
  const { eventIds, endEventId, end, incidentId } = row;
  const note = endedNote(row, now);
  // The incident of a monitor that was paused or deleted is resolved: no alert of it is opened.
  const isGone = end === 'paused' || end === 'deleted';
  const last = isGone && note.status !== 'operational' ? eventIds.slice(0, 1) : eventIds;
  const ids = [...new Set([...last, ...(endEventId === null ? [] : [endEventId])])];
  const [noted] = ids;
  const events = ids.map((id) => {
    const flapping = { note: id === noted ? note : null, alerts: 'all' as const };
    return { id, flapping, alertedIncidentId: incidentId };
  });
  return { events, notice: endedNotice(row, note, now) };
}

type EndedNote = Extract<FlappingNote, { kind: 'ended' }>;

function endedNote(row: OpenRow, now: Date): EndedNote {
  const { monitorId: id, monitorName: name, end, interruptedAt, status, since, down, degraded } = row;
  return {
    monitor: { id, name },
    at: now.toISOString(),
    key: formatFlappingKey(id, row.beganAt),
    kind: 'ended',
    // Restarted, or in maintenance that is over already.
    end: end === 'steady' && interruptedAt !== null ? 'changed' : end,
    status,
    since: since.toISOString(),
    down,
    degraded,
  };
}

/** The notice to members: that of an outage, with its reminders, if the monitor is down. */
function endedNotice(row: OpenRow, note: EndedNote, now: Date): NewNotice {
  const { organizationId, monitorId, monitorName, incidentId, lastIncidentId, down } = row;
  const notice = {
    organizationId,
    subjectId: monitorId,
    subjectName: monitorName,
    occurredAt: now,
    flapping: note,
  };
  if (note.end === 'steady' && note.status === 'down') {
    return { ...notice, kind: 'monitor.down', incidentId: lastIncidentId, error: row.error, downtime: null };
  }
  const downtime = Math.floor(down.ms / 1000);
  return { ...notice, kind: 'monitor.steady', incidentId, error: null, downtime };
}
