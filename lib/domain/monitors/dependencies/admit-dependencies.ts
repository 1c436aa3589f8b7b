import { invalidField } from '@/lib/core/errors';
import { lockOwnMonitors, requireKnownMonitors } from '@/lib/domain/organizations/require-monitors';
import { reviewSuppressed } from '@/lib/notify/held-rows';
import type { Transaction } from '@/lib/platform/db/client';
import { MAX_GROUP_DEPTH, type MonitorConfig } from '@/lib/schemas/monitor/fields';
import { type Edges, findCycle } from './find-cycle';

/** What a monitor refers to. */
export type Referring = Pick<MonitorConfig, 'dependsOn' | 'members'>;

/** Decides what monitors of an organization can depend on and consist of, one after the other. */
export type Dependencies = {
  /**
   * Counts what a monitor is to refer to; `id` is null for a new one, to which nothing can refer. Throws UNKNOWN_MONITOR, and VALIDATION_ERROR for a
   * cycle, or for groups that are too deep; then it does not count.
   */
  admit(id: string | null, referring: Partial<Referring>): void;
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
  const referring = new Map<string, Referring>(rows.map((row) => [row.id, row]));
  const edges = new Map(rows.map((row) => [row.id, edgesOf(row)]));
  const names = new Map(rows.map(({ id, name }) => [id, name]));
  const admit = (id: string | null, { dependsOn, members }: Partial<Referring>) => {
    if (dependsOn !== undefined) requireKnownMonitors(dependsOn, known, 'dependsOn');
    if (members !== undefined) requireKnownMonitors(members, known, 'members');
    const before = (id === null ? undefined : referring.get(id)) ?? { dependsOn: [], members: [] };
    const next = { dependsOn: dependsOn ?? before.dependsOn, members: members ?? before.members };
    if (id !== null) {
      const field = dependsOn === undefined ? 'members' : 'dependsOn';
      requireNoCycle(id, next, { edges, names, field });
    }
    if (members !== undefined) requireShallow(id, members, referring);
    if (id === null) return;
    referring.set(id, next);
    edges.set(id, edgesOf(next));
  };
  return { admit };
}

const edgesOf = ({ dependsOn, members }: Referring) => [...dependsOn, ...members];

type Known = {
  edges: Edges;
  names: ReadonlyMap<string, string>;
  field: keyof Referring;
};

/** Neither what a monitor depends on nor what it consists of may lead back to it: of a group and its member, each would explain the other. */
function requireNoCycle(id: string, next: Referring, { edges, names, field }: Known): void {
  const cycle = findCycle(edges, id, edgesOf(next));
  if (cycle === null) return;
  // Every monitor between the first and the last refers to something, so it has a name here.
  const way = cycle.slice(1, -1).map((each) => `“${names.get(each) ?? each}”`);
  const through = way.length === 0 ? '' : ` through ${way.join(' and ')}`;
  const isMember = next.members.includes(cycle[1] ?? '');
  throw invalidField(isMember ? 'members' : field, `must not lead back to this monitor${through}`, 'cycle');
}

/** Throws VALIDATION_ERROR if a group with these members would be deeper than allowed, or make one around it so. */
function requireShallow(
  id: string | null,
  members: readonly string[],
  referring: ReadonlyMap<string, Referring>,
): void {
  const depths = new Map<string, number>();
  const depthOf = (each: string): number => {
    const inner = referring.get(each)?.members ?? [];
    const depth = depths.get(each) ?? Math.max(0, ...inner.map((member) => 1 + depthOf(member)));
    depths.set(each, depth);
    return depth;
  };
  const around = (each: string): number => {
    const outer = [...referring]
      .filter(([, to]) => to.members.includes(each))
      .map(([parent]) => around(parent));
    return outer.length === 0 ? 0 : 1 + Math.max(...outer);
  };
  const below = Math.max(0, ...members.map((each) => 1 + depthOf(each)));
  if (below + (id === null ? 0 : around(id)) <= MAX_GROUP_DEPTH) return;
  throw invalidField(
    'members',
    `must not have groups of groups deeper than ${MAX_GROUP_DEPTH} levels`,
    'too_deep',
  );
}

function readEdges(tx: Transaction, organizationId: string) {
  return tx.$queryRaw<(Referring & { id: string; name: string })[]>`
    SELECT id, name, depends_on AS "dependsOn", members FROM monitor
     WHERE organization_id = ${organizationId} AND (depends_on <> '{}' OR members <> '{}')`;
}

/** Removes monitors that are deleted from what others depend on or consist of. The organization is locked. */
export async function dropDependencies(
  tx: Transaction,
  organizationId: string,
  deleted: readonly string[],
  now: Date,
): Promise<void> {
  const gone = [...deleted];
  // Before the other statement: it finds each group by the index of members.
  await tx.$executeRaw`
    UPDATE monitor
       SET members = ARRAY(SELECT id FROM unnest(members) WITH ORDINALITY AS named (id, place)
                            WHERE id <> ALL(${gone}) ORDER BY place),
           updated_at = ${now}
     WHERE members && ${gone} AND members <> '{}' AND organization_id = ${organizationId}`;
  const changed = await tx.$executeRaw`
    UPDATE monitor
       SET depends_on = ARRAY(SELECT id FROM unnest(depends_on) WITH ORDINALITY AS named (id, place)
                               WHERE id <> ALL(${gone}) ORDER BY place),
           updated_at = ${now}
     WHERE depends_on && ${gone} AND depends_on <> '{}' AND organization_id = ${organizationId}`;
  if (changed > 0) await reviewSuppressed(tx, organizationId, now);
}
