import 'server-only';
import { standingOf } from '@/components/monitors/standing-badge';
import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import { listIncidentsOfMonitor } from '@/lib/domain/incidents/read-incidents';
import { listMaintenance } from '@/lib/domain/maintenance/read-maintenance';
import { getMonitor } from '@/lib/domain/monitors/find-monitor';
import { chooseRange } from '@/lib/domain/monitors/history/chart-range';
import { readLatestChecks } from '@/lib/domain/monitors/history/read-results';
import { readOverview } from '@/lib/domain/monitors/read-overview';
import { readStanding } from '@/lib/domain/monitors/read-standings';
import type { Monitor } from '@/lib/schemas/monitor';
import type { MonitorView } from '@/lib/schemas/monitor/monitor-view';
import { loaderOf } from '../../../act';

/** The monitor of the URL. */
export const loadMonitor = loaderOf(getMonitor);

/** How many incidents the page shows. */
export const INCIDENTS = 8;

/** What the page of a monitor shows at first besides the monitor itself, in a fixed number of statements. */
export async function readPageData(ctx: OrganizationContext, monitor: Monitor, view: MonitorView) {
  const { id } = monitor;
  const { range, isFitted, standing } = await readRange(ctx, monitor, view);
  const [overview, latest, incidents, window] = await Promise.all([
    readOverview(ctx, monitor, range),
    readLatestChecks(ctx, id),
    listIncidentsOfMonitor(ctx, id, INCIDENTS),
    monitor.maintenance ? readCurrentWindow(ctx, id) : null,
  ]);
  return { overview, isFitted, latest, standing, incidents: incidents.items, window };
}

/** What the charts cover, with the standing that it depends on. */
export async function readRange(ctx: OrganizationContext, monitor: Monitor, view: MonitorView) {
  const standing = await readStanding(ctx, monitor.id);
  const since = hasProblem(monitor) && standing.change ? new Date(standing.change.at) : null;
  return { ...chooseRange(view, since, ctx.clock.now()), standing };
}

/** Whether the monitor is down or degraded now. */
export function hasProblem(monitor: Monitor): boolean {
  const standing = standingOf(monitor);
  return standing === 'down' || standing === 'degraded';
}

/** The active window that ends last. */
async function readCurrentWindow(ctx: OrganizationContext, monitor: string) {
  const { items } = await listMaintenance(ctx, { status: 'active', monitor, limit: 100 });
  const [last] = items
    .map(({ id, title, occurrence, endsAt, timeZone }) => {
      return { id, title, timeZone, until: occurrence?.endsAt ?? endsAt };
    })
    .sort((a, b) => b.until.localeCompare(a.until));
  return last ?? null;
}
