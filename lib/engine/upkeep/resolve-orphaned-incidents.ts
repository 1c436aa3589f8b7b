import type { Services } from '@/lib/domain/context/services';
import { resolveIncidents } from '@/lib/domain/incidents/follow-status';
import { writePageNotices } from '@/lib/domain/notices/write-page-notices';
import { closeHeld } from '@/lib/engine/announcements/announce-held';
import { closeFlapping } from '@/lib/engine/announcements/end-flapping';
import { emitEvents } from '@/lib/notify/emit-events';
import { Prisma } from '@/lib/platform/db/generated/client';
import { nowIfAny } from '@/lib/platform/db/moments';
import { noteLive } from '@/lib/platform/live/note-live';
import { notePagesChanged } from '@/lib/platform/page-front/application';

const BATCH = 500;

/**
 * Resolves the automatic incidents of monitors that were paused or deleted, since no check will. The API
 * emits no events, so the engine does it. Only reads the index of those that triggers have found. Returns how many
 * there were.
 */
export async function resolveOrphanedIncidents(services: Services): Promise<number> {
  const { db, clock } = services;
  return db.$transaction(async (tx) => {
    const orphaned = await tx.$queryRaw<{ id: string; isPaused: boolean }[]>(orphanedQuery());
    if (orphaned.length === 0) return 0;
    const paused = new Set(orphaned.filter(({ isPaused }) => isPaused).map(({ id }) => id));
    const incidents = await tx.incident.findMany({ where: { id: { in: orphaned.map(({ id }) => id) } } });
    const now = clock.now();
    const resolutions = incidents.map((incident) => ({
      incident,
      message: paused.has(incident.id) ? 'Monitoring was paused.' : 'The monitor was deleted.',
    }));
    const resolved = await resolveIncidents(tx, resolutions, now);
    const suppressed = await closeHeld(tx, services, incidents.map(monitorOf), now);
    const flapped = await closeFlapping(tx, services, incidents.map(monitorOf), now);
    const events = resolved.flatMap(({ incident, events }) => {
      const { organizationId } = incident;
      const isHeld = suppressed.has(monitorOf(incident));
      const alerted = flapped.get(monitorOf(incident));
      const alerts = alerted === incident.id ? ('all' as const) : ('none' as const);
      const flapping = alerted === undefined ? undefined : { note: null, alerts };
      return events.map((payload) => ({ organizationId, occurredAt: now, payload, isHeld, flapping }));
    });
    await emitEvents(tx, services, events);
    await writePageNotices(
      tx,
      services,
      resolved.map(({ notice }) => notice),
    );
    const monitorIds = incidents.flatMap(({ affectedMonitors }) => affectedMonitors);
    await notePagesChanged(tx, { monitorIds });
    const organizationIds = incidents.map(({ organizationId }) => organizationId);
    await noteLive(tx, [{ kind: 'changes', organizationIds }]);
    return orphaned.length;
  });
}

const orphaned = Prisma.sql`
  incident LEFT JOIN monitor ON monitor.id = incident.monitor_id
     WHERE is_orphaned AND resolved_at IS NULL AND (monitor.id IS NULL OR NOT monitor.enabled)`;

/** Now, while there is any. */
export const orphanedDueAt = (now: Date) => nowIfAny(now, Prisma.sql`SELECT FROM ${orphaned}`);

/** For tests. */
export function orphanedQuery(): Prisma.Sql {
  return Prisma.sql`
    SELECT incident.id, monitor.id IS NOT NULL AS "isPaused"
      FROM ${orphaned}
     LIMIT ${BATCH} FOR UPDATE OF incident SKIP LOCKED`;
}

function monitorOf({ monitorId }: { monitorId: string | null }): string {
  return monitorId ?? '';
}
