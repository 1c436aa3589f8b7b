import { groupBy } from '@/lib/core/groups';
import { countDependents } from '@/lib/domain/monitors/dependencies/count-dependents';
import { type Notifying, notifyLate } from '@/lib/notify/emit-events';
import { beginHeldFlapping, findFirstChange, type HeldFlapping } from '@/lib/notify/flapping';
import { readChanges } from '@/lib/notify/flapping-rows';
import { deleteHeld, endHeld, type HeldRow, readHeldRows } from '@/lib/notify/held-rows';
import type { Transaction } from '@/lib/platform/db/client';
import { notify } from '@/lib/platform/db/listen';

/**
 * Notifies people of changes after all: their events are sent to all endpoints, and members get their notices. Of monitors that begin to flap
 * with them, by ID, people are only notified of that.
 */
export async function announceHeld(
  tx: Transaction,
  services: Notifying,
  held: readonly HeldRow[],
  now: Date,
  flapping: ReadonlyMap<string, HeldFlapping> = new Map(),
): Promise<void> {
  if (held.length === 0) return;
  const down = held.filter(({ status }) => status === 'down').map(({ monitorId }) => monitorId);
  const counts = await countDependents(tx, [...new Set(down)]);
  const events = held.flatMap(({ eventIds, monitorId, status }) => {
    const dependents = status === 'down' ? (counts.get(monitorId) ?? 0) : 0;
    const begun = flapping.get(monitorId);
    return eventIds.map((id) => {
      const note = id === begun?.lastEventId ? begun.note : null;
      return { id, dependents, flapping: begun && { note, alerts: 'openings' as const } };
    });
  });
  const single = held.flatMap(({ monitorId, notice }) =>
    notice === null || flapping.has(monitorId)
      ? []
      : [{ ...notice, occurredAt: new Date(notice.occurredAt) }],
  );
  const begun = [...flapping.values()];
  const notices = [...single, ...begun.map(({ notice }) => notice)];
  await notifyLate(tx, services, { events, notices, flapping: begun.map(({ row }) => row) }, now);
  if (notices.length > 0) await notify(tx, 'pharos_mail');
  await deleteHeld(
    tx,
    held.map(({ id }) => id),
  );
}

/** The monitors among those whose held changes are announced that begin to flap with them, by ID. Takes one statement if none does. */
export async function findFlapping(
  tx: Transaction,
  announced: readonly HeldRow[],
  now: Date,
): Promise<ReadonlyMap<string, HeldFlapping>> {
  const held = groupBy(announced, ({ monitorId }) => monitorId);
  const known = await readChanges(tx, [...held.keys()], { isDependent: true, now });
  const first = new Map(
    [...known].flatMap(([id, recent]) => {
      const change = findFirstChange(recent);
      return change === null ? [] : [[id, change] as const];
    }),
  );
  const ids = [...first.keys()];
  if (ids.length === 0) return new Map();
  const names = await tx.monitor.findMany({ where: { id: { in: ids } }, select: { id: true, name: true } });
  const eventIds = ids.flatMap((id) => held.get(id)?.at(-1)?.eventIds ?? []);
  const kinds = await tx.outboxEvent.findMany({
    where: { id: { in: eventIds } },
    select: { id: true, kind: true },
  });
  return new Map(
    names.flatMap((monitor) => {
      const rows = held.get(monitor.id) ?? [];
      const [last, change] = [rows.at(-1), first.get(monitor.id)];
      if (last === undefined || change === undefined) return [];
      const events = last.eventIds.flatMap((id) => kinds.find((each) => each.id === id) ?? []);
      const error = rows.findLast(({ notice }) => notice?.error != null)?.notice?.error ?? null;
      return [[monitor.id, beginHeldFlapping(change, { ...last, monitor, events, error }, now)] as const];
    }),
  );
}

/**
 * Closes what is held of monitors that were paused or deleted: what was not decided is announced, before what follows, and what was
 * suppressed ends. Returns the monitors that people were not notified about.
 */
export async function closeHeld(
  tx: Transaction,
  services: Notifying,
  monitorIds: readonly string[],
  now: Date,
): Promise<ReadonlySet<string>> {
  const held = await readHeldRows(tx, monitorIds);
  if (held.length === 0) return new Set();
  const suppressed = new Set(held.filter(({ causedBy }) => causedBy !== null).map((row) => row.monitorId));
  await announceHeld(
    tx,
    services,
    held.filter(({ monitorId }) => !suppressed.has(monitorId)),
    now,
  );
  await endHeld(tx, [...suppressed], now);
  return suppressed;
}
