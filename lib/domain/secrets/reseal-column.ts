import { SEAL_PREFIX_BYTES } from '@/lib/core/keyring';
import type { Services } from '@/lib/domain/context/services';
import { Prisma } from '@/lib/platform/db/generated/client';
import type { SealedColumn } from './sealed-columns';

type Needs = Pick<Services, 'db' | 'keyring'>;

const AT_ONCE = 500;

/** How many values of a column are not sealed under the current key. */
export async function countOutdated({ db, keyring }: Needs, sealed: SealedColumn): Promise<number> {
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
export async function resealBatch({ db, keyring }: Needs, sealed: SealedColumn): Promise<number> {
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
