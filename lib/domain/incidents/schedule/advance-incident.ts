import { createId } from '@/lib/core/ids';
import type { Services } from '@/lib/domain/context/services';
import { lockIncident } from '@/lib/domain/incidents/change-incident';
import { readMessages } from '@/lib/domain/incidents/translations/translations';
import { writeChange } from '@/lib/domain/incidents/write-change';
import type { Transaction } from '@/lib/platform/db/client';
import type { Incident } from '@/lib/platform/db/generated/client';
import { NO_QUIET_TIME } from '@/lib/schemas/incidents/incident';
import { decideResolution, formatQuiet } from './decide-resolution';
import { readSeenMonitors } from './pending-resolution';
import { countVersion } from './schedule-update';

/**
 * Publishes the scheduled updates of an incident that are due at `now`, the earliest first, drops those of a resolved incident, and resolves
 * it after its quiet time. Everything is read after the incident is locked, so concurrent workers do nothing twice. Throws NOT_FOUND.
 */
export async function advanceIncident(
  tx: Transaction,
  services: Pick<Services, 'appUrl' | 'mail'>,
  { id, organizationId }: Pick<Incident, 'id' | 'organizationId'>,
  now: Date,
): Promise<void> {
  const incident = await lockIncident(tx, { organizationId }, id);
  const published = await publishDue(tx, services, incident, now);
  await resolveIfQuiet(tx, services, published, now);
}

async function publishDue(
  tx: Transaction,
  services: Pick<Services, 'appUrl' | 'mail'>,
  incident: Incident,
  now: Date,
): Promise<Incident> {
  const due = await tx.scheduledUpdate.findMany({
    where: { incidentId: incident.id, droppedAt: null, publishAt: { lte: now } },
    orderBy: [{ publishAt: 'asc' }, { id: 'asc' }],
  });
  let current = incident;
  for (const { id, message, author, status, resolveAfterMinutes, ...row } of due) {
    if (current.status === 'resolved') {
      await tx.scheduledUpdate.update({ where: { id }, data: { droppedAt: now } });
      await countVersion(tx, current.id);
      continue;
    }
    const fields = {
      ...(status === null ? {} : { status }),
      ...(resolveAfterMinutes === null ? {} : { resolveAfterMinutes: quietTimeOf(resolveAfterMinutes) }),
    };
    await tx.scheduledUpdate.delete({ where: { id } });
    const update = { id, message, translations: readMessages(row), author };
    current = await writeChange(tx, services, current, { fields, update }, now);
  }
  return current;
}

/** Of the incident: null, if people resolve it. */
function quietTimeOf(minutes: number): number | null {
  return minutes === NO_QUIET_TIME ? null : minutes;
}

async function resolveIfQuiet(
  tx: Transaction,
  services: Pick<Services, 'appUrl' | 'mail'>,
  incident: Incident,
  now: Date,
): Promise<void> {
  const { id: incidentId, status, resolveAfterMinutes } = incident;
  const pending = await tx.incidentResolution.findUnique({ where: { incidentId } });
  if (pending === null || pending.checkAt > now) return;
  if (status !== 'monitoring' || resolveAfterMinutes === null) {
    // An older version, or the monitor of an automatic incident, has changed the status.
    await tx.incidentResolution.delete({ where: { incidentId } });
    return;
  }
  const monitors = await readSeenMonitors(tx, incident.affectedMonitors);
  const decision = decideResolution({ since: pending.since, resolveAfterMinutes, monitors }, now);
  if (!decision.isQuiet) {
    await tx.incidentResolution.update({ where: { incidentId }, data: { checkAt: decision.lookAt } });
    return;
  }
  const message = formatQuiet(resolveAfterMinutes);
  const update = { id: createId('incidentUpdate'), message, author: null };
  await writeChange(tx, services, incident, { fields: { status: 'resolved' }, update }, now);
}
