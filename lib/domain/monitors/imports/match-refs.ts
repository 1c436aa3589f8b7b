import { createHash } from 'node:crypto';
import { groupBy } from '@/lib/core/groups';
import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import { refOf } from '@/lib/importing/plan/ref';
import type { Transaction } from '@/lib/platform/db/client';
import type { ImportRequest } from '@/lib/schemas/monitor/import';
import { type MonitorSource, refIn } from './import-sources';

type Reading = Pick<OrganizationContext, 'organizationId'> & { db: Pick<Transaction, 'monitor'> };
type Item = {
  ref: string;
  name: string;
  target: string;
  /** The ref that the name leads to; null if the ref does not come from it. */
  base: string | null;
};

/**
 * The refs in Pharos of the monitors of a file. One that comes from a name, as in files without IDs, has a number where the name repeats:
 * `csv-shop`, `csv-shop-2`. That number is a place in the file, so that monitors with equal names are distinguished by their targets first;
 * otherwise one would get the history of another that was removed from the file.
 */
export async function matchRefs(
  { db, organizationId }: Reading,
  { format, source }: { format: string; source: MonitorSource },
  monitors: ImportRequest['monitors'],
): Promise<string[]> {
  const items = monitors.map((monitor) => toItem(format, source, monitor));
  const named = items.filter(({ base }) => base !== null);
  if (named.length === 0) return items.map(({ ref }) => ref);
  const where = { organizationId, name: { in: named.map(({ name }) => name) } };
  const stored = await db.monitor.findMany({ where, select: { ref: true, type: true, url: true } });
  const targets = new Map(stored.map(({ ref, type, url }) => [ref ?? '', targetOf({ type, url })]));
  const matched = new Map<Item, string>();
  for (const group of groupBy(named, ({ base }) => base).values()) matchGroup(group, targets, matched);
  return items.map((item) => matched.get(item) ?? item.ref);
}

function toItem(format: string, source: MonitorSource, monitor: ImportRequest['monitors'][number]): Item {
  const name = typeof monitor.name === 'string' ? monitor.name.trim() : '';
  const base = name === '' ? null : refIn(source, refOf(format, name));
  const ref = refIn(source, monitor.ref);
  const isNamed = base !== null && isSibling(ref, base);
  return { ref, name, target: targetOf(monitor), base: isNamed ? base : null };
}

function targetOf({ type = 'http', url }: Readonly<Record<string, unknown>>): string {
  return `${type} ${typeof url === 'string' ? url.trim() : ''}`;
}

function isSibling(ref: string, base: string): boolean {
  return ref.startsWith(base) && /^(?:-(?:\d+|[0-9a-f]{8}))?$/.test(ref.slice(base.length));
}

/** Adds the refs of monitors with one name: of the same target, else their own, else a new one. */
function matchGroup(
  group: readonly Item[],
  targets: ReadonlyMap<string, string>,
  matched: Map<Item, string>,
): void {
  const taken = new Set<string>();
  const take = (item: Item, ref: string) => {
    taken.add(ref);
    matched.set(item, ref);
  };
  const same = [...targets].filter(([ref]) =>
    group.some(({ base }) => base !== null && isSibling(ref, base)),
  );
  for (const item of group) if (targets.get(item.ref) === item.target) take(item, item.ref);
  for (const item of group.filter((each) => !matched.has(each))) {
    const found = same.find(([ref, target]) => target === item.target && !taken.has(ref));
    if (found) take(item, found[0]);
  }
  for (const item of group.filter((each) => !matched.has(each))) {
    const digest = createHash('sha256').update(item.target).digest('hex').slice(0, 8);
    take(item, taken.has(item.ref) ? `${item.base}-${digest}` : item.ref);
  }
}
