import { createId } from '@/lib/core/ids';
import type { NewPageNotice } from '@/lib/domain/notices/write-page-notices';
import type { Transaction } from '@/lib/platform/db/client';
import type { IncidentSeverity, IncidentStatus } from '@/lib/platform/db/generated/enums';
import type { EventPayload } from '@/lib/schemas/events';
import {
  createChangeSet,
  type EngineIncident,
  type IncidentChangeSet,
  incidentCreated,
  incidentNotice,
  incidentResolved,
  incidentUpdated,
  noteIncident,
  writeIncidents,
} from './write-incidents';

export type StatusChange = {
  organizationId: string;
  monitorId: string;
  monitorName: string;
  status: 'operational' | 'degraded' | 'down';
  /** The moment of the decision. */
  at: Date;
  /** When the status began, as the ledger has it: an incident begins and ends there. */
  since: Date;
};

/** What became of a monitor's automatic incident: the incident as it is now (null: there is none), and what to tell. */
export type FollowedIncident = {
  incident: EngineIncident | null;
  events: EventPayload[];
  /** For subscribers of public pages; null: there is no new update. */
  notice: NewPageNotice | null;
};

type Resolved = FollowedIncident & { incident: EngineIncident; notice: NewPageNotice };

/**
 * Opens, updates or resolves the automatic incidents of monitors whose status changed, in the same order: several changes
 * of one monitor follow each other. Takes the same few statements for one change and for thousands. The caller holds the
 * monitors' state rows, which keeps two workers from opening two incidents.
 */
export async function followStatus(tx: Transaction, changes: StatusChange[]): Promise<FollowedIncident[]> {
  const open = await tx.incident.findMany({
    where: {
      monitorId: { in: changes.map((change) => change.monitorId) },
      automatic: true,
      resolvedAt: null,
    },
  });
  const current = new Map<string, EngineIncident>();
  for (const incident of open) if (incident.monitorId !== null) current.set(incident.monitorId, incident);
  const written = createChangeSet();
  const followed = changes.map((change) => {
    const before = current.get(change.monitorId) ?? null;
    const decision = decideIncident(before, change.status, change.monitorName);
    const after = applyDecision(written, { before, decision, change });
    const { incident } = after;
    if (incident && incident.resolvedAt === null) current.set(change.monitorId, incident);
    else current.delete(change.monitorId);
    return after;
  });
  await writeIncidents(tx, written);
  return followed;
}

function applyDecision(
  written: IncidentChangeSet,
  {
    before,
    decision,
    change,
  }: { before: EngineIncident | null; decision: IncidentDecision; change: StatusChange },
): FollowedIncident {
  const { at, since } = change;
  switch (decision.action) {
    case 'none':
      return { incident: before, events: [], notice: null };
    case 'open':
      return openIncident(written, decision, change);
    case 'resolve':
      if (before === null) throw new Error('there is no incident to resolve');
      return resolve(written, before, decision.message, { at, since });
    case 'update': {
      if (before === null) throw new Error('there is no incident to update');
      const { title, status, severity, message } = decision;
      const incident = { ...before, title, status, severity, updatedAt: at };
      noteIncident(written, incident, { message });
      const events = before.status === status ? [] : [incidentUpdated(incident, before.status, message)];
      return { incident, events, notice: incidentNotice('incident.updated', incident, message) };
    }
  }
}

function openIncident(
  written: IncidentChangeSet,
  { title, status, severity, message }: Extract<IncidentDecision, { action: 'open' }>,
  { organizationId, monitorId, at, since }: StatusChange,
): FollowedIncident {
  const incident = {
    id: createId('incident'),
    organizationId,
    title,
    description: message,
    status,
    severity,
    automatic: true,
    monitorId,
    affectedMonitors: [monitorId],
    startedAt: since,
    createdAt: at,
    updatedAt: at,
    resolvedAt: null,
  };
  noteIncident(written, incident, { message, isNew: true });
  const notice = incidentNotice('incident.created', incident, message);
  return { incident, events: [incidentCreated(incident)], notice };
}

/** An open incident that is to be resolved, with a message that the public may read. */
export type Resolution = { incident: EngineIncident; message: string };

/** Resolves open incidents that the caller has locked, and answers what to tell, in the same order. */
export async function resolveIncidents(
  tx: Transaction,
  resolutions: Resolution[],
  at: Date,
): Promise<Resolved[]> {
  const written = createChangeSet();
  const followed = resolutions.map(({ incident, message }) =>
    resolve(written, incident, message, { at, since: at }),
  );
  await writeIncidents(tx, written);
  return followed;
}

/** Resolves an incident that was over `since`: its length is that of the outage, however late it is told. */
function resolve(
  written: IncidentChangeSet,
  before: EngineIncident,
  message: string,
  { at, since }: { at: Date; since: Date },
): Resolved {
  const resolvedAt = new Date(Math.max(since.getTime(), before.startedAt.getTime()));
  const incident = { ...before, status: 'resolved' as const, resolvedAt, updatedAt: at };
  noteIncident(written, incident, { message });
  const notice = incidentNotice('incident.resolved', incident, message);
  return { incident, events: [incidentResolved(incident)], notice };
}

export type OpenIncident = { id: string; status: IncidentStatus; severity: IncidentSeverity };

/** What a change of a monitor's status does to its automatic incident. */
type IncidentDecision =
  | { action: 'open'; title: string; status: IncidentStatus; severity: IncidentSeverity; message: string }
  | { action: 'update'; title: string; status: IncidentStatus; severity: IncidentSeverity; message: string }
  | { action: 'resolve'; message: string }
  | { action: 'none' };

/**
 * The rules of decisions.md, "Incidents". The words are for the public: the monitor's name, never an address or an
 * error text.
 */
export function decideIncident(
  open: OpenIncident | null,
  status: 'operational' | 'degraded' | 'down',
  name: string,
): IncidentDecision {
  if (status === 'operational') {
    return open ? { action: 'resolve', message: `${name} is operational again.` } : { action: 'none' };
  }
  if (status === 'down') {
    const down = {
      title: `${name} is down`,
      status: 'investigating',
      severity: 'critical',
      message: `${name} is down.`,
    } as const;
    if (!open) return { action: 'open', ...down };
    const isKnown = open.status === down.status && open.severity === down.severity;
    return isKnown ? { action: 'none' } : { action: 'update', ...down };
  }
  if (!open) {
    const [title, message] = [`${name} is degraded`, `${name} shows degraded performance.`];
    return { action: 'open', title, status: 'investigating', severity: 'minor', message };
  }
  if (open.severity !== 'critical' || open.status === 'monitoring') return { action: 'none' };
  const message = `${name} is responding again, with degraded performance.`;
  return {
    action: 'update',
    title: `${name} is degraded`,
    status: 'monitoring',
    severity: open.severity,
    message,
  };
}
