import { groupBy } from '@/lib/core/groups';
import { type FlappingRow, readChanges, storeFlapping } from '@/lib/domain/announcements/flapping';
import type { Transaction } from '@/lib/platform/db/client';
import { decideFlapping, FLAPPING } from '@/lib/state/announcements/decide-flapping';
import type { HeldFlapping, HeldRow } from './held-rows';
import { beganNote, eventsToKeep } from './plan-flapping';

type Named = { id: string; name: string };
type Kinds = ReadonlyMap<string, string>;

/**
 * The monitors among those whose held changes are announced that begin to flap with them, by ID; stores that they do. Takes one
 * statement if none does.
 */
export async function findFlapping(
  tx: Transaction,
  announced: readonly HeldRow[],
  now: Date,
): Promise<ReadonlyMap<string, HeldFlapping>> {
  const held = groupBy(announced, ({ monitorId }) => monitorId);
  const known = await readChanges(tx, [...held.keys()], { isDependent: true, now });
  const begun = [...held].flatMap(([id, rows]) => {
    const last = rows.at(-1);
    const recent = known.get(id);
    if (last === undefined || recent === undefined) return [];
    // What was held until now was not suppressed: it counts.
    const decision = decideFlapping(recent.changes, { isFlapping: false, countedSince: recent.countedSince });
    return decision.kind === 'begins' ? [{ id, rows, last, first: decision.first }] : [];
  });
  if (begun.length === 0) return new Map();
  const names = await readNames(
    tx,
    begun.map(({ id }) => id),
  );
  const kinds = await readKinds(
    tx,
    begun.flatMap(({ last }) => last.eventIds),
  );
  const stored = begun.flatMap(({ id, rows, last, first }): { row: FlappingRow; share: HeldFlapping }[] => {
    const name = names.get(id);
    if (name === undefined) return [];
    const { organizationId, incidentId } = last;
    const events = last.eventIds.flatMap((eventId) => {
      const kind = kinds.get(eventId);
      return kind === undefined ? [] : [{ id: eventId, kind }];
    });
    const error = rows.findLast(({ notice }) => notice?.error != null)?.notice?.error ?? null;
    const note = beganNote({ id, name }, last.heldAt);
    const about = { organizationId, incidentId };
    const row = {
      organizationId,
      monitorId: id,
      monitorName: name,
      error,
      changedAt: last.heldAt,
      status: last.status,
      firstChangeAt: new Date(first.from),
      lookAt: new Date(last.heldAt.getTime() + FLAPPING.steadyMs),
      ...eventsToKeep(events, incidentId, null),
    };
    const notice = {
      ...about,
      kind: 'monitor.flapping' as const,
      subjectId: id,
      subjectName: name,
      error,
      downtime: null,
      occurredAt: now,
      flapping: note,
    };
    return [{ row, share: { note, lastEventId: last.eventIds[0] ?? null, notice } }];
  });
  await storeFlapping(
    tx,
    stored.map(({ row }) => row),
  );
  return new Map(stored.map(({ row, share }) => [row.monitorId, share]));
}

async function readNames(tx: Transaction, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const rows: Named[] = await tx.monitor.findMany({
    where: { id: { in: [...ids] } },
    select: { id: true, name: true },
  });
  return new Map(rows.map(({ id, name }) => [id, name]));
}

async function readKinds(tx: Transaction, eventIds: readonly string[]): Promise<Kinds> {
  const rows = await tx.outboxEvent.findMany({
    where: { id: { in: [...eventIds] } },
    select: { id: true, kind: true },
  });
  return new Map(rows.map(({ id, kind }) => [id, kind]));
}
