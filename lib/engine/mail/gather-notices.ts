import { describeError } from '@/lib/core/errors';
import type { Logger } from '@/lib/core/logger';
import type { Services } from '@/lib/domain/context/services';
import type { Transaction } from '@/lib/platform/db/client';
import { Prisma } from '@/lib/platform/db/generated/client';
import { isDatabaseUnavailable } from '@/lib/platform/db/wait-for-database';

/** How people are notified. */
export type NoticeSettings = {
  /** How long the notices of one owner are gathered, starting with the oldest. */
  groupSeconds: number;
  /** APP_URL; null: mails carry no links. */
  appUrl: string | null;
};

/** A table of notices: those of one owner are gathered, and mailed together. */
export type NoticeTable = { table: Prisma.Sql; owner: Prisma.Sql; logField: string };

/** Notices to the members of an organization. */
export const MEMBER_NOTICES: NoticeTable = {
  table: Prisma.sql`member_notice`,
  owner: Prisma.sql`organization_id`,
  logField: 'organization',
};

/** Notices to the subscribers of a status page. */
export const PAGE_NOTICES: NoticeTable = {
  table: Prisma.sql`page_notice`,
  owner: Prisma.sql`page_id`,
  logField: 'statusPage',
};

/** Marks and returns all pending notices of an owner in order, if some have waited long enough. */
export type TakeNotices = <Notice>(columns: Prisma.Sql) => Promise<Notice[]>;

/**
 * Calls `mail` for at most `limit` owners whose notices have been gathered long enough. Each call has a
 * transaction that takes the notices and writes the mails: each notice is mailed exactly once, even if a
 * worker crashes. Notices that cannot be mailed are dropped and logged, so that they do not block the others.
 */
export async function mailGathered(
  { db, clock, log }: Pick<Services, 'db' | 'clock'> & { log?: Logger },
  { table, owner, logField }: NoticeTable,
  { groupSeconds, limit, timeout }: { groupSeconds: number; limit: number; timeout?: number },
  mail: (tx: Transaction, ownerId: string, takeNotices: TakeNotices) => Promise<void>,
): Promise<void> {
  const gatheredSince = new Date(clock.now().getTime() - groupSeconds * 1000);
  const due = await db.$queryRaw<{ id: string }[]>`
    SELECT DISTINCT ${owner} AS id FROM ${table}
     WHERE mailed_at IS NULL AND occurred_at <= ${gatheredSince} LIMIT ${limit}`;
  for (const { id } of due) {
    const takeFrom = (tx: Transaction): TakeNotices => {
      return (columns) => tx.$queryRaw`
        WITH taken AS (
          UPDATE ${table} SET mailed_at = ${clock.now()}
           WHERE ${owner} = ${id} AND mailed_at IS NULL
             AND EXISTS (SELECT FROM ${table} WHERE ${owner} = ${id} AND mailed_at IS NULL
                            AND occurred_at <= ${gatheredSince})
          RETURNING *
        )
        SELECT ${columns} FROM taken ORDER BY id`;
    };
    try {
      await db.$transaction((tx) => mail(tx, id, takeFrom(tx)), { timeout });
    } catch (error) {
      if (isDatabaseUnavailable(error)) throw error;
      log?.error({ [logField]: id, error: describeError(error) }, 'could not mail notices; dropping them');
      await db.$transaction((tx) => takeFrom(tx)(Prisma.sql`id`));
    }
  }
}

/** When pending notices have been gathered long enough; null if there are none. */
export async function nextNoticesAt(
  { db }: Pick<Services, 'db'>,
  { table }: NoticeTable,
  { groupSeconds }: Pick<NoticeSettings, 'groupSeconds'>,
): Promise<Date | null> {
  const rows = await db.$queryRaw<{ oldest: Date }[]>`
    SELECT occurred_at AS oldest FROM ${table} WHERE mailed_at IS NULL ORDER BY occurred_at LIMIT 1`;
  const oldest = rows[0]?.oldest;
  return oldest ? new Date(oldest.getTime() + groupSeconds * 1000) : null;
}
