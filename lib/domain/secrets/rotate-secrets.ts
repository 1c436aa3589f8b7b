import { SEAL_PREFIX_BYTES } from '@/lib/core/keyring';
import { MAIL_SERVER_OWNER } from '@/lib/domain/context/live-mail';
import { dropPreviousKeys, type Services } from '@/lib/domain/context/services';
import { PUSH_KEYS_OWNER } from '@/lib/domain/push/push-keys';
import { Prisma } from '@/lib/platform/db/generated/client';
import { SECRET_FIELDS, sqlColumnOf } from '@/lib/schemas/monitor/fields';

/** A column of sealed values, with the SQL of the owner that each value is sealed for. */
type SealedColumn = { table: string; column: string; owner: string };

/** Every sealed column of the database; a test compares the list with the catalog. */
export const SEALED_COLUMNS: readonly SealedColumn[] = [
  ...SECRET_FIELDS.map((name) => ({
    table: 'monitor',
    column: sqlColumnOf(name),
    owner: `id || '/${name}'`,
  })),
  { table: 'monitor', column: 'heartbeat_token_sealed', owner: "id || '/heartbeatToken'" },
  { table: 'webhook_endpoint', column: 'secret_sealed', owner: 'id' },
  { table: 'webhook_endpoint', column: 'next_secret_sealed', owner: 'id' },
  { table: 'webhook_endpoint', column: 'credentials_sealed', owner: "id || '/credentials'" },
  { table: 'webhook_endpoint', column: 'headers_sealed', owner: "id || '/headers'" },
  { table: 'endpoint_subscriber', column: 'url_sealed', owner: "id || '/url'" },
  { table: 'endpoint_subscriber', column: 'secret_sealed', owner: 'id' },
  { table: 'endpoint_subscriber', column: 'next_secret_sealed', owner: 'id' },
  { table: 'totp_factor', column: 'secret_sealed', owner: "user_id || '/totp'" },
  { table: 'mail', column: 'content_sealed', owner: 'id' },
  { table: 'push_subscription', column: 'target_sealed', owner: 'id' },
  { table: 'push_message', column: 'content_sealed', owner: 'id' },
  { table: 'instance', column: 'push_private_key_sealed', owner: `'${PUSH_KEYS_OWNER}'` },
  { table: 'mail_server', column: 'url_sealed', owner: `'${MAIL_SERVER_OWNER}'` },
  {
    table: 'idempotent_answer',
    column: 'answer_sealed',
    owner: "organization_id || ' ' || lineage_id || ' ' || operation || ' ' || key",
  },
  { table: 'dry_run', column: 'target_sealed', owner: 'id' },
  { table: 'check_evidence', column: 'content_sealed', owner: 'id' },
];

type Needs = Pick<Services, 'db' | 'keyring' | 'races'>;

const BATCH = 500;

/** The progress of a rotation in one column. */
export type Progress = { column: string; resealed: number; outdated: number };

/**
 * Reseals every value that is not sealed with the current key, then drops the previous keys. Returns the number of resealed
 * values. Can be interrupted at any point and called again. Processes that have both keys keep working; values they seal with
 * a previous key in the meantime are found by the next pass. Throws if no key opens a value.
 */
export async function rotateSecrets(
  services: Needs,
  onProgress: (progress: Progress) => void = () => {},
): Promise<number> {
  let resealed = 0;
  let found: number;
  do {
    found = 0;
    for (const sealed of SEALED_COLUMNS) {
      const outdated = await countOutdated(services, sealed);
      resealed += await resealColumn(services, sealed, outdated, onProgress);
      found += outdated;
    }
  } while (found > 0);
  await dropPreviousKeys(services);
  return resealed;
}

async function resealColumn(
  services: Needs,
  sealed: SealedColumn,
  outdated: number,
  onProgress: (progress: Progress) => void,
): Promise<number> {
  let resealed = 0;
  while (resealed < outdated) {
    const batch = await resealBatch(services, sealed);
    if (batch === 0) break;
    resealed += batch;
    onProgress({ column: `${sealed.table}.${sealed.column}`, resealed, outdated });
  }
  return resealed;
}

/** The number of values in a column that are not sealed with the current key. */
async function countOutdated({ db, keyring }: Needs, sealed: SealedColumn): Promise<number> {
  const { table, column } = sqlOf(sealed);
  const [row] = await db.$queryRaw<{ count: number }[]>`
    SELECT count(*)::int AS count FROM ${table} WHERE ${isOutdated(column, keyring)}`;
  return row?.count ?? 0;
}

/**
 * Reseals one batch of a column with the current key; returns how many values. Values changed in the meantime no longer have
 * the same bytes and are left alone. Throws if no key opens a value.
 */
async function resealBatch({ db, keyring, races }: Needs, sealed: SealedColumn): Promise<number> {
  const { table, column, owner } = sqlOf(sealed);
  const rows = await db.$queryRaw<{ old: Uint8Array; owner: string }[]>`
    SELECT ${column} AS old, ${owner} AS owner FROM ${table} WHERE ${isOutdated(column, keyring)} LIMIT ${BATCH}`;
  if (races) await races.reach('secrets read');
  const hex = rows.map(({ old, owner }) => {
    const fresh = keyring.sealBytes(keyring.openBytes(old, owner), owner);
    return { old: Buffer.from(old).toString('hex'), fresh: Buffer.from(fresh).toString('hex') };
  });
  await db.$executeRaw`
    UPDATE ${table} SET ${column} = decode(batch.fresh, 'hex')
      FROM unnest(${hex.map(({ old }) => old)}::text[], ${hex.map(({ fresh }) => fresh)}::text[]) AS batch (old, fresh)
     WHERE ${column} = decode(batch.old, 'hex')`;
  return rows.length;
}

function isOutdated(column: Prisma.Sql, { sealPrefix }: Needs['keyring']): Prisma.Sql {
  return Prisma.sql`
    ${column} IS NOT NULL AND substring(${column} FROM 1 FOR ${SEAL_PREFIX_BYTES}::int) <> ${sealPrefix}`;
}

/** Only for our own constants, never for input. */
function sqlOf({ table, column, owner }: SealedColumn) {
  return { table: Prisma.raw(`"${table}"`), column: Prisma.raw(`"${column}"`), owner: Prisma.raw(owner) };
}
