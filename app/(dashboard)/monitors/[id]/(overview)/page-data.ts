import 'server-only';
import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import { listIncidentsOfMonitor } from '@/lib/domain/incidents/read-incidents';
import { listMaintenance } from '@/lib/domain/maintenance/read-maintenance';
import { getMonitor } from '@/lib/domain/monitors/find-monitor';
import { listTransitions } from '@/lib/domain/monitors/history/ledger';
import { readChecks, readPhases } from '@/lib/domain/monitors/history/read-results';
import { readOverview } from '@/lib/domain/monitors/read-overview';
import { readStanding } from '@/lib/domain/monitors/read-standings';
import type { Monitor } from '@/lib/schemas/monitor';
import type { MonitorView } from '@/lib/schemas/monitor/monitor-view';
import { loaderOf } from '../../../act';

/** The monitor of the URL. */
export const loadMonitor = loaderOf(getMonitor);

const CHECKS = 20;
const CHANGES = 8;
const INCIDENTS = 8;

/** Everything a monitor's page shows besides the monitor itself, in a fixed number of statements. */
export async function readPageData(ctx: OrganizationContext, monitor: Monitor, view: MonitorView) {
  const { id } = monitor;
  const checks = { region: view.region ?? undefined, outcome: view.outcome ?? undefined };
  return allOf({
    overview: readOverview(ctx, monitor, view.window),
    phases: readPhases(ctx, id, view.window),
    standing: readStanding(ctx, id),
    transitions: listTransitions(ctx, id, { limit: CHANGES, cursor: view.changes ?? undefined }),
    incidents: listIncidentsOfMonitor(ctx, id, INCIDENTS),
    checks: readChecks(ctx, id, { ...checks, limit: CHECKS, cursor: view.after ?? undefined }),
    window: monitor.maintenance ? readCurrentWindow(ctx, id) : null,
  });
}

/** Awaits all values of an object. */
async function allOf<T extends Record<string, unknown>>(
  values: T,
): Promise<{ [Name in keyof T]: Awaited<T[Name]> }> {
  const entries = Object.entries(values).map(async ([name, value]) => [name, await value]);
  return Object.fromEntries(await Promise.all(entries));
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
