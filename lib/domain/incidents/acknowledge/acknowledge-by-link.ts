import { DomainError, invalidState } from '@/lib/core/errors';
import type { OrganizationContext, Role } from '@/lib/domain/context/organization-context';
import { permits } from '@/lib/domain/context/permissions';
import type { Services } from '@/lib/domain/context/services';
import type { Transaction } from '@/lib/platform/db/client';
import type { AcknowledgeLink } from '@/lib/schemas/incidents/acknowledge-link';
import { writeAcknowledgement } from './acknowledge-incident';
import { isAcknowledgeLink } from './acknowledge-link';

/** An incident of a link. */
export type LinkedIncident = {
  id: string;
  title: string;
  isResolved: boolean;
  /** Who works on it; null: nobody yet. */
  acknowledgedBy: string | null;
  /** Whether the member has acknowledged it with a link. */
  isUsed: boolean;
};

/** Whether the link of an incident still does something. */
export function canAcknowledge({ isResolved, isUsed }: LinkedIncident): boolean {
  return !isResolved && !isUsed;
}

export const NO_SUCH_LINK = 'This link is not valid or has expired. Sign in to acknowledge the incident.';

type Row = LinkedIncident & { organizationId: string; role: Role };

/** Those of a link that its member may acknowledge. Throws NOT_FOUND for a link that is not valid, or no longer. */
export async function readLinkedIncidents(
  services: Services,
  link: AcknowledgeLink,
): Promise<LinkedIncident[]> {
  const rows = await readRows(services, link);
  return rows.map(({ organizationId: _, role: __, ...incident }) => incident);
}

/**
 * Acknowledges the open incidents of a link for its member, who need not be signed in, once each: after that, the link does nothing, also if
 * the acknowledgement is withdrawn. Throws NOT_FOUND for a link that is not valid, and VALIDATION_ERROR if there is nothing to acknowledge.
 */
export async function acknowledgeByLink(
  services: Services,
  link: AcknowledgeLink,
  address: string | null,
): Promise<void> {
  const rows = await readRows(services, link);
  const open = rows.filter(canAcknowledge);
  if (open.length === 0) throw invalidState('This link was already used, or the incident is resolved.');
  for (const { id, organizationId, role } of open) {
    const actor = { kind: 'user', userId: link.user, role } as const;
    const ctx: OrganizationContext = { ...services, organizationId, actor, address };
    await services.db.$transaction(async (tx) => {
      if (await markUsed(tx, ctx, id, link.user)) await writeAcknowledgement(tx, ctx, id, true);
    });
  }
}

/** Records the use; false if another request was first. */
async function markUsed(tx: Transaction, { clock }: Services, incidentId: string, userId: string) {
  const { count } = await tx.acknowledgeLinkUse.createMany({
    data: [{ incidentId, userId, usedAt: clock.now() }],
    skipDuplicates: true,
  });
  return count > 0;
}

async function readRows(services: Services, link: AcknowledgeLink): Promise<Row[]> {
  const { db, keyring, clock } = services;
  const isValid = isAcknowledgeLink(keyring, link, clock.now());
  const rows = isValid
    ? await db.$queryRaw<Row[]>`
        SELECT incident.id, title, resolved_at IS NOT NULL AS "isResolved", acknowledged_by AS "acknowledgedBy",
               incident.organization_id AS "organizationId", role::text AS role,
               EXISTS (SELECT FROM acknowledge_link_use
                        WHERE incident_id = incident.id AND user_id = membership.user_id) AS "isUsed"
          FROM incident JOIN membership ON membership.organization_id = incident.organization_id
         WHERE incident.id = ANY(${link.incidents.split(',')}) AND user_id = ${link.user}
         ORDER BY started_at, incident.id`
    : [];
  const permitted = rows.filter(({ role }) =>
    permits({ actor: { kind: 'user', userId: link.user, role } }, 'incident.acknowledge'),
  );
  if (permitted.length > 0) return permitted;
  throw new DomainError('NOT_FOUND', NO_SUCH_LINK);
}
