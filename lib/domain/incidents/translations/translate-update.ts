import { isDeepStrictEqual } from 'node:util';
import { invalidField, requireFound } from '@/lib/core/errors';
import { recordAudit } from '@/lib/domain/audit/record-audit';
import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import { findComponentPages } from '@/lib/domain/organizations/require-components';
import type { Transaction } from '@/lib/platform/db/client';
import type { Incident } from '@/lib/platform/db/generated/client';
import { notePagesChanged } from '@/lib/platform/page-front/application';
import type { ScheduledUpdateChanges } from '@/lib/schemas/incidents/incident';
import { readMessages } from './translations';

/**
 * Translates an update that is published; subscribers are not notified again. Returns whether anything changed. Throws NOT_FOUND, and
 * VALIDATION_ERROR for a change of anything else. The caller has locked the incident.
 */
export async function translateUpdate(
  tx: Transaction,
  ctx: OrganizationContext,
  incident: Incident,
  { id, changes }: { id: string; changes: ScheduledUpdateChanges },
): Promise<boolean> {
  const found = await tx.incidentUpdate.findFirst({ where: { id, incidentId: incident.id } });
  const before = requireFound(found, 'Update');
  const { translations: given, ...others } = changes;
  const kept: Record<string, unknown> = { message: before.message, status: before.status };
  const changed = Object.entries(others).find(([name, value]) => value !== kept[name]);
  if (changed) throw invalidField(changed[0], 'cannot be changed: the update is published', 'custom');
  const translations = given ?? readMessages(before);
  if (isDeepStrictEqual(translations, before.translations)) return false;
  await tx.incidentUpdate.update({ where: { id }, data: { translations } });
  await notePagesChanged(tx, { monitorIds: incident.affectedMonitors });
  const pageIds = await findComponentPages(tx, ctx.organizationId, incident.affectedComponents);
  await notePagesChanged(tx, { pageIds });
  await recordAudit(tx, ctx, {
    action: 'incident.update',
    subject: { id: incident.id, label: incident.title },
    before: { update: { id, translations: before.translations } },
    after: { update: { id, translations } },
  });
  return true;
}
