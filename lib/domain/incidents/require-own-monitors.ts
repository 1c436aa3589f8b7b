import { DomainError } from '@/lib/core/errors';
import type { Transaction } from '@/lib/platform/db/client';

/**
 * Refuses (UNKNOWN_MONITOR, naming each place in the list) monitors that are not the organization's. Those in `known`
 * pass unseen: an incident keeps the ids of monitors that were deleted meanwhile.
 */
export async function requireOwnMonitors(
  tx: Transaction,
  { organizationId, ids, known = [] }: { organizationId: string; ids: string[]; known?: string[] },
): Promise<void> {
  const asked = ids.filter((id) => !known.includes(id));
  if (asked.length === 0) return;
  const where = { organizationId, id: { in: asked.filter((id) => !id.includes('\0')) } };
  const own = new Set((await tx.monitor.findMany({ where, select: { id: true } })).map(({ id }) => id));
  const details = ids.flatMap((id, index) => {
    if (known.includes(id) || own.has(id)) return [];
    const path = `affectedMonitors.${index}`;
    return [{ path, code: 'unknown_monitor', message: 'is not a monitor of this organization' }];
  });
  if (details.length > 0) {
    throw new DomainError('UNKNOWN_MONITOR', 'Some monitors do not exist in this organization.', details);
  }
}
