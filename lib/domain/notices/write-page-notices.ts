import { storableJson } from '@/lib/core/storable-text';
import type { Services } from '@/lib/domain/context/services';
import type { Transaction } from '@/lib/platform/db/client';
import type { IncidentStatus } from '@/lib/platform/db/generated/enums';

/** A notice as it waits for one page: `monitors` are the names of those affected that the page shows. */
export type PageNotice = Omit<NewPageNotice, 'organizationId' | 'monitorIds'> & { monitors: string[] };

type Kind = PageNotice['kind'];

type IncidentKind = Extract<Kind, `incident.${string}`>;

type MaintenanceKind = Extract<Kind, `maintenance.${string}`>;

/** The order in which a mail about several things tells of them. */
export const NEWS_ORDER = [
  'incident.created',
  'incident.updated',
  'incident.resolved',
  'maintenance.started',
  'maintenance.finished',
  'maintenance.cancelled',
  'maintenance.moved',
  'maintenance.planned',
] as const satisfies readonly Kind[];

/** An incident or a window with all that was noticed of it, in order; `kind` is what it is news as. */
export type Subject = { latest: PageNotice; notices: PageNotice[] } & (
  | { isIncident: true; kind: IncidentKind }
  | { isIncident: false; kind: MaintenanceKind }
);

export type PageNoticeKind =
  | 'incident.created'
  | 'incident.updated'
  | 'incident.resolved'
  | 'maintenance.planned'
  | 'maintenance.moved'
  | 'maintenance.cancelled'
  | 'maintenance.started'
  | 'maintenance.finished';

/** Something that subscribers of public pages are to be told of by e-mail, in words that the public may read. */
export type NewPageNotice = {
  organizationId: string;
  kind: PageNoticeKind;
  /** The incident or the maintenance window. */
  subjectId: string;
  title: string;
  /** Of an incident: after the change. */
  status: IncidentStatus | null;
  message: string;
  /** All that are affected; a page tells of those that it shows. */
  monitorIds: string[];
  /** Of maintenance. */
  startsAt: Date | null;
  endsAt: Date | null;
  occurredAt: Date;
};

/**
 * Writes notices for the public pages of an organization that show a monitor of theirs and have subscribers, into the
 * transaction in which they happened, in one statement however many: a worker mails them if and only if it commits. Does
 * nothing where no e-mail is sent.
 */
export async function writePageNotices(
  tx: Transaction,
  { mail }: Pick<Services, 'mail'>,
  notices: NewPageNotice[],
): Promise<void> {
  if (!mail.isOn || notices.length === 0) return;
  const rows = notices.map((notice, place) => ({
    place,
    organization_id: notice.organizationId,
    kind: notice.kind,
    subject_id: notice.subjectId,
    title: notice.title,
    status: notice.status,
    message: notice.message,
    monitor_ids: notice.monitorIds,
    starts_at: notice.startsAt,
    ends_at: notice.endsAt,
    occurred_at: notice.occurredAt,
  }));
  await tx.$executeRaw`
    INSERT INTO page_notice (page_id, kind, subject_id, title, status, message, monitors, starts_at, ends_at, occurred_at)
    SELECT page.id, told.kind, told.subject_id, told.title, told.status, told.message, shown.monitors, told.starts_at,
           told.ends_at, told.occurred_at
      FROM jsonb_to_recordset(${storableJson(rows)}::jsonb) AS told (
             place int, organization_id text, kind text, subject_id text, title text, status text, message text,
             monitor_ids text[], starts_at timestamptz, ends_at timestamptz, occurred_at timestamptz)
      CROSS JOIN LATERAL (
             SELECT chosen.page_id, array_agg(monitor.name ORDER BY chosen.position) AS monitors
               FROM status_page_monitor AS chosen JOIN monitor ON monitor.id = chosen.monitor_id
              WHERE chosen.monitor_id = ANY(told.monitor_ids) GROUP BY 1) AS shown
      JOIN status_page AS page ON page.id = shown.page_id
     WHERE page.published AND page.organization_id = told.organization_id
       AND EXISTS (SELECT FROM page_subscriber WHERE page_id = page.id AND confirmed_at IS NOT NULL)
     ORDER BY told.place`;
}

/**
 * Sums up notices by what they are about: what is new stays new, whatever else was said or moved since. A window that was
 * planned and cancelled before anybody was told of it is no news; there may be none left.
 */
export function sumUpPage(notices: PageNotice[]): Subject[] {
  const bySubject = new Map<string, PageNotice[]>();
  for (const notice of notices) {
    const { subjectId } = notice;
    bySubject.set(subjectId, [...(bySubject.get(subjectId) ?? []), notice]);
  }
  return [...bySubject.values()].flatMap((own) => toSubject(own) ?? []);
}

function toSubject(notices: PageNotice[]): Subject | null {
  const latest = notices.at(-1);
  if (latest === undefined) return null;
  const { kind } = latest;
  const was = (earlier: Kind) => notices.some((notice) => notice.kind === earlier);
  if (isIncidentKind(kind)) {
    const isNew = kind === 'incident.updated' && was('incident.created');
    return { isIncident: true, kind: isNew ? 'incident.created' : kind, latest, notices };
  }
  const isNew = was('maintenance.planned');
  if (kind === 'maintenance.cancelled' && isNew) return null;
  const newsAs = kind === 'maintenance.moved' && isNew ? 'maintenance.planned' : kind;
  return { isIncident: false, kind: newsAs, latest, notices };
}

function isIncidentKind(kind: Kind): kind is IncidentKind {
  return kind.startsWith('incident.');
}
