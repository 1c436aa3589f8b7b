import { SEAL_PREFIX_BYTES } from '@/lib/core/keyring';
import type { Services } from '@/lib/domain/context/services';
import { dropPreviousKeys } from '@/lib/domain/context/services';
import { Prisma } from '@/lib/platform/db/generated/client';
import { SECRET_FIELDS, sqlColumnOf } from '@/lib/schemas/monitor/fields';

/** A column of sealed values, with the SQL of the owner that each was sealed for: what the code that opens it says. */
type SealedColumn = { table: string; column: string; owner: string };

/** Every sealed column of the database; a test holds the list against the catalogue. */
export const SEALED_COLUMNS: readonly SealedColumn[] = [
  ...SECRET_FIELDS.map((name) => ({
    table: 'monitor',
    column: sqlColumnOf(name),
    owner: `id || '/${name}'`,
  })),
  { table: 'webhook_endpoint', column: 'secret_sealed', owner: 'id' },
  { table: 'webhook_endpoint', column: 'next_secret_sealed', owner: 'id' },
  { table: 'mail', column: 'content_sealed', owner: 'id' },
  {
    table: 'idempotent_answer',
    column: 'answer_sealed',
    owner: "organization_id || ' ' || lineage_id || ' ' || operation || ' ' || key",
  },
  { table: 'dry_run', column: 'target_sealed', owner: 'id' },
];

type Needs = Pick<Services, 'db' | 'keyring'>;

const AT_ONCE = 500;

/** How far a rotation is: of a column, or of all of them. */
export type Progress = { column: string; resealed: number; outdated: number };

/**
 * Seals everything anew that is not sealed under the current key, and then says that the previous ones open nothing any
 * more. Every value is under one key or the other at any time, and each says under which: it may be interrupted anywhere,
 * and called again. Processes that know both keys go on working meanwhile; what one that still seals under a previous key
 * adds is found by the next look. Answers how many values were sealed anew. Throws where a value opens under none of
 * the keys.
 */
export async function rotateSecrets(
  services: Pick<Services, 'db' | 'keyring'>,
  tell: (progress: Progress) => void = () => {},
): Promise<number> {
  let resealed = 0;
  let found: number;
  do {
    found = 0;
    for (const sealed of SEALED_COLUMNS) {
      const outdated = await countOutdated(services, sealed);
      resealed += await resealColumn(services, sealed, outdated, tell);
      found += outdated;
    }
  } while (found > 0);
  await dropPreviousKeys(services);
  return resealed;
}

async function resealColumn(
  services: Pick<Services, 'db' | 'keyring'>,
  sealed: (typeof SEALED_COLUMNS)[number],
  outdated: number,
  tell: (progress: Progress) => void,
): Promise<number> {
  let resealed = 0;
  while (resealed < outdated) {
    const batch = await resealBatch(services, sealed);
    if (batch === 0) break;
    resealed += batch;
    tell({ column: `${sealed.table}.${sealed.column}`, resealed, outdated });
  }
  return resealed;
}

/** How many values of a column are not sealed under the current key. */
async function countOutdated({ db, keyring }: Needs, sealed: SealedColumn): Promise<number> {
  const { table, column } = sqlOf(sealed);
  const [row] = await db.$queryRaw<{ count: number }[]>`
    SELECT count(*)::int AS count FROM ${table} WHERE ${isOutdated(column, keyring)}`;
  return row?.count ?? 0;
}

/**
 * Seals values of a column anew under the current key, at most a batch of them; answers how many. A value that somebody
 * changes meanwhile is left to them: it is recognised by its bytes, which no other value has. Throws where one opens under
 * none of the keys.
 */
async function resealBatch({ db, keyring }: Needs, sealed: SealedColumn): Promise<number> {
  const { table, column, owner } = sqlOf(sealed);
  const rows = await db.$queryRaw<{ old: Uint8Array; owner: string }[]>`
    SELECT ${column} AS old, ${owner} AS owner FROM ${table} WHERE ${isOutdated(column, keyring)} LIMIT ${AT_ONCE}`;
  const hex = rows.map(({ old, owner }) => {
    const fresh = keyring.seal(keyring.open(old, owner), owner);
    return { old: Buffer.from(old).toString('hex'), fresh: Buffer.from(fresh).toString('hex') };
  });
  await db.$executeRaw`
    UPDATE ${table} SET ${column} = decode(batch.fresh, 'hex')
      FROM unnest(${hex.map(({ old }) => old)}::text[], ${hex.map(({ fresh }) => fresh)}::text[]) AS batch (old, fresh)
     WHERE ${column} = decode(batch.old, 'hex')`;
  return rows.length;
}

function isOutdated(column: Prisma.Sql, { sealPrefix }: Needs['keyring']): Prisma.Sql {
  return Prisma.sql`${column} IS NOT NULL AND substring(${column} FROM 1 FOR ${SEAL_PREFIX_BYTES}::int) <> ${sealPrefix}`;
}

/** Names and expressions are constants of ours; nothing that anybody sends comes here. */
function sqlOf({ table, column, owner }: SealedColumn) {
  return { table: Prisma.raw(`"${table}"`), column: Prisma.raw(`"${column}"`), owner: Prisma.raw(owner) };
}
