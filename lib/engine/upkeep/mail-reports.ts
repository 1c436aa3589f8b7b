import { DomainError, formatProblem } from '@/lib/core/errors';
import type { Role } from '@/lib/domain/context/organization-context';
import type { Services } from '@/lib/domain/context/services';
import { readReport } from '@/lib/domain/reports/read-report';
import { composeReportMail } from '@/lib/domain/reports/report-mail-text';
import { nextReportAt } from '@/lib/domain/reports/report-mails';
import { queueMail } from '@/lib/platform/mail/queue-mail';
import { type ReportQuery, reportQuerySchema } from '@/lib/schemas/reports/report';

type DueReport = {
  id: string;
  organizationId: string;
  organizationName: string;
  userId: string;
  role: Role;
  email: string;
  timeZone: string;
  /** In thousandths of a percent. */
  target: number;
  tag: string | null;
  statusPageId: string | null;
  statusPageName: string | null;
};

/** A report that fails is due again after this long; so is one whose worker crashed. */
const RETRY_MS = 3_600_000;
/** A report can take a second or two; the rest follows at the next run. */
const BATCH = 10;

/**
 * Mails the reports that are due, each of the month before, longest overdue first; returns how many were due. One that fails delays no
 * other: its error is thrown last. Concurrent workers never send the same one.
 */
export async function mailDueReports(services: Services): Promise<number> {
  if (!services.mail.isOn) return 0;
  const due = await claimReports(services);
  const failures: Error[] = [];
  for (const each of due) {
    await mailReport(services, each).catch((cause) => {
      failures.push(new Error(`could not mail the report ${each.id}; retrying in an hour`, { cause }));
    });
  }
  if (failures.length > 0) throw failures[0];
  return due.length;
}

function claimReports({ db, clock }: Services): Promise<DueReport[]> {
  const now = clock.now();
  return db.$queryRaw<DueReport[]>`
    WITH due AS (
      SELECT id FROM report_mail WHERE next_at <= ${now} ORDER BY next_at LIMIT ${BATCH} FOR UPDATE SKIP LOCKED
    ), claimed AS (
      UPDATE report_mail AS mail SET next_at = ${new Date(now.getTime() + RETRY_MS)} FROM due WHERE mail.id = due.id
      RETURNING mail.*
    )
    SELECT claimed.id, claimed.organization_id AS "organizationId", organization.name AS "organizationName",
           claimed.user_id AS "userId", role::text AS role, email, time_zone AS "timeZone", target, tag,
           status_page_id AS "statusPageId", status_page.name AS "statusPageName"
      FROM claimed
           JOIN membership ON membership.organization_id = claimed.organization_id AND membership.user_id = claimed.user_id
           JOIN organization ON organization.id = claimed.organization_id
           JOIN "user" ON "user".id = claimed.user_id
           LEFT JOIN status_page ON status_page.id = status_page_id`;
}

async function mailReport(services: Services, due: DueReport): Promise<void> {
  const { id, organizationId, organizationName, userId, role, email, timeZone, tag, statusPageName } = due;
  const { db, clock, appUrl } = services;
  const query = queryOf(due);
  const ctx = { ...services, organizationId, actor: { kind: 'user' as const, userId, role } };
  const content = composeReportMail(await readReport(ctx, query).catch(toProblem), query, {
    organizationName,
    about: [statusPageName, tag].filter((name) => name !== null).join(', ') || null,
    link: (path) => (appUrl === null ? undefined : `${appUrl}${path}`),
  });
  await db.$transaction(async (tx) => {
    const nextAt = nextReportAt(timeZone, clock.now());
    const { count } = await tx.reportMail.updateMany({ where: { id }, data: { nextAt } });
    // Stopped meanwhile.
    if (count === 0) return;
    await queueMail(tx, services, { organizationId, kind: 'report', to: email, content, isBulk: true });
  });
}

function queryOf({ timeZone, target, tag, statusPageId }: DueReport): ReportQuery {
  const monitors = {
    ...(tag === null ? {} : { tag }),
    ...(statusPageId === null ? {} : { statusPage: statusPageId }),
  };
  return { ...reportQuerySchema.parse({ timeZone, ...monitors }), target: target / 1000 };
}

/** Why a report cannot be read, such as that there are too many monitors by now. */
function toProblem(error: unknown): string {
  if (error instanceof DomainError && error.code === 'VALIDATION_ERROR') return formatProblem(error);
  throw error;
}
