import { createId } from '@/lib/core/ids';
import type { Transaction } from '@/lib/db/client';
import type { Incident } from '@/lib/db/generated/client';
import type { NewPageNotice } from '@/lib/notices/write-page-notices';
import type { EventPayload } from '@/lib/schemas/events';
import { decideIncident, type IncidentDecision } from './automatic-incident';
import { incidentCreated, incidentResolved, incidentUpdated } from './incident-events';
import { incidentNotice } from './incident-notice';

export type StatusChange = {
  organizationId: string;
  monitorId: string;
  monitorName: string;
  status: 'operational' | 'degraded' | 'down';
  at: Date;
};

/** What became of a monitor's automatic incident: the incident as it is now (null: there is none), and what to tell. */
export type FollowedIncident = {
  incident: Incident | null;
  events: EventPayload[];
  /** For subscribers of public pages; null: there is no new update. */
  notice: NewPageNotice | null;
};

/**
 * Opens, updates or resolves the automatic incidents of monitors whose status changed, in the same order. The caller
 * holds the monitors' state rows, which keeps two workers from opening two incidents.
 */
export async function followStatus(tx: Transaction, changes: StatusChange[]): Promise<FollowedIncident[]> {
  const open = await tx.incident.findMany({
    where: {
      monitorId: { in: changes.map((change) => change.monitorId) },
      automatic: true,
      resolvedAt: null,
    },
  });
  const current = new Map(open.map((incident) => [incident.monitorId, incident]));
  const followed: FollowedIncident[] = [];
  for (const change of changes) {
    const before = current.get(change.monitorId) ?? null;
    const decision = decideIncident(before, change.status, change.monitorName);
    followed.push(
      before
        ? await applyDecision(tx, before, decision, change.at)
        : await openIncident(tx, decision, change),
    );
  }
  return followed;
}

async function openIncident(
  tx: Transaction,
  decision: IncidentDecision,
  change: StatusChange,
): Promise<FollowedIncident> {
  if (decision.action !== 'open') return { incident: null, events: [], notice: null };
  const { title, status, severity, message } = decision;
  const { organizationId, monitorId, at } = change;
  const incident = await tx.incident.create({
    data: {
      id: createId('incident'),
      organizationId,
      title,
      description: message,
      status,
      severity,
      automatic: true,
      monitorId,
      affectedMonitors: [monitorId],
      createdAt: at,
      updatedAt: at,
      updates: { create: { id: createId('incidentUpdate'), status, message, createdAt: at } },
    },
  });
  const notice = incidentNotice('incident.created', incident, message);
  return { incident, events: [incidentCreated(incident)], notice };
}

async function applyDecision(
  tx: Transaction,
  before: Incident,
  decision: IncidentDecision,
  at: Date,
): Promise<FollowedIncident> {
  if (decision.action === 'resolve') return resolveIncident(tx, before, decision.message, at);
  if (decision.action !== 'update') return { incident: before, events: [], notice: null };
  const { title, status, severity, message } = decision;
  const incident = await tx.incident.update({
    where: { id: before.id },
    data: {
      title,
      status,
      severity,
      updatedAt: at,
      updates: { create: { id: createId('incidentUpdate'), status, message, createdAt: at } },
    },
  });
  const events = before.status === status ? [] : [incidentUpdated(incident, before.status, message)];
  return { incident, events, notice: incidentNotice('incident.updated', incident, message) };
}

/** Resolves an open incident with a message that the public may read. */
export async function resolveIncident(
  tx: Transaction,
  { id }: Pick<Incident, 'id'>,
  message: string,
  at: Date,
): Promise<FollowedIncident> {
  const status = 'resolved' as const;
  const incident = await tx.incident.update({
    where: { id, resolvedAt: null },
    data: {
      status,
      resolvedAt: at,
      updatedAt: at,
      updates: { create: { id: createId('incidentUpdate'), status, message, createdAt: at } },
    },
  });
  const notice = incidentNotice('incident.resolved', incident, message);
  return { incident, events: [incidentResolved(incident)], notice };
}
