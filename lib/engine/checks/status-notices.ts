import type { NewNotice } from '@/lib/domain/notices/write-notices';
import type { Incident } from '@/lib/platform/db/generated/client';
import type { StatusEffect } from '@/lib/state/types';
import type { LockedMonitor } from './monitor-states';

/**
 * What members are told of a change of status by e-mail: that a monitor went down, and that one that was down is up
 * again. Null for all else.
 */
export function statusNotice(
  { id, name, organizationId }: Pick<LockedMonitor, 'id' | 'name' | 'organizationId'>,
  { event, at, details, downSince, downtimeMs }: StatusEffect,
  incident: Pick<Incident, 'id'> | null,
): NewNotice | null {
  const notice = {
    organizationId,
    subjectId: id,
    subjectName: name,
    incidentId: incident?.id ?? null,
    occurredAt: new Date(at),
  };
  if (event === 'monitor.down') {
    return { ...notice, kind: 'monitor.down', error: details.errorMessage, downtime: null };
  }
  // One that was only degraded is news to nobody here.
  if (event !== 'monitor.up' || downSince === null) return null;
  return { ...notice, kind: 'monitor.up', error: null, downtime: Math.floor(downtimeMs / 1000) };
}
