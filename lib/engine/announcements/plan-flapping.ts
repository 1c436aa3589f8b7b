import {
  type FlappingRow,
  type OpenFlapping,
  readChanges,
  storeFlapping,
} from '@/lib/domain/announcements/flapping';
import type { WhileFlapping } from '@/lib/domain/webhooks/while-flapping';
import type { Transaction } from '@/lib/platform/db/client';
import { decideFlapping, FLAPPING, type StatusChange } from '@/lib/state/announcements/decide-flapping';
import { type FlappingNote, formatFlappingKey } from '@/lib/state/announcements/flapping-note';
import type { MonitorEvent, MonitorStatus } from '@/lib/state/types';
import type { Announcement } from './plan-announcements';

type Monitor = { id: string; organizationId: string; name: string; dependsOn: string[] };
type Change = {
  monitor: Monitor;
  effect: {
    from: MonitorStatus;
    to: MonitorStatus;
    event: MonitorEvent | null;
    details: { errorMessage: string | null };
  };
};

/** What becomes of a change of a monitor that flaps: people are notified that it does, if it `begins`, or of nothing. */
export type FlappingPlan =
  | { phase: 'begins'; first: StatusChange }
  | { phase: 'continues'; open: OpenFlapping };

/** What is known of a monitor that begins to flap in the same batch. */
const JUST_BEGUN: OpenFlapping = { incidentId: null, lastIncidentId: null, eventIds: [] };

/**
 * Decides which changes are flapping, in their order; null: the change is announced as planned. A monitor whose announcement is held
 * or dropped because of others does not begin to flap, but whatever it depends on, it continues to. Takes one statement. The caller holds the
 * locks of the states, and has written the ledger.
 */
export async function planFlapping(
  tx: Transaction,
  changes: readonly Change[],
  announcements: readonly Announcement[],
  now: Date,
): Promise<(FlappingPlan | null)[]> {
  const monitors = changes.filter(isCounted).map(({ monitor }) => monitor);
  const counted = monitors.map(({ id }) => id);
  const isDependent = monitors.some(({ dependsOn }) => dependsOn.length > 0);
  const known = await readChanges(tx, [...new Set(counted)], { isDependent, now });
  const open = new Map(
    [...known].flatMap(([id, recent]) => (recent.open ? [[id, recent.open] as const] : [])),
  );
  /** Changes of this batch that come later than the one that is decided about. */
  const later = new Map<string, number>();
  for (const id of counted) later.set(id, (later.get(id) ?? 0) + 1);
  return changes.map((change, index) => {
    const { id } = change.monitor;
    const recent = known.get(id);
    if (!isCounted(change) || recent === undefined) return null;
    const place = (later.get(id) ?? 1) - 1;
    later.set(id, place);
    const before = open.get(id);
    if (before !== undefined) return { phase: 'continues', open: before };
    if (announcements[index]?.action !== 'send') return null;
    const { countedSince } = recent;
    const decision = decideFlapping(recent.changes.slice(place), { isFlapping: false, countedSince });
    if (decision.kind !== 'begins') return null;
    open.set(id, JUST_BEGUN);
    return { phase: 'begins', first: decision.first };
  });
}

/** The first status after a monitor was pending is no change. */
function isCounted({ effect }: Change): boolean {
  return effect.event !== null && effect.from !== 'pending';
}

/** Who is sent the events of a change of a monitor that flaps: that of the monitor, and those of its incident. */
export function shareWhileFlapping(
  plan: FlappingPlan,
  { id, name }: Pick<Monitor, 'id' | 'name'>,
  now: Date,
): { own: WhileFlapping; others: WhileFlapping } {
  const others: WhileFlapping = { note: null, alerts: plan.phase === 'begins' ? 'openings' : 'none' };
  const note = plan.phase === 'begins' ? beganNote({ id, name }, now) : null;
  return { own: { ...others, note }, others };
}

/** That a monitor flaps since a change. */
export function beganNote({ id, name }: { id: string; name: string }, since: Date): FlappingNote {
  return { monitor: { id, name }, at: since.toISOString(), key: formatFlappingKey(id, since), kind: 'began' };
}

/** A change with the incident that it is about and its events: that of the monitor first. */
type Followed = Change & {
  plan: FlappingPlan | null;
  incidentId: string | null;
  events: { id: string; kind: string }[];
};

/** Stores what flaps, for which the last change of each monitor counts. Takes one statement. */
export async function recordFlapping(
  tx: Transaction,
  changes: readonly Followed[],
  now: Date,
): Promise<void> {
  const rows = new Map<string, FlappingRow>();
  for (const { monitor, effect, plan, incidentId, events } of changes) {
    if (plan === null) continue;
    const earlier = rows.get(monitor.id);
    const open = earlier ?? (plan.phase === 'continues' ? plan.open : null);
    const kept = eventsToKeep(events, incidentId, open);
    rows.set(monitor.id, {
      organizationId: monitor.organizationId,
      monitorId: monitor.id,
      monitorName: monitor.name,
      status: effect.to,
      firstChangeAt: earlier?.firstChangeAt ?? (plan.phase === 'begins' ? new Date(plan.first.from) : now),
      changedAt: now,
      lookAt: new Date(now.getTime() + FLAPPING.steadyMs),
      ...kept,
      endEventId: earlier?.endEventId ?? kept.endEventId,
      error: (effect.to === 'operational' ? null : effect.details.errorMessage) ?? earlier?.error ?? null,
    });
  }
  await storeFlapping(tx, [...rows.values()]);
}

/**
 * What is sent once a monitor is steady: the events of its last change, with those of the current incident, and the end of the incident
 * whose alerts are open since it began to flap. Ends of other incidents end nothing.
 */
export function eventsToKeep(
  events: Followed['events'],
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
