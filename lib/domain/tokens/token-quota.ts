import { invalidState } from '@/lib/core/errors';
import type { Transaction } from '@/lib/platform/db/client';
import { Prisma } from '@/lib/platform/db/generated/client';

/** Valid tokens of one owner. While old ones overlap with those that replaced them, there may be twice as many. */
export const MAX_TOKENS = 20;
/** Those that ended stay listed, the last of them. */
export const MAX_ENDED = 20;

/** What has tokens: their table, the column of the owner, and what it is called. */
const OWNERS = {
  region: { table: 'probe_token', column: 'region', called: 'A region' },
  page: { table: 'page_token', column: 'page_id', called: 'A status page' },
} as const;

/**
 * Makes room for one more token of an owner, whom the caller has locked: the oldest of those that ended are deleted, so that their number is
 * limited, too. Throws VALIDATION_ERROR if `max` are valid.
 */
export async function requireTokenQuota(
  tx: Transaction,
  owner: keyof typeof OWNERS,
  { id, now, max }: { id: string; now: Date; max: number },
): Promise<void> {
  const { table, column, called } = OWNERS[owner];
  const own = Prisma.sql`${Prisma.raw(table)} WHERE ${Prisma.raw(column)} = ${id}`;
  const isValid = Prisma.sql`(revoked_at IS NULL AND (expires_at IS NULL OR expires_at > ${now}))`;
  const [row] = await tx.$queryRaw<[{ valid: number }]>`
    SELECT count(*)::int AS valid FROM ${own} AND ${isValid}`;
  if (row.valid >= max) {
    throw invalidState(`${called} has at most ${MAX_TOKENS} tokens. Revoke one that is not in use.`);
  }
  await tx.$executeRaw`
    DELETE FROM ${Prisma.raw(table)} WHERE id IN (
      SELECT id FROM ${own} AND NOT ${isValid} ORDER BY created_at DESC, id DESC OFFSET ${MAX_ENDED})`;
}
