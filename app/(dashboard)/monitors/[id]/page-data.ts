import 'server-only';
import { standingOf } from '@/components/monitors/standing-badge';
import { isCalled, isGroup } from '@/lib/checks/types';
import { readEdits } from '@/lib/domain/audit/read-edits';
import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import { listIncidentsOfMonitor } from '@/lib/domain/incidents/read-incidents';
import { readNotified } from '@/lib/domain/incidents/read-notified';
import { listMaintenance } from '@/lib/domain/maintenance/read-maintenance';
import { listMarkersOf } from '@/lib/domain/markers/read-markers';
import { getMonitor } from '@/lib/domain/monitors/find-monitor';
import { readHeartbeat } from '@/lib/domain/monitors/heartbeats/read-heartbeat';
import { chooseRange, spanOf } from '@/lib/domain/monitors/history/chart-range';
import { readLatestChecks } from '@/lib/domain/monitors/history/read-results';
import { readOverview } from '@/lib/domain/monitors/read-overview';
import {
  readMonitorStandings,
  readStanding,
  type StandingDetails,
} from '@/lib/domain/monitors/read-standings';
import { readTogether } from '@/lib/platform/db/read-together';
import type { Monitor } from '@/lib/schemas/monitor';
import type { MonitorView } from '@/lib/schemas/monitor/monitor-view';
import { loaderOf } from '../../act';

/** The monitor of the URL. */
export const loadMonitor = loaderOf(getMonitor);

/** What is read of the markers, for the chart and the list of changes, and of the edits. */
const [MARKERS, EDITS] = [50, 10];
const CHANGED_BEFORE_MS = 86_400_000;

/** How many incidents the page shows. */
export const INCIDENTS = 8;

/** What the page of a monitor shows at first besides the monitor itself, in a fixed number of statements. */
export async function readPageData(ctx: OrganizationContext, monitor: Monitor, view: MonitorView) {
  const { id } = monitor;
  const now = ctx.clock.now();
  // Without a problem, the range does not depend on the standing, which is read with everything else.
  const first = hasProblem(monitor) ? await readRange(ctx, monitor, view) : null;
  const { range, isFitted } = first ?? chooseRange(view, null, now);
  const since = first?.since ?? null;
  const incident = since && first?.standing.incident;
  const charted = spanOf(range, now);
  const changed = since && { since: new Date(since.getTime() - CHANGED_BEFORE_MS), until: now };
  const start = changed && changed.since < charted.since ? changed.since : charted.since;
  const readAll = (db: OrganizationContext['db']) => {
    const together = { ...ctx, db };
    return Promise.all([
      readOverview(together, monitor, range),
      readLatestChecks(together, id),
      listIncidentsOfMonitor(together, id, INCIDENTS),
      listMarkersOf(together, [monitor], { since: start, until: now, limit: MARKERS }),
      monitor.maintenance ? readCurrentWindow(ctx, id) : null,
      isCalled(monitor) ? readHeartbeat(ctx, id) : null,
      isGroup(monitor) ? readMonitorStandings(ctx, monitor.members) : null,
      changed && readEdits(ctx, [id], { ...changed, limit: EDITS }),
      incident ? readNotified(ctx, toKey(incident)) : null,
      first?.standing ?? readStanding(together, id),
    ]);
  };
  const [overview, latest, incidents, markers, window, heartbeat, members, edits, notified, standing] =
    await readTogether(ctx.db, readAll);
  const problem = changed &&
    since && {
      since,
      markers: markers.filter(({ occurredAt }) => new Date(occurredAt) >= changed.since),
      edits: edits ?? [],
      notified,
    };
  return {
    overview,
    isFitted,
    latest,
    standing,
    incidents: incidents.items,
    window,
    heartbeat,
    members,
    markers,
    problem,
  };
}

function toKey({ id, createdAt }: NonNullable<StandingDetails['incident']>) {
  return { id, createdAt: new Date(createdAt) };
}

/** What the charts cover, with the standing that it depends on, and since when the monitor is down or degraded. */
export async function readRange(ctx: OrganizationContext, monitor: Monitor, view: MonitorView) {
  const standing = await readStanding(ctx, monitor.id);
  const since = hasProblem(monitor) ? problemSince(standing) : null;
  return { ...chooseRange(view, since, ctx.clock.now()), since, standing };
}

/** When the problem of a monitor that is down or degraded began: data that returns does not begin another. */
function problemSince({ change, incident }: StandingDetails): Date | null {
  const began = change?.from === 'unknown' ? incident?.startedAt : undefined;
  return change && new Date(began ?? change.at);
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
