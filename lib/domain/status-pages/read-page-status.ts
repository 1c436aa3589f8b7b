import { toIso } from '@/lib/core/time/iso';
import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import { requirePermission } from '@/lib/domain/context/permissions';
import type { Services } from '@/lib/domain/context/services';
import type { CorrectedLedger } from '@/lib/domain/monitors/corrections/read-corrected';
import { readCurrentMonitors } from '@/lib/domain/monitors/lists/current-monitors';
import type { Database } from '@/lib/platform/db/client';
import { Prisma } from '@/lib/platform/db/generated/client';
import { isShownOn } from '@/lib/schemas/status-pages/automatic-incidents';
import type { PageState } from '@/lib/schemas/status-pages/page-state';
import type { PublicMonitor } from '@/lib/schemas/status-pages/public-status-page';
import { type PageRow, readPageRows } from './page-row';
import { decidePageStatus, type PageStatus } from './page-status';
import { readOpenIncidents, readPublishableIncidents } from './public/read-public-incidents';
import { listRows } from './sections/list-rows';
import { scopeOf } from './sections/page-scope';

/** A public monitor without its days, whose uptime is null if unknown. */
export type MonitorStatusRow = Omit<PublicMonitor, 'days' | 'uptimePercentage'> & {
  uptimePercentage: number | null;
};

/** What a page shows of the present, without its history. */
export async function readPageStatus(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  page: PageRow,
): Promise<PageStatus> {
  const [monitors, incidents] = await Promise.all([
    readMonitorStatuses(db, page.monitors, clock.now()),
    readOpenIncidents(db, scopeOf(page)),
  ]);
  return decidePageStatus(listRows(page, monitors), incidents, page).status;
}

type Columns = Pick<PublicMonitor, 'name' | 'type'>;

const COLUMNS = {
  name: Prisma.sql`monitor.name`,
  type: Prisma.sql`monitor.type::text`,
} satisfies Record<keyof Columns, Prisma.Sql>;

/**
 * The public data of monitors with what is known of their data, in the order of `ids`. Selects columns one by one, never URLs, headers
 * or bodies. `ledgersSince`: for those who show uptimes, as `readCurrentMonitors` says.
 */
export async function readMonitorStatuses(
  db: Pick<Database, '$queryRaw'>,
  ids: string[],
  now: Date,
  ledgersSince?: Date,
): Promise<MonitorStatusRow[]> {
  return (await readMonitorsWithLedgers(db, ids, now, ledgersSince)).map(({ monitor }) => monitor);
}

/** The same with the ledgers of those that have corrections. */
export async function readMonitorsWithLedgers(
  db: Pick<Database, '$queryRaw'>,
  ids: string[],
  now: Date,
  ledgersSince?: Date,
): Promise<{ monitor: MonitorStatusRow; ledger: CorrectedLedger | null }[]> {
  if (ids.length === 0) return [];
  const where = Prisma.sql`monitor.id = ANY(${ids})`;
  const order = Prisma.sql`array_position(${ids}, monitor.id)`;
  const selection = { columns: COLUMNS, where, order };
  const monitors = await readCurrentMonitors<Columns>(db, selection, now, ledgersSince);
  return monitors.map(({ row, facts, silence, uptimePercentage, measuredUptimePercentage, ledger }) => {
    const monitor = {
      id: row.id,
      name: row.name,
      type: row.type,
      enabled: facts.enabled,
      status: facts.status,
      inMaintenance: facts.isInMaintenance,
      lastCheckedAt: toIso(silence.lastCheckedAt),
      lastResponseTime: silence.lastResponseTime,
      noDataSince: silence.noDataSince?.toISOString() ?? null,
      uptimePercentage,
      measuredUptimePercentage,
    };
    return { monitor, ledger };
  });
}

/** The state of each page of the organization, by page ID, in at most five queries. */
export async function readPageStates(ctx: OrganizationContext): Promise<Map<string, PageState>> {
  requirePermission(ctx, 'status-page.read');
  const { db, clock, organizationId } = ctx;
  const pages = await readPageRows(db, Prisma.sql`organization_id = ${organizationId}`);
  const scopes = pages.map(scopeOf);
  const monitorIds = [...new Set(scopes.flatMap((scope) => scope.monitorIds))];
  const componentIds = scopes.flatMap((scope) => scope.componentIds);
  const [monitors, incidents] = await Promise.all([
    readMonitorStatuses(db, monitorIds, clock.now()),
    readPublishableIncidents(db, { organizationId, monitorIds, componentIds }),
  ]);
  const known = new Map(monitors.map((monitor) => [monitor.id, monitor]));
  return new Map(
    pages.map((page) => {
      const own = page.monitors.flatMap((id) => known.get(id) ?? []);
      const shown = incidents.filter((incident) => isShownOn(page, incident));
      return [page.id, decidePageStatus(listRows(page, own), shown, page).status.state];
    }),
  );
}
