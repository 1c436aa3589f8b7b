import { DomainError } from '@/lib/core/errors';
import type { Transaction } from '@/lib/platform/db/client';

const MONITOR_ID = /^mon_[0-9a-z]+$/;

/**
 * Throws UNKNOWN_MONITOR, with a detail for each, for monitors that the organization does not have. `path` is that of their list, or
 * one for each. Those in `known` are not checked: an incident keeps the IDs of deleted monitors. Prevents the deletion of the others
 * until the transaction ends.
 */
export async function requireMonitors(
  tx: Transaction,
  organizationId: string,
  ids: string[],
  { path = 'monitors', known = [] }: { path?: string | readonly string[]; known?: string[] } = {},
): Promise<void> {
  // PostgreSQL rejects some texts that cannot be IDs.
  const added = ids.filter((id) => !known.includes(id) && MONITOR_ID.test(id));
  const rows = await tx.$queryRaw<{ id: string }[]>`
    SELECT id FROM monitor WHERE id = ANY(${added}) AND organization_id = ${organizationId}
     ORDER BY id FOR KEY SHARE`;
  const own = new Set([...known, ...rows.map(({ id }) => id)]);
  const message = 'is not a monitor of this organization';
  const details = ids.flatMap((id, index) =>
    own.has(id) ? [] : [{ path: pathAt(path, index), code: 'unknown_monitor', message }],
  );
  if (details.length === 0) return;
  const places = details.map((detail) => detail.path).join(', ');
  throw new DomainError('UNKNOWN_MONITOR', `Monitors not found: ${places}.`, details);
}

function pathAt(path: string | readonly string[], index: number): string {
  return typeof path === 'string' ? `${path}.${index}` : (path[index] ?? '');
}
