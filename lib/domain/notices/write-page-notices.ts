import { groupBy } from '@/lib/core/groups';
import { storableJson } from '@/lib/core/storable-text';
import type { Services } from '@/lib/domain/context/services';
import type { Transaction } from '@/lib/platform/db/client';
import { Prisma } from '@/lib/platform/db/generated/client';
import type { IncidentStatus } from '@/lib/platform/db/generated/enums';
import type { Translations } from '@/lib/schemas/incidents/translations';
import { showsIncident } from './shows-incident';

/** The order of the sections of a digest. */
export const KIND_ORDER = [
  'incident.created',
  'incident.updated',
  'incident.resolved',
  'maintenance.started',
  'maintenance.finished',
  'maintenance.cancelled',
  'maintenance.moved',
  'maintenance.planned',
] as const;

type IncidentKind = Extract<PageNoticeKind, `incident.${string}`>;
type MaintenanceKind = Exclude<PageNoticeKind, IncidentKind>;

/** An incident or window with its notices, in order; `kind` is the section it is listed in. */
export type NoticeSubject = { latest: PageNotice; notices: PageNotice[] } & (
  | { isIncident: true; kind: IncidentKind }
  | { isIncident: false; kind: MaintenanceKind }
);

export type PageNoticeKind = (typeof KIND_ORDER)[number];

/** An event that subscribers of public pages are notified of. All texts are public. */
export type NewPageNotice = {
  organizationId: string;
  /** The only page that it is about; otherwise all that show something affected. */
  pageId?: string;
  kind: PageNoticeKind;
  /** The incident or the maintenance window. */
  subjectId: string;
  title: string;
  /** Incidents only: the status after the change. */
  status: IncidentStatus | null;
  message: string;
  /** Both in other languages. */
  translations: Translations<'title' | 'message'>;
  /** All affected monitors and components; each page lists only those that it shows. */
  monitorIds: string[];
  componentIds: string[];
  /** The monitor of an automatic incident, which pages can give another name, and how its texts end after the name. */
  named: { monitorId: string; titleEnd: string | null; messageEnd: string | null } | null;
  /** Maintenance only. */
  startsAt: Date | null;
  endsAt: Date | null;
  occurredAt: Date;
};

/** A pending notice of one page: the affected monitors and components on it, and the names that it gives them. */
export type PageNotice = Omit<
  NewPageNotice,
  'organizationId' | 'pageId' | 'monitorIds' | 'componentIds' | 'named'
> & {
  isAutomatic: boolean;
  monitors: string[];
  /** IDs of the affected monitors and components; empty: for all subscribers. */
  rowIds: string[];
};

const PAGE = {
  id: Prisma.sql`page.id`,
  automaticDelay: Prisma.sql`page.automatic_delay`,
  automaticSince: Prisma.sql`page.automatic_since`,
};

/**
 * Writes notices for every published page that shows something affected and has subscribers, but not about automatic incidents that it
 * does not show, in one statement, in the transaction that caused them: a worker mails them if and only if it commits. Does nothing if mail is off.
 */
