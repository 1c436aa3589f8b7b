import type { Services } from '@/lib/domain/context/services';
import type { PageRow } from '@/lib/domain/status-pages/page-row';
import {
  readIncidentsBetween,
  readPublicIncidents,
} from '@/lib/domain/status-pages/public/read-public-incidents';
import { readFeedMaintenance } from '@/lib/domain/status-pages/public/read-public-maintenance';
import { readMonitorStatuses } from '@/lib/domain/status-pages/read-page-status';
import { listSections } from '@/lib/domain/status-pages/sections/list-rows';
import { scopeOf } from '@/lib/domain/status-pages/sections/page-scope';
import { decideRows, withStates } from '@/lib/domain/status-pages/sections/row-states';
import type { Database } from '@/lib/platform/db/client';
import type {
  StatuspageBody,
  StatuspageDocument,
  StatuspageSummary,
} from '@/lib/schemas/status-pages/statuspage';
import { toStatuspage } from './to-statuspage';

/** As many as Statuspage lists. */
const MAX_INCIDENTS = 50;

/** What each document shows of a page. */
const DOCUMENTS: {
  [Document in StatuspageDocument]: (whole: StatuspageSummary) => StatuspageBody<Document>;
} = {
  'summary.json': (whole) => ({
    ...whole,
    incidents: whole.incidents.filter(isUnresolved),
    scheduled_maintenances: whole.scheduled_maintenances.filter(({ status }) => status !== 'completed'),
  }),
  'status.json': ({ page, status }) => ({ page, status }),
  'components.json': ({ page, components }) => ({ page, components }),
  'incidents.json': ({ page, incidents }) => ({ page, incidents }),
  'incidents/unresolved.json': ({ page, incidents }) => ({ page, incidents: incidents.filter(isUnresolved) }),
  'scheduled-maintenances.json': ({ page, scheduled_maintenances }) => ({ page, scheduled_maintenances }),
  'scheduled-maintenances/upcoming.json': (whole) => maintenanceOf(whole, 'scheduled'),
  'scheduled-maintenances/active.json': (whole) => maintenanceOf(whole, 'in_progress'),
};

/** A document of Statuspage's API about a page at `address`, in a fixed number of queries. */
export async function readStatuspage<Document extends StatuspageDocument>(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  page: PageRow,
  { document, address }: { document: Document; address: string },
): Promise<StatuspageBody<Document>> {
  const scope = scopeOf(page);
  const { monitorIds } = scope;
  const now = clock.now();
  const [measured, times, recent, maintenance, all] = await Promise.all([
    readMonitorStatuses(db, monitorIds, now),
    readTimes(db, monitorIds),
    readPublicIncidents({ db }, scope, now),
    readFeedMaintenance(db, monitorIds, now),
    document === 'incidents.json'
      ? readIncidentsBetween({ db }, scope, { since: new Date(0), until: now, limit: MAX_INCIDENTS })
      : null,
  ]);
  const { rows, states, status } = decideRows(page, measured, recent);
  const since = { createdAt: page.createdAt, changedAt: page.createdAt };
  const components = rows.flatMap((row) => {
    const state = states.get(row.id);
    return state ? [{ ...row, state, ...(times.get(row.id) ?? since) }] : [];
  });
  const sections = listSections(page).map((section) => withStates(section, states));
  const source = { page, address, status, components, sections, incidents: all ?? recent, maintenance };
  return DOCUMENTS[document](toStatuspage(source));
}

function isUnresolved({ resolved_at }: StatuspageSummary['incidents'][number]): boolean {
  return resolved_at === null;
}

function maintenanceOf(
  { page, scheduled_maintenances }: StatuspageSummary,
  wanted: 'scheduled' | 'in_progress',
) {
  return { page, scheduled_maintenances: scheduled_maintenances.filter(({ status }) => status === wanted) };
}

/** When monitors were created and last changed their status, by ID. */
async function readTimes(db: Pick<Database, '$queryRaw'>, ids: string[]) {
  const rows = await db.$queryRaw<{ id: string; createdAt: Date; changedAt: Date }[]>`
    SELECT monitor.id, created_at AS "createdAt", coalesce(current.from_at, created_at) AS "changedAt"
      FROM monitor LEFT JOIN status_period AS current ON current.monitor_id = monitor.id AND current.to_at IS NULL
     WHERE monitor.id = ANY(${ids})`;
  return new Map(rows.map(({ id, createdAt, changedAt }) => [id, { createdAt, changedAt }]));
}
