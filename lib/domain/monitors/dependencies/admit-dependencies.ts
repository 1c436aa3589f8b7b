import { invalidField } from '@/lib/core/errors';
import { lockOwnMonitors, requireKnownMonitors } from '@/lib/domain/organizations/require-monitors';
import { reviewSuppressed } from '@/lib/notify/held-rows';
import type { Transaction } from '@/lib/platform/db/client';
import { findCycle } from './find-cycle';

/** Decides what monitors of an organization can depend on, one after the other. */
export type Dependencies = {
  /**
   * Counts what a monitor is to depend on; `id` is null for a new one, on which nothing can depend. Throws UNKNOWN_MONITOR, and
   * VALIDATION_ERROR for a cycle; then it does not count.
   */
  admit(id: string | null, dependsOn: readonly string[]): void;
};

/**
 * Reads what `named` needs to be admitted. The organization is locked, so that what is admitted stays possible: of two changes that
 * would form a cycle together, the second sees the first.
 */
export async function openDependencies(
  tx: Transaction,
  organizationId: string,
  named: readonly string[],
): Promise<Dependencies> {
  const isNeeded = named.length > 0;
  const known = isNeeded ? await lockOwnMonitors(tx, organizationId, named) : new Set<string>();
  const rows = isNeeded ? await readEdges(tx, organizationId) : [];
  const edges = new Map(rows.map(({ id, dependsOn }) => [id, dependsOn]));
  const names = new Map(rows.map(({ id, name }) => [id, name]));
  const admit = (id: string | null, dependsOn: readonly string[]) => {
    requireKnownMonitors(dependsOn, known, 'dependsOn');
    if (id === null) return;
    const cycle = findCycle(edges, id, dependsOn);
    if (cycle !== null) {
      // Every monitor between the first and the last depends on something, so it has a name here.
      const way = cycle.slice(1, -1).map((each) => `“${names.get(each) ?? each}”`);
      const through = way.length === 0 ? '' : ` through ${way.join(' and ')}`;
      throw invalidField('dependsOn', `must not lead back to this monitor${through}`, 'cycle');
    }
    edges.set(id, [...dependsOn]);
  };
  return { admit };
}

function readEdges(tx: Transaction, organizationId: string) {
  return tx.$queryRaw<{ id: string; name: string; dependsOn: string[] }[]>`
    SELECT id, name, depends_on AS "dependsOn" FROM monitor
     WHERE organization_id = ${organizationId} AND depends_on <> '{}'`;
}

/** Removes monitors that are deleted from what others depend on. The organization is locked. */
export async function dropDependencies(
  tx: Transaction,
  organizationId: string,
  deleted: readonly string[],
  now: Date,
): Promise<void> {
  const gone = [...deleted];
  const changed = await tx.$executeRaw`
    UPDATE monitor
       SET depends_on = ARRAY(SELECT id FROM unnest(depends_on) WITH ORDINALITY AS named (id, place)
                               WHERE id <> ALL(${gone}) ORDER BY place),
           updated_at = ${now}
     WHERE depends_on && ${gone} AND depends_on <> '{}' AND organization_id = ${organizationId}`;
  if (changed > 0) await reviewSuppressed(tx, organizationId, now);
}
