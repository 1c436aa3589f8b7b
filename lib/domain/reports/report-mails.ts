import { invalidState, notFound } from '@/lib/core/errors';
import { createId } from '@/lib/core/ids';
import { instantOf, wallTime } from '@/lib/core/time/zoned-time';
import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import type { ReportQuery } from '@/lib/schemas/reports/report';

/** A report that a member receives by email after each month. */
export type ReportMail = Pick<ReportQuery, 'timeZone' | 'tag' | 'statusPage' | 'target'> & {
  id: string;
  statusPageName: string | null;
};

/** A member's own reports, which require no permission: each sends what its reader may read. */
type Own = Pick<OrganizationContext, 'db' | 'clock' | 'organizationId'>;

/** How many a member can have in an organization. */
export const MAX_REPORT_MAILS = 10;
/** In the morning, by the clock of the time zone. */
const SENT_AT_HOUR = 7;
const HOUR = 3_600_000;

/** When the next report of a month is due: the morning of the first day after it. */
export function nextReportAt(timeZone: string, now: Date): Date {
  const wall = new Date(wallTime(now.getTime(), timeZone));
  const dueIn = (month: number) =>
    instantOf(Date.UTC(wall.getUTCFullYear(), month) + SENT_AT_HOUR * HOUR, timeZone);
  const inThis = dueIn(wall.getUTCMonth());
  return new Date(inThis > now.getTime() ? inThis : dueIn(wall.getUTCMonth() + 1));
}

/** The member's reports by email, oldest first. */
export async function listReportMails({ db, organizationId }: Own, userId: string): Promise<ReportMail[]> {
  const rows = await db.reportMail.findMany({
    where: { organizationId, userId },
    include: { statusPage: { select: { name: true } } },
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
  });
  return rows.map(({ id, timeZone, target, tag, statusPageId, statusPage }) => ({
    id,
    timeZone,
    target: target / 1000,
    ...(tag === null ? {} : { tag }),
    ...(statusPageId === null ? {} : { statusPage: statusPageId }),
    statusPageName: statusPage?.name ?? null,
  }));
}

/**
 * Sends the member the report of each month from now on, unless they receive the same one already. Throws NOT_FOUND for a status page of
 * another organization, and VALIDATION_ERROR beyond ten reports.
 */
export async function addReportMail(
  { db, clock, organizationId }: Own,
  userId: string,
  { timeZone, tag, statusPage, target }: ReportQuery,
): Promise<void> {
  const now = clock.now();
  const statusPageId = statusPage ?? null;
  const wanted = { timeZone, target: Math.round(target * 1000), tag: tag ?? null, statusPageId };
  await db.$transaction(async (tx) => {
    // One at a time for each member.
    await tx.$queryRaw`
      SELECT FROM membership WHERE organization_id = ${organizationId} AND user_id = ${userId} FOR UPDATE`;
    if (statusPageId !== null) {
      const found = await tx.statusPage.findFirst({
        where: { id: statusPageId, organizationId },
        select: { id: true },
      });
      if (found === null) throw notFound('Status page');
    }
    if (await tx.reportMail.findFirst({ where: { organizationId, userId, ...wanted } })) return;
    const count = await tx.reportMail.count({ where: { organizationId, userId } });
    if (count >= MAX_REPORT_MAILS) {
      throw invalidState(`You can receive at most ${MAX_REPORT_MAILS} reports by email. Stop one first.`);
    }
    const nextAt = nextReportAt(timeZone, now);
    await tx.reportMail.create({
      data: { id: createId('reportMail'), organizationId, userId, ...wanted, nextAt, createdAt: now },
    });
  });
}

/** Stops one of the member's reports; nothing happens if there is none. */
export async function removeReportMail(
  { db, organizationId }: Own,
  userId: string,
  id: string,
): Promise<void> {
  await db.reportMail.deleteMany({ where: { id, organizationId, userId } });
}
