import { createId } from '@/lib/core/ids';
import { type JournalEntry, writeJournal } from '@/lib/core/journal/journal';
import { storableJson } from '@/lib/core/storable-text';
import { formatDuration } from '@/lib/core/time/duration';
import type { NewPageNotice, PageNoticeKind } from '@/lib/domain/notices/write-page-notices';
import { afterCommit } from '@/lib/platform/db/after-commit';
import type { Transaction } from '@/lib/platform/db/client';
import type { Incident, IncidentUpdate } from '@/lib/platform/db/generated/client';
import type { IncidentStatus } from '@/lib/platform/db/generated/enums';
import type { Translations } from '@/lib/schemas/incidents/translations';
import type { EventContent } from '@/lib/schemas/webhooks/events';
import { endingOf } from './automatic-texts';
import { readImpacts } from './impacts';
import { readTranslations, translateNotice } from './translations/translations';

/** An automatic incident as the engine writes it, without its number, which the database assigns, and what only people add. */
export type EngineIncident = Omit<Incident, 'number' | 'version' | 'isOrphaned' | AddedByPeople> &
  Partial<Pick<Incident, 'impacts' | 'translations'>>;
type AddedByPeople =
  | 'acknowledgedAt'
  | 'acknowledgedBy'
  | 'affectedComponents'
  | 'importRef'
  | 'postmortem'
  | 'postmortemPublishedAt'
  | 'resolveAfterMinutes'
  | 'impacts'
  | 'translations';

/** Pending writes, collected while several changes are decided. */
export type IncidentChangeSet = {
  opened: Map<string, EngineIncident>;
  changed: Map<string, EngineIncident>;
  updates: Omit<IncidentUpdate, 'author' | 'translations'>[];
};

export function createChangeSet(): IncidentChangeSet {
  return { opened: new Map(), changed: new Map(), updates: [] };
}

/** Adds the new state of an incident and an update to the change set; the last state of an incident is written. */
export function noteIncident(
  changes: IncidentChangeSet,
  incident: EngineIncident,
  { message, isNew = false }: { message: string; isNew?: boolean },
): void {
  const { id, status, updatedAt } = incident;
  const target = isNew || changes.opened.has(id) ? changes.opened : changes.changed;
  target.set(id, incident);
  const update = { id: createId('incidentUpdate'), incidentId: id, status, message, createdAt: updatedAt };
  changes.updates.push(update);
}

/** Writes a change set, in one statement for each kind of row. A new title has no translations. */
export async function writeIncidents(tx: Transaction, { opened, changed, updates }: IncidentChangeSet) {
  if (opened.size > 0) {
    await tx.$executeRaw`
      INSERT INTO incident (id, organization_id, title, description, status, severity, automatic, monitor_id,
             affected_monitors, started_at, created_at, updated_at, resolved_at)
      SELECT id, "organizationId", title, description, status, severity, automatic, "monitorId", "affectedMonitors",
             "startedAt", "createdAt", "updatedAt", "resolvedAt"
        FROM jsonb_to_recordset(${storableJson([...opened.values()])}::jsonb) AS opened (
             id text, "organizationId" text, title text, description text, status incident_status,
             severity incident_severity, automatic boolean, "monitorId" text, "affectedMonitors" text[],
             "startedAt" timestamptz, "createdAt" timestamptz, "updatedAt" timestamptz, "resolvedAt" timestamptz)`;
  }
  if (changed.size > 0) {
    await tx.$executeRaw`
      UPDATE incident SET title = changed.title, status = changed.status, severity = changed.severity,
             updated_at = "updatedAt", resolved_at = "resolvedAt",
             translations = CASE WHEN incident.title = changed.title THEN translations ELSE '{}' END
        FROM jsonb_to_recordset(${storableJson([...changed.values()].map(withoutNumber))}::jsonb) AS changed (
             id text, title text, status incident_status, severity incident_severity, "updatedAt" timestamptz,
             "resolvedAt" timestamptz)
       WHERE incident.id = changed.id`;
  }
  if (updates.length > 0) {
    await tx.$executeRaw`
      INSERT INTO incident_update (id, incident_id, status, message, created_at)
      SELECT id, "incidentId", status, message, "createdAt"
        FROM jsonb_to_recordset(${storableJson(updates)}::jsonb) AS u (
             id text, "incidentId" text, status incident_status, message text, "createdAt" timestamptz)`;
  }
  const isResolved = ({ resolvedAt }: EngineIncident) => resolvedAt !== null;
  const written = [...opened.values(), ...changed.values()];
  logIncidents(tx, [
    ...[...opened.values()].map((incident) => ({ what: 'opened' as const, incident })),
    ...[...changed.values()]
      .filter((incident) => !isResolved(incident))
      .map((incident) => ({ what: 'updated' as const, incident })),
    ...written.filter(isResolved).map((incident) => ({ what: 'resolved' as const, incident })),
  ]);
}

