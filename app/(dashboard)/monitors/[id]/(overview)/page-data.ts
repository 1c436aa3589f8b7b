import 'server-only';
import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import { listIncidents } from '@/lib/domain/incidents/read-incidents';
import { listMaintenance } from '@/lib/domain/maintenance/read-maintenance';
import { listTransitions } from '@/lib/domain/monitors/history/ledger';
import {
  listResults,
  readCertificateEnd,
  readLatestChecks,
  readPhases,
} from '@/lib/domain/monitors/history/read-results';
import { readOverview } from '@/lib/domain/monitors/read-overview';
import { readStanding } from '@/lib/domain/monitors/read-standings';
import { readUnservedRegions } from '@/lib/domain/monitors/silence';
import { listPagesOfMonitor } from '@/lib/domain/status-pages/read-status-pages';
import type { Monitor } from '@/lib/schemas/monitor';
import type { MonitorView } from '@/lib/schemas/monitor/monitor-view';

const CHECKS = 20;
const CHANGES = 8;
const INCIDENTS = 8;

/** Everything a monitor's page shows besides the monitor itself, in a fixed number of statements. */
export async function readPageData(ctx: OrganizationContext, monitor: Monitor, view: MonitorView) {
  const { id } = monitor;
  const { region, outcome } = view;
  const filter = { ...(region ? { region } : {}), ...(outcome ? { outcome } : {}) };
  const [
    overview,
    phases,
    latest,
    standing,
    transitions,
    latestChange,
    incidents,
    checks,
    certificateEnd,
    pages,
    unserved,
    window,
  ] = await Promise.all([
    readOverview(ctx, id, view.window),
    readPhases(ctx, id, view.window),
    readLatestChecks(ctx, id),
    readStanding(ctx, id),
    listTransitions(ctx, id, { limit: CHANGES, ...(view.changes ? { cursor: view.changes } : {}) }),
    view.changes ? listTransitions(ctx, id, { limit: 1 }) : null,
    listIncidents(ctx, { monitor: id, limit: INCIDENTS }),
    listResults(ctx, id, { limit: CHECKS, ...filter, ...(view.after ? { cursor: view.after } : {}) }),
    readCertificateEnd(ctx, id),
    listPagesOfMonitor(ctx, id),
    readUnservedRegions(ctx),
    monitor.maintenance ? readCurrentWindow(ctx, id) : null,
  ]);
  return {
    overview,
    phases,
    latest,
    standing,
    transitions,
    /** The latest state change, whichever page of changes is shown. */
    lastChange: (latestChange ?? transitions).items[0] ?? null,
    incidents,
    checks,
    certificateEnd,
    pages,
    unserved,
    window,
  };
}

/** The active window that ends last. */
async function readCurrentWindow(ctx: OrganizationContext, monitor: string) {
  const { items } = await listMaintenance(ctx, { status: 'active', monitor, limit: 100 });
  return items
    .map(({ id, title, occurrence, endsAt, timeZone }) => {
      return { id, title, timeZone, until: occurrence?.endsAt ?? endsAt };
    })
    .reduce<{ id: string; title: string; timeZone: string; until: string } | null>(
      (last, each) => (last !== null && last.until >= each.until ? last : each),
      null,
    );
}
