import type { Services } from '@/lib/context/services';
import { resolveIncident } from '@/lib/incidents/follow-status';
import { writePageNotices } from '@/lib/notices/write-page-notices';
import { notePagesChanged } from '@/lib/page-changes/note-pages-changed';
import { emitEvents } from '@/lib/webhooks/emit-events';

const BATCH = 100;

type Orphan = { id: string; organizationId: string; isPaused: boolean; affectedMonitors: string[] };

/**
 * Resolves the automatic incidents of monitors that were paused or deleted meanwhile: nothing looks at them any more.
 * The API itself emits no events, so the engine does it here. Reads only the index of open automatic incidents.
 */
export async function settleOrphanedIncidents(services: Services): Promise<number> {
  const { db, clock } = services;
  return db.$transaction(async (tx) => {
    const orphaned = await tx.$queryRaw<Orphan[]>`
      SELECT incident.id, incident.organization_id AS "organizationId", monitor.id IS NOT NULL AS "isPaused",
             affected_monitors AS "affectedMonitors"
        FROM incident LEFT JOIN monitor ON monitor.id = incident.monitor_id
       WHERE incident.automatic AND incident.resolved_at IS NULL AND (monitor.id IS NULL OR NOT monitor.enabled)
       LIMIT ${BATCH} FOR UPDATE OF incident SKIP LOCKED`;
    const now = clock.now();
    for (const { id, organizationId, isPaused } of orphaned) {
      const message = isPaused ? 'Monitoring was paused.' : 'The monitor was deleted.';
      const { events, notice } = await resolveIncident(tx, { id }, message, now);
      await emitEvents(
        tx,
        services,
        events.map((payload) => ({ organizationId, occurredAt: now, payload })),
      );
      if (notice) await writePageNotices(tx, services, [notice]);
    }
    await notePagesChanged(tx, { monitorIds: orphaned.flatMap(({ affectedMonitors }) => affectedMonitors) });
    return orphaned.length;
  });
}
