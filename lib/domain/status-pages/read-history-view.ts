import { DomainError } from '@/lib/core/errors';
import type { Services } from '@/lib/domain/context/services';
import { dayBars } from '@/lib/domain/monitors/day-bars';
import { readPeriods } from '@/lib/domain/monitors/read-periods';
import { readSilences } from '@/lib/domain/monitors/read-silences';
import { uptimeWithin } from '@/lib/domain/monitors/uptime';
import type { PublicIncident } from '@/lib/schemas/status-page';
import { findPublishedPage } from './find-published-page';
import { type Month, monthAfter, monthBefore, monthOf, readMonth } from './month';
import { readIncidentDays, withIncidents } from './read-incident-days';
import { readMonitorNames } from './read-monitor-names';
import { type PageHead, serializeHead, type ViewedDay } from './read-page-view';
import { readIncidentsBetween } from './read-public-incidents';
import { type PastMaintenance, readPastMaintenance } from './read-public-maintenance';

/** A monitor in a month; `uptimePercentage` is null where nothing is known of it. */
export type MonthOfMonitor = {
  id: string;
  name: string;
  uptimePercentage: number | null;
  days: ViewedDay[];
};

/** A month of a page, the running one up to now. `previous` and `next` are months that can be shown, or null. */
export type HistoryView = {
  page: PageHead;
  asOf: string;
  month: Month;
  previous: Month | null;
  next: Month | null;
  monitors: MonthOfMonitor[];
  incidents: PublicIncident[];
  /** Whether there were more incidents than are listed. */
  isCut: boolean;
  /** Those that are over, the newest first. */
  maintenance: PastMaintenance[];
};

const DAY = 86_400_000;
/** The ledger is kept so long. */
const KEPT_MS = 400 * DAY;
const INCIDENTS_SHOWN = 100;
const MAINTENANCE_SHOWN = 100;

/**
 * What happened in a month, `2026-11`; undefined is the running one. Throws NOT_FOUND for a page that is unknown or not
 * published, and for a month that is none, is yet to come, or lies before the first monitor of the page.
 */
export async function readHistoryView(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  slug: string,
  wanted?: string,
): Promise<HistoryView> {
  const now = clock.now();
  const page = await findPublishedPage(db, slug);
  const { organizationId, monitors: monitorIds } = page;
  const names = await readMonitorNames(db, monitorIds);
  const { month, first, last } = chooseMonth(wanted, [page.createdAt, ...names.map(createdAt)], now);
  const { start, end } = readMonth(month);
  // The last millisecond of the month, so that the last bar is its last day.
  const until = new Date(Math.min(end.getTime() - 1, now.getTime()));
  const days = Math.floor((until.getTime() - start.getTime()) / DAY) + 1;
  const scope = { organizationId, monitorIds };
  const silences = await readSilences(db, monitorIds, now);
  const [periods, incidentDays, incidents, maintenance] = await Promise.all([
    readPeriods(db, monitorIds, { since: start, now: until, silences }),
    readIncidentDays(db, scope, { since: start, now: until }),
    readIncidentsBetween({ db }, scope, { since: start, until, limit: INCIDENTS_SHOWN + 1 }),
    readPastMaintenance({ db, clock }, page, month),
  ]);
  return {
    page: serializeHead(page),
    asOf: now.toISOString(),
    month,
    previous: month > first ? monthBefore(month) : null,
    next: month < last ? monthAfter(month) : null,
    monitors: names.map(({ id, name }) => ({
      id,
      name,
      uptimePercentage: uptimeWithin(periods.get(id) ?? [], start, until),
      days: withIncidents(dayBars(periods.get(id) ?? [], until, days), incidentDays.get(id)),
    })),
    incidents: incidents.slice(0, INCIDENTS_SHOWN),
    isCut: incidents.length > INCIDENTS_SHOWN,
    maintenance: maintenance.slice(0, MAINTENANCE_SHOWN),
  };
}

function createdAt(monitor: { createdAt: string }): Date {
  return new Date(monitor.createdAt);
}

/** The month to show, and the first and last that can be. */
function chooseMonth(
  wanted: string | undefined,
  beginnings: Date[],
  now: Date,
): { month: Month; first: Month; last: Month } {
  const earliest = Math.min(...beginnings.map((date) => date.getTime()));
  const first = monthOf(new Date(Math.max(earliest, now.getTime() - KEPT_MS)));
  const last = monthOf(now);
  const month = wanted ?? last;
  if (!/^\d{4}-(0[1-9]|1[0-2])$/.test(month) || month < first || month > last) {
    throw new DomainError('NOT_FOUND', 'Nothing is kept of such a month.');
  }
  return { month, first, last };
}
