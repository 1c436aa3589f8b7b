import {
  endHeld,
  holdAnnouncements,
  type NewHeld,
  readHeld,
} from '@/lib/domain/announcements/held-announcements';
import { readAncestors } from '@/lib/domain/monitors/dependencies/read-ancestors';
import type { Transaction } from '@/lib/platform/db/client';
import type { Cause } from '@/lib/schemas/webhooks/events';
import { type Ancestor, decideAnnouncement } from '@/lib/state/announcements/decide-announcement';
import type { MonitorStatus } from '@/lib/state/types';

/** What becomes of a change: people are notified now, perhaps later, or not, like of the outage that it ends. */
export type Announcement = {
  action: 'send' | 'hold' | 'drop';
  /** What the monitor depends on and is down. */
  causedBy: Cause | null;
  /** When a worker looks at it, if it is held; null while it is suppressed. */
  lookAt: Date | null;
};

type Monitor = {
  id: string;
  organizationId: string;
  dependsOn: string[];
  config: { intervalMs: number };
};
type Change = { monitor: Monitor; effect: { to: MonitorStatus } };

const SEND: Announcement = { action: 'send', causedBy: null, lookAt: null };

/** What is held of a monitor so far; undefined: nothing is. */
type Open = { causedBy: Cause | null } | undefined;

/**
 * Decides which changes people are notified of, in their order. Without dependencies, without any statement. The caller holds the locks
 * of the states.
 */
export async function planAnnouncements(
  tx: Transaction,
  changes: readonly Change[],
  now: Date,
): Promise<Announcement[]> {
  const dependents = changes.map(({ monitor }) => monitor).filter(({ dependsOn }) => dependsOn.length > 0);
  if (dependents.length === 0) return changes.map(() => SEND);
  const ancestors = await readAncestors(tx, dependents, now);
  const ids = dependents.map(({ id }) => id);
  const open: Map<string, Open> = await readHeld(tx, ids);
  return changes.map((change) => {
    const { id, dependsOn } = change.monitor;
    if (dependsOn.length === 0) return SEND;
    const planned = plan(change, open.get(id), ancestors.get(id) ?? [], now);
    if (planned.action === 'drop') open.delete(id);
    if (planned.action === 'hold')
      open.set(id, { causedBy: planned.causedBy ?? open.get(id)?.causedBy ?? null });
    return planned;
  });
}

function plan(
  { monitor, effect }: Change,
  open: Open,
  ancestors: readonly Ancestor[],
  now: Date,
): Announcement {
  const before = open?.causedBy ?? null;
  if (effect.to === 'operational') {
    if (open === undefined) return SEND;
    // Announced together with the outage, or not at all.
    return before === null ? { action: 'hold', causedBy: null, lookAt: now } : { ...SEND, action: 'drop' };
  }
  const heldAt = now.getTime();
  const held = { heldAt, causedBy: before?.id ?? null, intervalMs: monitor.config.intervalMs };
  const decision = decideAnnouncement(held, ancestors, heldAt);
  if (decision.kind === 'suppress') return { action: 'hold', causedBy: decision.causedBy, lookAt: null };
  // What happened before is announced first.
  if (decision.kind === 'announce' && open === undefined) return SEND;
  return { action: 'hold', causedBy: null, lookAt: now };
}

/** A change with what there is to announce of it. */
type Announced = Pick<NewHeld, 'status' | 'incidentId' | 'notice'> & {
  monitor: Monitor;
  events: { id: string }[];
  announcement: Announcement | null;
};

/** Stores what is held, and ends what was held of monitors whose recovery is not announced either. */
export async function storeHeld(tx: Transaction, changes: readonly Announced[], now: Date): Promise<void> {
  const dropped = changes.filter(({ announcement }) => announcement?.action === 'drop');
  const held = changes.flatMap(({ monitor, announcement, events, status, incidentId, notice }) => {
    if (announcement?.action !== 'hold') return [];
    const eventIds = events.map(({ id }) => id);
    return [{ ...placeOf(monitor), ...announcement, status, incidentId, eventIds, notice, heldAt: now }];
  });
  await holdAnnouncements(tx, held);
  await endHeld(
    tx,
    dropped.map(({ monitor }) => monitor.id),
    now,
  );
}

function placeOf({ id, organizationId }: Monitor) {
  return { monitorId: id, organizationId };
}
