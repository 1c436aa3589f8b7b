import { describeError } from '@/lib/core/errors';
import type { Logger } from '@/lib/core/logger';
import type { Services } from '@/lib/domain/context/services';
import { hasReaders } from '@/lib/notify/notices';
import { doOwnedWork } from '@/lib/platform/db/claims';
import type { Transaction } from '@/lib/platform/db/client';
import { Prisma } from '@/lib/platform/db/generated/client';

/** How people are notified. */
export type NoticeSettings = {
  /**
   * How long the notices of one owner are gathered: those of a status page starting with the oldest; those of an organization starting
   * with its last mail, so that the first is mailed at once.
   */
  groupSeconds: number;
  /** APP_URL; null: mails carry no links. */
  appUrl: string | null;
};

/** A table of notices: those of one owner are gathered, and mailed together. */
export type NoticeTable = {
  table: Prisma.Sql;
  owner: Prisma.Sql;
  /** The table of the owners. */
  owners: string;
  logField: string;
  /** When the pending notices of an owner are mailed, as an aggregate of their rows. */
  dueAt: (groupSeconds: number) => Prisma.Sql;
  /** Which of the rows are taken at all; all by default. */
  where?: Prisma.Sql;
};

/** What comes in the same moment is in one mail, for example all that share a host and an interval. */
const MOMENT_SECONDS = 2;

/** Notices to the members of an organization. While email is off, those for whom it was on wait, unless somebody gets them in a browser. */
export const memberNotices = (mail: { isOn: boolean }): NoticeTable => ({
  table: Prisma.sql`member_notice`,
  owner: Prisma.sql`organization_id`,
  owners: 'organization',
  logField: 'organization',
  dueAt: (groupSeconds) => Prisma.sql`
    greatest(
      min(occurred_at) + make_interval(secs => ${Math.min(MOMENT_SECONDS, groupSeconds)}::int),
      (SELECT max(mailed_at) FROM member_notice AS earlier
        WHERE earlier.organization_id = member_notice.organization_id AND mailed_at IS NOT NULL
          AND kind <> 'incident.reminder') + make_interval(secs => ${groupSeconds}::int))`,
  where: hasReaders(Prisma.sql`member_notice.organization_id`, mail),
});

/** Notices to the subscribers of a status page. */
export const PAGE_NOTICES: NoticeTable = {
  table: Prisma.sql`page_notice`,
  owner: Prisma.sql`page_id`,
  owners: 'status_page',
  logField: 'statusPage',
  dueAt: (groupSeconds) => Prisma.sql`min(occurred_at) + make_interval(secs => ${groupSeconds}::int)`,
};

/** Marks and returns all pending notices of an owner in order, if some have waited long enough. */
export type TakeNotices = <Notice>(columns: Prisma.Sql) => Promise<Notice[]>;

/** Mails to an owner, of whose row it is given `columns`. */
type Gathering<Owner> = {
  groupSeconds: number;
  limit: number;
  timeoutMs?: number;
  columns: Prisma.Sql;
  mail: (tx: Transaction, owner: Owner & { id: string }, takeNotices: TakeNotices) => Promise<void>;
};

/**
 * Calls `mail` for at most `limit` owners whose notices are due. Each call has a
 * transaction that takes the notices and writes the mails, and holds the owner, so that its notices are not split into two mails: each notice is
 * mailed exactly once, even if a worker crashes. Notices that cannot be mailed are dropped and logged, so that they do not block the others.
 */
export function mailGathered<Owner extends object>(
  { db, clock, log }: Pick<Services, 'db' | 'clock'> & { log?: Logger },
  notices: NoticeTable,
  { groupSeconds, limit, timeoutMs, columns, mail }: Gathering<Owner>,
): Promise<void> {
  const { table, owner, owners, logField } = notices;
  const now = clock.now();
  // Looks again whether they are due: another worker may have mailed some of them.
  const takeFrom = (tx: Transaction, id: string): TakeNotices => {
    return (selected) => tx.$queryRaw`
        WITH taken AS (
          UPDATE ${table} SET mailed_at = ${now}
           WHERE ${owner} = ${id} AND mailed_at IS NULL
             AND EXISTS (SELECT FROM (${selectPending(notices, groupSeconds)}) AS pending
                          WHERE pending.id = ${id} AND due_at <= ${now})
          RETURNING *
        )
        SELECT ${selected} FROM taken ORDER BY id`;
  };
  return doOwnedWork<Owner>(db, {
    owners,
    columns,
    due: Prisma.sql`
      SELECT id FROM (${selectPending(notices, groupSeconds)}) AS pending WHERE due_at <= ${now} LIMIT ${limit}`,
    timeoutMs,
    act: (tx, found) => mail(tx, found, takeFrom(tx, found.id)),
    onError: async (id, error) => {
      log?.error({ [logField]: id, error: describeError(error) }, 'could not mail notices; dropping them');
      await db.$transaction((tx) => takeFrom(tx, id)(Prisma.sql`id`));
    },
  });
}

/** When the next pending notices are due. */
export function nextNoticesAt(
  notices: NoticeTable,
  { groupSeconds }: Pick<NoticeSettings, 'groupSeconds'>,
): Prisma.Sql {
  return Prisma.sql`SELECT min(due_at) FROM (${selectPending(notices, groupSeconds)}) AS pending`;
}

/** The owners of pending notices, and when these are due. */
function selectPending(
  { table, owner, dueAt, where = Prisma.sql`TRUE` }: NoticeTable,
  groupSeconds: number,
): Prisma.Sql {
  return Prisma.sql`
    SELECT ${owner} AS id, ${dueAt(groupSeconds)} AS due_at FROM ${table}
     WHERE mailed_at IS NULL AND ${where} GROUP BY ${owner}`;
}
