import { createHash } from 'node:crypto';
import { DomainError } from '@/lib/core/errors';
import { createId } from '@/lib/core/ids';
import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import type { Transaction } from '@/lib/platform/db/client';
import { FIRST_SOURCE } from '@/lib/schemas/monitor/import';

/** Of a ref that gets the name of its source as prefix. */
const MAX_REF = 150;

/** An installation or file that monitors are imported from. Without an ID it has no import yet. */
export type MonitorSource = { id: string | null; name: string; isFirst: boolean };

type Reading = Pick<OrganizationContext, 'organizationId'> & {
  db: Pick<Transaction, 'importSource' | 'monitor'>;
};

/**
 * The source with a name. Without one, and with `main`, it is the first of the format, whatever its name is. Product IDs count from 1 everywhere, so only one source has the refs of
 * its files; it is the first that was imported, also by a version that did not know sources.
 */
export async function findSource(
  { db, organizationId }: Reading,
  format: string,
  name: string | null,
): Promise<MonitorSource> {
  const known = await db.importSource.findMany({ where: { organizationId, format } });
  const mayBeAny = name === null || name === FIRST_SOURCE;
  const found = known.find((each) => (mayBeAny ? each.isFirst : each.name === name));
  if (found) return found;
  if (mayBeAny) return { id: null, name: FIRST_SOURCE, isFirst: true };
  const isEarlier = { organizationId, ref: { startsWith: `${format}-` } };
  const isFirst =
    known.length === 0 && (await db.monitor.findFirst({ where: isEarlier, select: { id: true } })) === null;
  return { id: null, name, isFirst };
}

/** The ID of a source, which is created if it has none. Throws CONFLICT if another import of the format was the first meanwhile. */
export async function createSource(
  tx: Transaction,
  ctx: OrganizationContext,
  format: string,
  source: MonitorSource,
): Promise<string> {
  const { organizationId, clock } = ctx;
  const { id, name, isFirst } = source;
  if (id !== null) return id;
  const row = { id: createId('importSource'), organizationId, format, name, isFirst, createdAt: clock.now() };
  await tx.importSource.createMany({ data: [row], skipDuplicates: true });
  const created = await findSource({ db: tx, organizationId }, format, name);
  if (created.id !== null && created.name === name && created.isFirst === isFirst) return created.id;
  throw new DomainError('CONFLICT', 'Another import of this format began at the same time. Import again.');
}

/** The ref in Pharos of what a file of the source calls `ref`. */
export function refIn({ name, isFirst }: MonitorSource, ref: string): string {
  if (isFirst) return ref;
  if (ref.length <= MAX_REF) return `${name}/${ref}`;
  const digest = createHash('sha256').update(ref).digest('hex').slice(0, 8);
  return `${name}/${ref.slice(0, MAX_REF)}-${digest}`;
}
