import { DomainError, formatProblem } from '@/lib/core/errors';
import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import { requirePermission } from '@/lib/domain/context/permissions';
import type { DigestWeek } from '@/lib/schemas/reports/digest-week';
import { type Report, reportQuerySchema } from '@/lib/schemas/reports/report';
import { readReport } from '../read-report';
import { type ReportRange, reportRange } from '../report-range';

/** A certificate that ends soon, or has ended: the earliest end that any region sees. */
export type EndingCertificate = { monitorId: string; name: string; endsAt: Date };

/** The incidents that began in a week. If the longest is still open, `lastedMs` is its time until the week ended. */
export type WeekIncidents = {
  count: number;
  open: number;
  longest: { id: string; title: string; lastedMs: number; isOpen: boolean } | null;
};

/** What a week was like, for the members of an organization. */
export type Digest = {
  /** Uptime and response times of the week, or why they cannot be reported. */
  report: Report | string;
  incidents: WeekIncidents;
  /** Those that end first, and how many there are. */
  certificates: { first: EndingCertificate[]; count: number };
};

/** Certificates that end within this time are listed. */
export const CERTIFICATE_DAYS = 30;
export const MAX_CERTIFICATES = 10;

/** Reads the digest of a week that has ended; null for an organization without monitors. Throws FORBIDDEN. */
export async function readDigest(
  ctx: OrganizationContext,
  { from, to, timeZone }: Pick<DigestWeek, 'from' | 'to'> & { timeZone: string },
): Promise<Digest | null> {
  requirePermission(ctx, 'monitor.read');
  const { db, clock, organizationId } = ctx;
  const monitor = await db.monitor.findFirst({ where: { organizationId }, select: { id: true } });
  if (monitor === null) return null;
  const query = reportQuerySchema.parse({ from, to, timeZone });
  return {
    report: await readReport(ctx, query).catch(toProblem),
    incidents: await readIncidents(ctx, reportRange(query, clock.now())),
    certificates: await readCertificates(ctx),
  };
}

/** Why there is no report, such as that there are too many monitors. */
function toProblem(error: unknown): string {
  if (error instanceof DomainError && error.code === 'VALIDATION_ERROR') return formatProblem(error);
  throw error;
}

type IncidentRow = Omit<WeekIncidents, 'longest'> & NonNullable<WeekIncidents['longest']>;

async function readIncidents(
  { db, organizationId }: OrganizationContext,
  { from, until }: ReportRange,
): Promise<WeekIncidents> {
  const [row] = await db.$queryRaw<IncidentRow[]>`
    SELECT id, title, resolved_at IS NULL AS "isOpen", count(*) OVER ()::int AS count,
           count(*) FILTER (WHERE resolved_at IS NULL) OVER ()::int AS open,
           (extract(epoch FROM coalesce(resolved_at, ${until}) - started_at) * 1000)::float8 AS "lastedMs"
      FROM incident
     WHERE organization_id = ${organizationId} AND created_at >= ${from} AND created_at < ${until}
     ORDER BY "lastedMs" DESC, id LIMIT 1`;
  if (!row) return { count: 0, open: 0, longest: null };
  const { count, open, ...longest } = row;
  return { count, open, longest };
}

type CertificateRow = { monitorId: string; name: string; endsMs: number; count: number };

async function readCertificates({ db, clock, organizationId }: OrganizationContext) {
  const before = clock.now().getTime() + CERTIFICATE_DAYS * 86_400_000;
  const rows = await db.$queryRaw<CertificateRow[]>`
    SELECT *, count(*) OVER ()::int AS count
      FROM (SELECT monitor.id AS "monitorId", name,
                   min((region.value #>> '{latest,certificateExpiresAt}')::float8) AS "endsMs"
              FROM monitor
              JOIN monitor_state ON monitor_id = monitor.id
             CROSS JOIN jsonb_each(machine->'regions') AS region
             WHERE organization_id = ${organizationId} AND enabled
             GROUP BY monitor.id) AS certificate
     WHERE "endsMs" < ${before}
     ORDER BY "endsMs", "monitorId"
     LIMIT ${MAX_CERTIFICATES}`;
  return {
    first: rows.map(({ monitorId, name, endsMs }) => ({ monitorId, name, endsAt: new Date(endsMs) })),
    count: rows[0]?.count ?? 0,
  };
}
