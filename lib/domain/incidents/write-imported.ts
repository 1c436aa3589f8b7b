import { createId } from '@/lib/core/ids';
import { storableJson } from '@/lib/core/storable-text';
import type { Transaction } from '@/lib/platform/db/client';
import type { Impacts } from '@/lib/schemas/incidents/incident';
import type { ImportedIncident } from '@/lib/schemas/incidents/incident-import';

/** An incident of another product that ended, with the rows that it affected by ID. */
export type PastIncident = Omit<ImportedIncident, 'rows' | 'impacts' | 'resolvedAt'> & {
  resolvedAt: Date;
  affectedMonitors: string[];
  affectedComponents: string[];
  impacts: Impacts;
};

/** How many incidents an organization imported, and those of some refs that it imported. */
export type ImportedRefs = { count: number; refs: string[] };

/** Reads what an organization imported before, and which of `wanted`, in one statement. The caller has locked the organization. */
export async function readImported(
  tx: Transaction,
  organizationId: string,
  wanted: string[],
): Promise<ImportedRefs> {
  const [imported] = await tx.$queryRaw<ImportedRefs[]>`
    SELECT count(*)::int AS count,
           coalesce(array_agg(import_ref) FILTER (WHERE import_ref = ANY(${wanted})), '{}') AS refs
      FROM incident WHERE organization_id = ${organizationId} AND import_ref IS NOT NULL`;
  return imported ?? { count: 0, refs: [] };
}

type Writing = { organizationId: string; source: string; incidents: readonly PastIncident[] };

/**
 * Writes incidents and their updates, with `source` as author, in two statements; nobody is notified. The numbers of incidents, which order
 * those of one moment, follow their start. The caller has locked the organization, and none was imported before.
 */
export async function writeImported(
  tx: Transaction,
  { organizationId, source, incidents }: Writing,
): Promise<void> {
  const rows = incidents.map(({ updates, ...incident }) => ({
    ...incident,
    id: createId('incident'),
    updates,
    updatedAt: new Date(
      Math.max(...[incident.resolvedAt, ...updates.map(({ createdAt }) => createdAt)].map(Number)),
    ),
  }));
  await tx.$executeRaw`
    INSERT INTO incident
      (id, organization_id, title, description, status, severity, automatic, affected_monitors, affected_components,
       impacts, started_at, created_at, updated_at, resolved_at, postmortem, postmortem_published_at, import_ref)
    SELECT id, ${organizationId}, title, description, 'resolved', severity, false, "affectedMonitors",
           "affectedComponents", impacts, "startedAt", "startedAt", "updatedAt", "resolvedAt", postmortem,
           CASE WHEN postmortem IS NOT NULL THEN "resolvedAt" END, ref
      FROM jsonb_to_recordset(${storableJson(rows.map(({ updates: _, ...row }) => row))}::jsonb) AS imported (
             id text, title text, description text, severity incident_severity, "affectedMonitors" text[],
             "affectedComponents" text[], impacts jsonb, "startedAt" timestamptz, "updatedAt" timestamptz,
             "resolvedAt" timestamptz, postmortem text, ref text)
     ORDER BY "startedAt", ref`;
  const updates = rows.flatMap(({ id: incidentId, updates: own }) =>
    own.map((update) => ({ ...update, id: createId('incidentUpdate'), incidentId })),
  );
  await tx.$executeRaw`
    INSERT INTO incident_update (id, incident_id, status, message, author, created_at)
    SELECT id, "incidentId", status, message, ${source}, "createdAt"
      FROM jsonb_to_recordset(${storableJson(updates)}::jsonb) AS imported (
             id text, "incidentId" text, status incident_status, message text, "createdAt" timestamptz)`;
}
