import type { NewPageNotice, PageNoticeKind } from '@/lib/domain/notices/write-page-notices';
import type { EngineIncident } from './write-incidents';

/** What subscribers of public pages are told of an incident that has changed, with the message of its new update. */
export function incidentNotice(
  kind: Extract<PageNoticeKind, `incident.${string}`>,
  incident: EngineIncident,
  message: string,
): NewPageNotice {
  const { id, organizationId, title, status, affectedMonitors, updatedAt } = incident;
  return {
    organizationId,
    kind,
    subjectId: id,
    title,
    status,
    message,
    monitorIds: affectedMonitors,
    startsAt: null,
    endsAt: null,
    occurredAt: updatedAt,
  };
}
