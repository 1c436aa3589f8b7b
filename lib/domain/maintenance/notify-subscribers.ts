import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import type { Services } from '@/lib/domain/context/services';
import {
  type NewPageNotice,
  type PageNoticeKind,
  writePageNotices,
} from '@/lib/domain/notices/write-page-notices';
import type { Transaction } from '@/lib/platform/db/client';
import type { Maintenance } from '@/lib/schemas/maintenance';
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
export async function notifyStarted(
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
export async function notifyFinished(
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

type News = 'maintenance.planned' | 'maintenance.moved' | 'maintenance.cancelled';
type Context = Pick<OrganizationContext, 'organizationId' | 'mail'>;

/**
 * What subscribers have to hear of a window whose schedule was changed, besides what they are told when an occurrence
 * begins and ends; null: nothing. The states are those before and after, at the same moment.
 */
export function noticeKindOfChange(before: Maintenance, after: Maintenance): News | null {
  const [was, is] = [before.occurrence, after.occurrence];
  if (is === null) return before.status === 'scheduled' ? 'maintenance.cancelled' : null;
  if (was === null) return after.status === 'scheduled' ? 'maintenance.planned' : null;
  if (was.startsAt === is.startsAt && was.endsAt === is.endsAt) return null;
  // It begins now, and that is told.
  if (before.status === 'scheduled' && after.status === 'active') return null;
  return 'maintenance.moved';
}

/** Tells of the other time of a window, that it is cancelled, or that it is planned again. */
export async function notifyChange(
  tx: Transaction,
  ctx: Context,
  { before, after }: { before: Maintenance; after: Maintenance },
  now: Date,
): Promise<void> {
  const kind = noticeKindOfChange(before, after);
  if (kind === 'maintenance.cancelled') await tell(tx, ctx, kind, before, now);
  else if (kind !== null) await tell(tx, ctx, kind, after, now);
}

/** Tells that the next occurrence of a window that goes away is not to be. Nothing where none is to begin. */
export async function notifyCanceled(
  tx: Transaction,
  ctx: Context,
  window: Maintenance,
  now: Date,
): Promise<void> {
  if (window.status === 'scheduled') await tell(tx, ctx, 'maintenance.cancelled', window, now);
}

async function tell(
  tx: Transaction,
  ctx: Context,
  kind: News,
  { id, title, message, monitors, occurrence }: Maintenance,
  now: Date,
): Promise<void> {
  if (occurrence === null) return;
  const [startsAt, endsAt] = [new Date(occurrence.startsAt), new Date(occurrence.endsAt)];
  const told = { id, organizationId: ctx.organizationId, title, message, monitors, startsAt, endsAt };
  await writePageNotices(tx, ctx, [maintenanceNotice(kind, told, now)]);
}