type Happened = 'opened' | 'updated' | 'acknowledged' | 'resolved';

/** Logs what happened to incidents, once it is committed. */
export function logIncidents(
  tx: Transaction,
  happened: readonly { what: Happened; incident: EngineIncident }[],
): void {
  if (happened.length > 0) afterCommit(tx, () => writeJournal(happened.map(toEntry)));
}

function toEntry({ what, incident }: { what: Happened; incident: EngineIncident }): JournalEntry {
  const { id, organizationId: organization, monitorId: monitor, automatic, status, severity } = incident;
  const fields = { incident: id, organization, monitor, automatic, status, severity };
  return { message: `incident ${what}`, id, as: `${severity}, ${status}`, fields };
}

/** JSON has no bigint. */
function withoutNumber({ id, title, status, severity, updatedAt, resolvedAt }: EngineIncident) {
  return { id, title, status, severity, updatedAt, resolvedAt };
}

type Eventful = Pick<Incident, 'status' | 'severity' | 'title' | 'affectedMonitors'> &
  Partial<Pick<Incident, 'affectedComponents' | 'impacts'>>;

/** Whether receivers are notified of a change: one of the status, the severity, the title, or what is affected and how badly. */
export function isEventful(before: Eventful, after: Eventful): boolean {
  return (
    before.status !== after.status ||
    before.severity !== after.severity ||
    before.title !== after.title ||
    before.affectedMonitors.join() !== after.affectedMonitors.join() ||
    before.affectedComponents?.join() !== after.affectedComponents?.join() ||
    JSON.stringify(readImpacts(before)) !== JSON.stringify(readImpacts(after))
  );
}

type Shown = Omit<EngineIncident, 'resolvedAt'> & Partial<Pick<Incident, 'affectedComponents'>>;

/** The incident.created event. `causedBy`: a monitor that is down, on which that of the incident depends. */
export function incidentCreated(incident: Shown): EventContent {
  const timestamp = incident.updatedAt.toISOString();
  return { event: 'incident.created', timestamp, incident: shape(incident), causedBy: null };
}

/** The incident.updated event: a change of what receivers know of it, with the previous status and the message. */
export function incidentUpdated(
  incident: Shown,
  previousStatus: IncidentStatus,
  message: string,
): EventContent {
  return {
    event: 'incident.updated',
    timestamp: incident.updatedAt.toISOString(),
    incident: { ...shape(incident), previousStatus, message },
  };
}

/** The incident.acknowledged event. `by` and `via`: who works on it, as the event describes them. */
export function incidentAcknowledged(
  incident: Shown & { acknowledgedAt: Date },
  { by, via }: { by: string | null; via: string | null },
): EventContent {
  const acknowledgedAt = incident.acknowledgedAt.toISOString();
  return {
    event: 'incident.acknowledged',
    timestamp: acknowledgedAt,
    incident: { ...shape(incident), acknowledgedAt },
    acknowledgedBy: by === null ? null : { name: by },
    via,
  };
}

/**
 * The incident.resolved event. `duration` is the time from start to end; it equals `downtime` of monitor.up only if the monitor
 * was down the whole time, not degraded, unknown or in maintenance.
 */
export function incidentResolved(incident: Shown & { resolvedAt: Date }): EventContent {
  const { startedAt, updatedAt, resolvedAt } = incident;
  const duration = formatDuration(resolvedAt.getTime() - startedAt.getTime());
  return {
    event: 'incident.resolved',
    timestamp: updatedAt.toISOString(),
    incident: { ...shape(incident), resolvedAt: resolvedAt.toISOString(), duration },
  };
}

function shape({
  id,
  title,
  description,
  status,
  severity,
  affectedMonitors,
  affectedComponents = [],
  impacts = {},
}: Shown) {
  const affected = { affectedMonitors, affectedComponents, impacts: readImpacts({ impacts }) };
  return { id, title, description, status, severity, ...affected };
}

/** The notice for subscribers of public pages about a new update of an incident. */
export function incidentNotice(
  kind: Extract<PageNoticeKind, `incident.${string}`>,
  incident: EngineIncident & Partial<Pick<Incident, 'affectedComponents'>>,
  { message, translations = {} }: { message: string; translations?: Translations<'message'> },
): NewPageNotice {
  const { id, organizationId, title, status, automatic, monitorId, affectedMonitors, updatedAt } = incident;
  return {
    organizationId,
    kind,
    subjectId: id,
    title,
    status,
    message,
    translations: translateNotice(readTranslations({ translations: {}, ...incident }), translations),
    monitorIds: affectedMonitors,
    componentIds: incident.affectedComponents ?? [],
    named:
      automatic && monitorId !== null
        ? { monitorId, titleEnd: endingOf(title), messageEnd: endingOf(message) }
        : null,
    startsAt: null,
    endsAt: null,
    occurredAt: updatedAt,
  };
}
