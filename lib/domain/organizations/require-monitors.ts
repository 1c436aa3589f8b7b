import { DomainError } from '@/lib/core/errors';
import type { Transaction } from '@/lib/platform/db/client';

const MONITOR_ID = /^mon_[0-9a-z]+$/;

/** Where a list of monitors is in a request: the path of the list, or one for each. */
type Paths = string | readonly string[];

/**
 * Throws UNKNOWN_MONITOR, with a detail for each, for monitors that the organization does not have. Those in `known` are not checked:
 * an incident keeps the IDs of deleted monitors. Prevents the deletion of the others until the transaction ends.
 */
export async function requireMonitors(
  tx: Transaction,
  organizationId: string,
  ids: string[],
  { path = 'monitors', known = [] }: { path?: Paths; known?: string[] } = {},
): Promise<void> {
  const added = ids.filter((id) => !known.includes(id));
  const own = await lockOwnMonitors(tx, organizationId, added);
  requireKnownMonitors(ids, new Set([...known, ...own]), path);
}

/** Those of the monitors that the organization has; prevents their deletion until the transaction ends. */
export async function lockOwnMonitors(
  tx: Transaction,
  organizationId: string,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  // PostgreSQL rejects some texts that cannot be IDs.
  const possible = ids.filter((id) => MONITOR_ID.test(id));
  const rows = await tx.$queryRaw<{ id: string }[]>`
    SELECT id FROM monitor WHERE id = ANY(${possible}) AND organization_id = ${organizationId}
     ORDER BY id FOR KEY SHARE`;
  return new Set(rows.map(({ id }) => id));
}

/** Throws UNKNOWN_MONITOR, with a detail for each, for monitors that are not known. */
export function requireKnownMonitors(ids: readonly string[], known: ReadonlySet<string>, path: Paths): void {
  const message = 'is not a monitor of this organization';
  const details = ids.flatMap((id, index) =>
    known.has(id) ? [] : [{ path: pathAt(path, index), code: 'unknown_monitor', message }],
  );
  if (details.length === 0) return;
  const places = details.map((detail) => detail.path).join(', ');
  throw new DomainError('UNKNOWN_MONITOR', `Monitors not found: ${places}.`, details);
}

function pathAt(path: Paths, index: number): string {
  return typeof path === 'string' ? `${path}.${index}` : (path[index] ?? '');
}
