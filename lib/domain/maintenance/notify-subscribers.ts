import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import type { Services } from '@/lib/domain/context/services';
import {
  type NewPageNotice,
  type PageNoticeKind,
  writePageNotices,
} from '@/lib/domain/notices/write-page-notices';
import type { Transaction } from '@/lib/platform/db/client';
import { titledTranslationsSchema } from '@/lib/schemas/incidents/translations';
import type { Maintenance } from '@/lib/schemas/maintenance';
import type { Occurrence } from './occurrences';

const BATCH = 100;

type Kind = Extract<PageNoticeKind, `maintenance.${string}`>;
type Announced = Occurrence &
  Pick<Maintenance, 'id' | 'title' | 'message' | 'translations' | 'monitors'> & { organizationId: string };

/** The notice for subscribers of public pages about an occurrence of a window. */
export function maintenanceNotice(kind: Kind, announced: Announced, now: Date): NewPageNotice {
  const { id, organizationId, title, message, translations, monitors, startsAt, endsAt } = announced;
  return {
    organizationId,
    kind,
    subjectId: id,
    title,
    status: null,
    message,
    monitorIds: monitors,
    componentIds: [],
    translations,
    named: null,
    startsAt,
    endsAt,
    occurredAt: now,
  };
}

/**
 * Notifies subscribers of occurrences that have started since the last call, each once. Skips occurrences that have already
 * ended; those locked by another transaction are left for the next call.
 */
export async function notifyStarted(tx: Transaction, services: Pick<Services, 'mail'>, now: Date) {
  const started = await tx.$queryRaw<Announced[]>`
    WITH started AS (
      SELECT window_id, starts_at FROM maintenance_occurrence
       WHERE ended_at IS NULL AND announced_at IS NULL AND starts_at <= ${now} AND ends_at > ${now}
       ORDER BY starts_at LIMIT ${BATCH} FOR UPDATE SKIP LOCKED
    ), announced AS (
      UPDATE maintenance_occurrence AS occurrence SET announced_at = ${now} FROM started
       WHERE occurrence.window_id = started.window_id AND occurrence.starts_at = started.starts_at
      RETURNING occurrence.window_id, occurrence.starts_at, occurrence.ends_at
    )
    SELECT maintenance.id, organization_id AS "organizationId", title, message, translations,
           announced.starts_at AS "startsAt", announced.ends_at AS "endsAt",
           ARRAY(SELECT monitor_id FROM maintenance_window_monitor WHERE window_id = maintenance.id) AS monitors
      FROM announced JOIN maintenance_window AS maintenance ON maintenance.id = announced.window_id
     ORDER BY announced.starts_at, maintenance.id`;
  const notices = started.map((occurrence) => maintenanceNotice('maintenance.started', occurrence, now));
  await writePageNotices(tx, services, notices);
}

/** Notifies subscribers that the active occurrence has ended, if its start was announced. The caller holds the window's lock. */
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
  const translations = titledTranslationsSchema.parse(window.translations);
  const finished = { ...window, translations, monitors, startsAt, endsAt: endedAt };
  await writePageNotices(tx, services, [maintenanceNotice('maintenance.finished', finished, endedAt)]);
}

type ChangeKind = 'maintenance.planned' | 'maintenance.moved' | 'maintenance.cancelled';
type Context = Pick<OrganizationContext, 'organizationId' | 'mail'>;

/**
 * The notice for a changed schedule; null if none is needed besides those for the start and end of occurrences. Both states
 * are at the same time.
 */
export function noticeKindOfChange(before: Maintenance, after: Maintenance): ChangeKind | null {
  const [was, is] = [before.occurrence, after.occurrence];
  if (is === null) return before.status === 'scheduled' ? 'maintenance.cancelled' : null;
  if (was === null) return after.status === 'scheduled' ? 'maintenance.planned' : null;
  if (was.startsAt === is.startsAt && was.endsAt === is.endsAt) return null;
  // It starts now, which is announced separately.
  if (before.status === 'scheduled' && after.status === 'active') return null;
  return 'maintenance.moved';
}

/** Notifies subscribers that a window was rescheduled, canceled or scheduled again. */
export async function notifyChange(
  tx: Transaction,
  ctx: Context,
  { before, after }: { before: Maintenance; after: Maintenance },
  now: Date,
): Promise<void> {
  const kind = noticeKindOfChange(before, after);
  const window = kind === 'maintenance.cancelled' ? before : after;
  if (kind !== null) await notifyOfChange(tx, ctx, kind, window, now);
}

/** Notifies subscribers that the next occurrence of a deleted window is canceled, if there is one. */
export async function notifyCanceled(tx: Transaction, ctx: Context, window: Maintenance, now: Date) {
  if (window.status === 'scheduled') await notifyOfChange(tx, ctx, 'maintenance.cancelled', window, now);
}

async function notifyOfChange(
  tx: Transaction,
  ctx: Context,
  kind: ChangeKind,
  { id, title, message, translations, monitors, occurrence }: Maintenance,
  now: Date,
): Promise<void> {
  if (occurrence === null) return;
  const [startsAt, endsAt] = [new Date(occurrence.startsAt), new Date(occurrence.endsAt)];
  const texts = { title, message, translations };
  const announced = { id, organizationId: ctx.organizationId, ...texts, monitors, startsAt, endsAt };
  await writePageNotices(tx, ctx, [maintenanceNotice(kind, announced, now)]);
}
