import { DomainError } from '@/lib/core/errors';
import type { Transaction } from '@/lib/platform/db/client';

const MONITOR_ID = /^mon_[0-9a-z]+$/;

/**
 * Refuses (UNKNOWN_MONITOR, naming each place in the list) monitors that the organization does not have. The others cannot
 * be deleted until the transaction ends.
 */
export async function requireMonitors(tx: Transaction, organizationId: string, ids: string[]): Promise<void> {
  // What cannot be an id is not asked for: Postgres refuses some texts.
  const askable = ids.filter((id) => MONITOR_ID.test(id));
  const rows = await tx.$queryRaw<{ id: string }[]>`
    SELECT id FROM monitor WHERE id = ANY(${askable}) AND organization_id = ${organizationId}
     ORDER BY id FOR KEY SHARE`;
  const known = new Set(rows.map((row) => row.id));
  const details = ids.flatMap((id, index) =>
    known.has(id)
      ? []
      : [
          {
            path: `monitors.${index}`,
            code: 'unknown_monitor',
            message: 'is not a monitor of this organization',
          },
        ],
  );
  if (details.length === 0) return;
  const places = details.map((detail) => detail.path).join(', ');
  throw new DomainError('UNKNOWN_MONITOR', `There are no such monitors: ${places}.`, details);
}

/** The rows that put monitors on a page or into a maintenance window, in the order given. */
export function inOrder(ids: string[]): { monitorId: string; position: number }[] {
  return ids.map((monitorId, position) => ({ monitorId, position }));
}
