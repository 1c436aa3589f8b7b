import type { NewPageNotice } from './write-page-notices';

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
