import type { Services } from '@/lib/domain/context/services';
import {
  type NewPageNotice,
  type PageNoticeKind,
  writePageNotices,
} from '@/lib/domain/notices/write-page-notices';
import type { Transaction } from '@/lib/platform/db/client';
import type { Occurrence } from './occurrences';

/** Few, as monitors enter and leave maintenance. */
const BATCH = 100;

type Kind = Extract<PageNoticeKind, `maintenance.${string}`>;
type Told = Occurrence & {
  id: string;
  organizationId: string;
  title: string;
  message: string;
  monitors: string[];
};

/** What subscribers of public pages are told of an occurrence of a window. */
export function maintenanceNotice(kind: Kind, told: Told, now: Date): NewPageNotice {
  const { id, organizationId, title, message, monitors, startsAt, endsAt } = told;
  return {
    organizationId,
    kind,
    subjectId: id,
    title,
    status: null,
    message,
    monitorIds: monitors,
    startsAt,
    endsAt,
    occurredAt: now,
  };
}

/**
 * Tells of occurrences that have begun since the last look, each once; one that was over before anybody looked is told of
 * never. Those that somebody changes right now wait for the next look.
 */
export async function tellStarted(
  tx: Transaction,
  services: Pick<Services, 'mail'>,
  now: Date,
): Promise<void> {
  const begun = await tx.$queryRaw<Told[]>`
    WITH begun AS (
      SELECT window_id, starts_at FROM maintenance_occurrence
       WHERE ended_at IS NULL AND announced_at IS NULL AND starts_at <= ${now} AND ends_at > ${now}
       ORDER BY starts_at LIMIT ${BATCH} FOR UPDATE SKIP LOCKED
    ), told AS (
      UPDATE maintenance_occurrence AS occurrence SET announced_at = ${now} FROM begun
       WHERE occurrence.window_id = begun.window_id AND occurrence.starts_at = begun.starts_at
      RETURNING occurrence.window_id, occurrence.starts_at, occurrence.ends_at
    )
    SELECT maintenance.id, organization_id AS "organizationId", title, message,
           told.starts_at AS "startsAt", told.ends_at AS "endsAt",
           ARRAY(SELECT monitor_id FROM maintenance_window_monitor WHERE window_id = maintenance.id) AS monitors
      FROM told JOIN maintenance_window AS maintenance ON maintenance.id = told.window_id
     ORDER BY told.starts_at, maintenance.id`;
  await writePageNotices(
    tx,
    services,
    begun.map((told) => maintenanceNotice('maintenance.started', told, now)),
  );
}

/** Tells that what goes on of a window has ended, if it was told that it began. The caller holds the window's row. */
export async function tellFinished(
  tx: Transaction,
  services: Pick<Services, 'mail'>,
  windowId: string,
  endedAt: Date,
): Promise<void> {
  if (!services.mail.isOn) return;
  const open = await tx.maintenanceOccurrence.findFirst({
    where: { windowId, endedAt: null, announcedAt: { not: null } },
    select: { startsAt: true, window: { include: { monitors: { select: { monitorId: true } } } } },
  });
  if (open === null) return;
  const { startsAt, window } = open;
  const monitors = window.monitors.map(({ monitorId }) => monitorId);
  const told = { ...window, monitors, startsAt, endsAt: endedAt };
  await writePageNotices(tx, services, [maintenanceNotice('maintenance.finished', told, endedAt)]);
}
