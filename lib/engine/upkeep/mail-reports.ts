import { DomainError, formatProblem } from '@/lib/core/errors';
import type { Role } from '@/lib/domain/context/organization-context';
import type { Services } from '@/lib/domain/context/services';
import { readReport } from '@/lib/domain/reports/read-report';
import { composeReportMail } from '@/lib/domain/reports/report-mail-text';
import { nextReportAt } from '@/lib/domain/reports/report-mails';
import { doTimedWork, type TimedWork } from '@/lib/platform/db/claims';
import { Prisma } from '@/lib/platform/db/generated/client';
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

/** Reports that are due, longest overdue first. One that fails is due again after an hour; so is one whose worker crashed. */
const REPORTS: TimedWork<DueReport, Services> = {
  table: 'report_mail',
  order: 'next_at',
  hold: { by: 'postponing', column: 'next_at', ms: 3_600_000 },
  // A report can take a second or two; the rest follows at the next run.
  batch: 10,
  columns: {
    id: 'own.id',
    organizationId: 'own.organization_id',
    organizationName: 'organization.name',
    userId: 'own.user_id',
    role: 'role::text',
    email: 'email',
    timeZone: 'time_zone',
    target: 'target',
    tag: 'tag',
    statusPageId: 'status_page_id',
    statusPageName: 'status_page.name',
  },
  joins: Prisma.sql`
      JOIN membership ON membership.organization_id = own.organization_id AND membership.user_id = own.user_id
      JOIN organization ON organization.id = own.organization_id
      JOIN "user" ON "user".id = own.user_id
      LEFT JOIN status_page ON status_page.id = status_page_id`,
  act: (services, [report]) => mailReport(services, report),
  failure: ({ id }) => `could not mail the report ${id}; retrying in an hour`,
};

/**
 * Mails the reports that are due, each of the month before; returns how many were due. One that fails delays no other: its error is thrown
 * last. Concurrent workers never send the same one.
 */
export async function mailDueReports(services: Services): Promise<number> {
  return services.mail.isOn ? doTimedWork(services, REPORTS) : 0;
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