export async function writePageNotices(
  tx: Transaction,
  { mail }: Pick<Services, 'mail'>,
  notices: NewPageNotice[],
): Promise<void> {
  if (!mail.isOn || notices.length === 0) return;
  const rows = notices.map(({ named, ...notice }, place) => ({ place, ...notice, ...named }));
  await tx.$executeRaw`
    INSERT INTO page_notice (page_id, kind, subject_id, title, status, message, translations, is_automatic, monitors,
                             row_ids, starts_at, ends_at, occurred_at)
    SELECT page.id, notice.kind, "subjectId",
           CASE WHEN notice.title = given.own || "titleEnd" THEN given.name || "titleEnd" ELSE notice.title END,
           notice.status,
           CASE WHEN notice.message = given.own || "messageEnd" THEN given.name || "messageEnd"
                ELSE notice.message END,
           notice.translations, "monitorId" IS NOT NULL, shown.monitors, shown.ids,
           "startsAt", "endsAt", "occurredAt"
      FROM jsonb_to_recordset(${storableJson(rows)}::jsonb) AS notice (
             place int, "organizationId" text, "pageId" text, kind text, "subjectId" text, title text, status text,
             message text, translations jsonb, "monitorIds" text[], "componentIds" text[], "monitorId" text,
             "titleEnd" text, "messageEnd" text, "startsAt" timestamptz, "endsAt" timestamptz,
             "occurredAt" timestamptz)
      CROSS JOIN LATERAL (
             SELECT page_id, array_agg(affected.name ORDER BY place, position) AS monitors,
                    array_agg(affected.id ORDER BY place, position) AS ids
               FROM (SELECT page_id, 1, position, monitor_id, coalesce(
                            (SELECT item ->> 'name' FROM status_page
                              CROSS JOIN jsonb_path_query(sections, '$[*].items[*]') AS item
                              WHERE status_page.id = page_id AND item ->> 'monitorId' = monitor.id), monitor.name)
                       FROM status_page_monitor JOIN monitor ON monitor.id = monitor_id
                      WHERE monitor_id = ANY("monitorIds")
                     UNION ALL
                     SELECT id, 2, position, item ->> 'componentId', item ->> 'name'
                       FROM status_page
                      CROSS JOIN jsonb_path_query(sections, '$[*].items[*]') WITH ORDINALITY AS row (item, position)
                      WHERE organization_id = "organizationId" AND "componentIds" <> '{}'
                        AND item ->> 'componentId' = ANY("componentIds"))
                   AS affected (page_id, place, position, id, name)
              GROUP BY 1) AS shown
      JOIN status_page AS page ON page.id = shown.page_id
      LEFT JOIN LATERAL (
             SELECT coalesce(item ->> 'name', monitor.name) AS name, monitor.name AS own
               FROM monitor CROSS JOIN jsonb_path_query(page.sections, '$[*].items[*]') AS item
              WHERE monitor.id = notice."monitorId" AND item ->> 'monitorId' = monitor.id) AS given ON true
     WHERE page.published AND page.organization_id = "organizationId" AND coalesce("pageId", page.id) = page.id
       AND (page.automatic_delay = 0 AND page.automatic_since IS NULL
            OR NOT EXISTS (SELECT FROM incident WHERE id = "subjectId")
            OR EXISTS (SELECT FROM incident WHERE id = "subjectId" AND ${showsIncident(PAGE)}))
       AND (EXISTS (SELECT FROM page_subscriber WHERE page_id = page.id AND confirmed_at IS NOT NULL)
            OR EXISTS (SELECT FROM endpoint_subscriber WHERE page_id = page.id AND confirmed_at IS NOT NULL))
     ORDER BY notice.place`;
}

/** The notices for a subscriber who chose these rows, or all if there are none: those that affect one of them, and those for everyone. */
export function selectNotices(notices: PageNotice[], chosen: readonly string[]): PageNotice[] {
  if (chosen.length === 0) return notices;
  const own = new Set(chosen);
  return notices.filter(({ rowIds }) => rowIds.length === 0 || rowIds.some((id) => own.has(id)));
}

/**
 * Groups notices by incident or window. New ones stay "created" or "planned" even if they changed since. Windows planned and
 * canceled within the same batch are dropped, so the result can be empty.
 */
export function summarizePageNotices(notices: PageNotice[]): NoticeSubject[] {
  const bySubject = groupBy(notices, ({ subjectId }) => subjectId);
  return [...bySubject.values()].flatMap((own) => toSubject(own) ?? []);
}

function toSubject(notices: PageNotice[]): NoticeSubject | null {
  const latest = notices.at(-1);
  if (latest === undefined) return null;
  const { kind } = latest;
  const includes = (earlier: PageNoticeKind) => notices.some((notice) => notice.kind === earlier);
  if (isIncidentKind(kind)) {
    const isNew = kind === 'incident.updated' && includes('incident.created');
    return { isIncident: true, kind: isNew ? 'incident.created' : kind, latest, notices };
  }
  const isNew = includes('maintenance.planned');
  if (kind === 'maintenance.cancelled' && isNew) return null;
  return {
    isIncident: false,
    kind: kind === 'maintenance.moved' && isNew ? 'maintenance.planned' : kind,
    latest,
    notices,
  };
}

function isIncidentKind(kind: PageNoticeKind): kind is IncidentKind {
  return kind.startsWith('incident.');
}
