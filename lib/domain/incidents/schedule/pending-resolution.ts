import type { Transaction } from '@/lib/platform/db/client';
import type { Incident, Monitor } from '@/lib/platform/db/generated/client';
import type { SeenMonitor } from './decide-resolution';

/** What the resolution of an incident after a quiet time depends on. */
type Scheduled = Pick<Incident, 'id' | 'status' | 'resolveAfterMinutes'>;

/**
 * Has workers watch an incident from `now` if it is to be resolved after a quiet time, and no longer otherwise. One that is already watched
 * keeps its start. The caller has locked the incident.
 */
export async function watchQuiet(tx: Transaction, incident: Scheduled, now: Date): Promise<void> {
  const { id, status, resolveAfterMinutes } = incident;
  if (status !== 'monitoring' || resolveAfterMinutes === null) {
    await tx.incidentResolution.deleteMany({ where: { incidentId: id } });
    return;
  }
  await tx.$executeRaw`
    INSERT INTO incident_resolution (incident_id, since, check_at)
    VALUES (${id}, ${now}, ${now}::timestamptz + make_interval(mins => ${resolveAfterMinutes}::int))
    ON CONFLICT (incident_id) DO UPDATE
       SET check_at = incident_resolution.since + make_interval(mins => ${resolveAfterMinutes}::int)`;
}

/** The current periods of those of the monitors that still exist, in the order of `monitorIds`. */
export function readSeenMonitors(
  tx: Pick<Transaction, '$queryRaw'>,
  monitorIds: readonly string[],
): Promise<(SeenMonitor & Pick<Monitor, 'id' | 'name'>)[]> {
  const ids = [...monitorIds];
  return tx.$queryRaw`
    SELECT monitor.id, name, period.state::text AS state, period.from_at AS since
      FROM monitor LEFT JOIN status_period AS period ON period.monitor_id = monitor.id AND period.to_at IS NULL
     WHERE monitor.id = ANY(${ids}) ORDER BY array_position(${ids}, monitor.id)`;
}
