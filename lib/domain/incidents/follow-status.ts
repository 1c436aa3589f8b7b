import { createId } from '@/lib/core/ids';
import type { NewPageNotice } from '@/lib/domain/notices/write-page-notices';
import type { Transaction } from '@/lib/platform/db/client';
import type { Incident } from '@/lib/platform/db/generated/client';
import type { IncidentSeverity, IncidentStatus } from '@/lib/platform/db/generated/enums';
import type { EventContent } from '@/lib/schemas/webhooks/events';
import { ENDINGS } from './automatic-texts';
import {
  createChangeSet,
  type EngineIncident,
  type IncidentChangeSet,
  incidentCreated,
  incidentNotice,
  incidentResolved,
  incidentUpdated,
  isEventful,
  noteIncident,
  writeIncidents,
} from './write-incidents';

export type FollowedChange = {
  organizationId: string;
  monitorId: string;
  monitorName: string;
  status: 'operational' | 'degraded' | 'down';
  /** When the status was decided. */
  at: Date;
  /** When the status began according to the ledger: the start or end of the incident. */
  since: Date;
};

/** A monitor's automatic incident after a change (null: none), with what to send. */
export type FollowedIncident = {
  incident: EngineIncident | null;
  events: EventContent[];
  /** For subscribers of public pages; null without a new update. */
  notice: NewPageNotice | null;
};

type Resolved = FollowedIncident & { incident: EngineIncident; notice: NewPageNotice };

/**
 * Opens, updates or resolves the automatic incidents of monitors whose status changed; returns the changes with what followed, in order.
 * Takes a fixed number of statements. The caller holds the locks of the monitors' state rows, so two workers cannot open two
 * incidents.
 */
export async function followStatus<Each extends FollowedChange>(
  tx: Transaction,
  changes: readonly Each[],
): Promise<(Each & FollowedIncident)[]> {
  const monitorIds = changes.map((change) => change.monitorId);
  const open = await readOpen(tx, monitorIds);
  const current = new Map<string, EngineIncident>();
  for (const incident of open) if (incident.monitorId !== null) current.set(incident.monitorId, incident);
  const written = createChangeSet();
  const followed = changes.map((change) => {
    const before = current.get(change.monitorId) ?? null;
    const after = followChange(written, before, change);
    const { incident } = after;
    if (incident && incident.resolvedAt === null) current.set(change.monitorId, incident);
    else current.delete(change.monitorId);
    return { ...change, ...after };
  });
  await writeIncidents(tx, written);
  return followed;
}

type OpenIncidentRow = EngineIncident & Pick<Incident, 'affectedComponents'>;

/**
 * One search of an index for each. Only one index has the order that is asked for: while few were open, another that says nothing of monitors would seem
 * as cheap, and a connection keeps that plan while thousands open. With an equality instead of BETWEEN, the order would mean nothing.
 */
function readOpen(tx: Transaction, monitorIds: readonly string[]): Promise<OpenIncidentRow[]> {
  return tx.$queryRaw<OpenIncidentRow[]>`
    SELECT id, organization_id AS "organizationId", title, description, status::text AS status,
           severity::text AS severity, automatic, open.monitor_id AS "monitorId",
           affected_monitors AS "affectedMonitors", affected_components AS "affectedComponents", impacts,
           translations, started_at AS "startedAt", created_at AS "createdAt", updated_at AS "updatedAt",
           resolved_at AS "resolvedAt"
      FROM unnest(${[...monitorIds]}::text[]) AS given (monitor_id)
     CROSS JOIN LATERAL (
             SELECT *
               FROM incident
              WHERE incident.monitor_id BETWEEN given.monitor_id AND given.monitor_id
                    AND automatic AND resolved_at IS NULL
              ORDER BY incident.monitor_id
              LIMIT 1) AS open`;
}

function followChange(
  written: IncidentChangeSet,
  before: EngineIncident | null,
  change: FollowedChange,
): FollowedIncident {
  const { at, since } = change;
  const decision = decideIncident(before, change.status, change.monitorName);
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
      const translations = title === before.title ? before.translations : {};
      const incident = { ...before, title, translations, status, severity, updatedAt: at };
      noteIncident(written, incident, { message });
      const events = isEventful(before, incident) ? [incidentUpdated(incident, before.status, message)] : [];
      return { incident, events, notice: incidentNotice('incident.updated', incident, { message }) };
    }
  }
}

function openIncident(
  written: IncidentChangeSet,
  { title, status, severity, message }: Extract<IncidentDecision, { title: string }>,
  { organizationId, monitorId, at, since }: FollowedChange,
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
  const notice = incidentNotice('incident.created', incident, { message });
  return { incident, events: [incidentCreated(incident)], notice };
}

/** An open incident to resolve, with a public message. */
export type Resolution = { incident: EngineIncident; message: string };

/** Resolves open incidents that the caller has locked and returns what to send, in the same order. */
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

/** Resolves an incident that ended at `since`: its duration is that of the outage, even if it is decided later. */
function resolve(
  written: IncidentChangeSet,
  before: EngineIncident,
  message: string,
  { at, since }: { at: Date; since: Date },
): Resolved {
  const resolvedAt = new Date(Math.max(since.getTime(), before.startedAt.getTime()));
  const incident = { ...before, status: 'resolved' as const, resolvedAt, updatedAt: at };
  noteIncident(written, incident, { message });
  const notice = incidentNotice('incident.resolved', incident, { message });
  return { incident, events: [incidentResolved(incident)], notice };
}

export type OpenIncident = { id: string; status: IncidentStatus; severity: IncidentSeverity };

/** The effect of a status change on a monitor's automatic incident. */
type IncidentDecision =
  | ({ action: 'open' | 'update'; title: string; message: string } & Pick<
      OpenIncident,
      'status' | 'severity'
    >)
  | { action: 'resolve'; message: string }
  | { action: 'none' };

/** Decides what happens to the automatic incident. The texts are public: they contain the monitor's name, never its URL or error. */
export function decideIncident(
  open: OpenIncident | null,
  status: 'operational' | 'degraded' | 'down',
  name: string,
): IncidentDecision {
  if (status === 'operational') {
    return open ? { action: 'resolve', message: `${name}${ENDINGS.isUp}` } : { action: 'none' };
  }
  if (status === 'down') {
    const down = {
      title: `${name}${ENDINGS.down}`,
      status: 'investigating',
      severity: 'critical',
      message: `${name}${ENDINGS.isDown}`,
    } as const;
    if (!open) return { action: 'open', ...down };
    const isKnown = open.status === down.status && open.severity === down.severity;
    return isKnown ? { action: 'none' } : { action: 'update', ...down };
  }
  if (!open) {
    const [title, message] = [`${name}${ENDINGS.degraded}`, `${name}${ENDINGS.isSlow}`];
    return { action: 'open', title, status: 'investigating', severity: 'minor', message };
  }
  if (open.severity !== 'critical' || open.status === 'monitoring') return { action: 'none' };
  const [title, message] = [`${name}${ENDINGS.degraded}`, `${name}${ENDINGS.isSlowAgain}`];
  return { action: 'update', title, status: 'monitoring', severity: open.severity, message };
}
