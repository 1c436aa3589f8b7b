import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import { requirePermission } from '@/lib/domain/context/permissions';
import type { Services } from '@/lib/domain/context/services';
import { IS_IN_MAINTENANCE, readCurrentMonitors } from '@/lib/domain/monitors/lists/current-monitors';
import type { Database } from '@/lib/platform/db/client';
import { Prisma } from '@/lib/platform/db/generated/client';
import type { PublicMonitor } from '@/lib/schemas/status-pages/status-page';
import { type PageRow, readPageRows } from './page-row';

/** The aggregate status of a page as a sentence. */
export const PAGE_STATUS_SENTENCES: Record<OverallStatus, string> = {
  operational: 'All systems operational',
  degraded: 'Some systems are degraded',
  down: 'Some systems are down',
  pending: 'Not checked yet',
  noData: 'No current data for some systems',
};

/** Colors by status; white text has a contrast of at least 5:1 on each. */
export const STATUS_COLORS: Record<OverallStatus | 'paused' | 'maintenance', string> = {
  operational: '#166534',
  degraded: '#92400e',
  down: '#b91c1c',
  pending: '#52525b',
  noData: '#52525b',
  paused: '#52525b',
  maintenance: '#1d4ed8',
};

/** The aggregate status. `noData`: nothing is known to be down, but some monitors have no current data. */
export type OverallStatus = PublicMonitor['status'] | 'noData';

type Seen = Pick<PublicMonitor, 'status' | 'enabled' | 'inMaintenance'> & {
  /** When the last data arrived; null while data arrives. */
  noDataSince: string | null;
};

/** Pending monitors have the least weight. */
const WORST_FIRST = ['down', 'degraded', 'noData', 'operational', 'pending'] as const;

/** The worst status of the monitors that are neither paused nor in maintenance; operational without any. */
export function overallStatus(monitors: readonly Seen[]): OverallStatus {
  const counted = monitors.filter((monitor) => monitor.enabled && !monitor.inMaintenance);
  const statuses = counted.map(({ status, noDataSince }) => (noDataSince === null ? status : 'noData'));
  return WORST_FIRST.find((status) => statuses.includes(status)) ?? 'operational';
}

/** The aggregate status in the API, which has no status for missing data: pending instead of operational while data is missing. */
export function publicStatus(monitors: readonly Seen[]): PublicMonitor['status'] {
  const known = monitors.map((monitor) => {
    const isBad = monitor.status === 'down' || monitor.status === 'degraded';
    return isBad ? { ...monitor, noDataSince: null } : monitor;
  });
  const status = overallStatus(known);
  return status === 'noData' ? 'pending' : status;
}

/** A public monitor without its days. */
export type MonitorStatusRow = Omit<PublicMonitor, 'days'>;

/** The aggregate status of a page. */
export async function readPageStatus(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  { monitors: ids }: Pick<PageRow, 'monitors'>,
): Promise<OverallStatus> {
  return overallStatus(await readMonitorStatuses(db, ids, clock.now()));
}

type Columns = Pick<PublicMonitor, 'name' | 'type' | 'status' | 'inMaintenance'>;

const COLUMNS = {
  name: Prisma.sql`monitor.name`,
  type: Prisma.sql`monitor.type::text`,
  status: Prisma.sql`coalesce(state.status::text, 'pending')`,
  inMaintenance: IS_IN_MAINTENANCE,
} satisfies Record<keyof Columns, Prisma.Sql>;

/**
 * The public data of monitors with what is known of their data, in the order of `ids`. Selects columns one by one, never URLs, headers
 * or bodies.
 */
export async function readMonitorStatuses(
  db: Pick<Database, '$queryRaw'>,
  ids: string[],
  now: Date,
): Promise<MonitorStatusRow[]> {
  if (ids.length === 0) return [];
  const where = Prisma.sql`monitor.id = ANY(${ids})`;
  const order = Prisma.sql`array_position(${ids}, monitor.id)`;
  const monitors = await readCurrentMonitors<Columns>(db, { columns: COLUMNS, where, order }, now);
  return monitors.map(({ row, enabled, silence, uptimePercentage }) => ({
    id: row.id,
    name: row.name,
    type: row.type,
    enabled,
    status: row.status,
    inMaintenance: row.inMaintenance,
    lastCheckedAt: silence.lastCheckedAt?.toISOString() ?? null,
    lastResponseTime: silence.lastResponseTime,
    noDataSince: silence.noDataSince?.toISOString() ?? null,
    uptimePercentage,
  }));
}

/** The state of a page in lists; `empty` without monitors, `paused` without enabled ones. */
export type PageStanding = OverallStatus | 'empty' | 'paused';

/** The state of each page of the organization, by page ID, in at most four queries. */
export async function readPageStandings(ctx: OrganizationContext): Promise<Map<string, PageStanding>> {
  requirePermission(ctx, 'status-page.read');
  const { db, clock, organizationId } = ctx;
  const pages = await readPageRows(db, Prisma.sql`organization_id = ${organizationId}`);
  const ids = [...new Set(pages.flatMap(({ monitors }) => monitors))];
  const known = new Map((await readMonitorStatuses(db, ids, clock.now())).map((row) => [row.id, row]));
  return new Map(
    pages.map(({ id, monitors }) => [id, standingOf(monitors.flatMap((one) => known.get(one) ?? []))]),
  );
}

function standingOf(monitors: Parameters<typeof overallStatus>[0]): PageStanding {
  if (monitors.length === 0) return 'empty';
  return monitors.some(({ enabled }) => enabled) ? overallStatus(monitors) : 'paused';
}
