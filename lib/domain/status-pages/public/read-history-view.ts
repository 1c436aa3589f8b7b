import { DomainError } from '@/lib/core/errors';
import type { Services } from '@/lib/domain/context/services';
import { correctedBars, readCorrectedLedgers } from '@/lib/domain/monitors/corrections/read-corrected';
import { barsOf, readDays } from '@/lib/domain/monitors/history/read-days';
import { readUptimesWithin, uptimeWithin } from '@/lib/domain/monitors/history/uptime';
import { readSilences } from '@/lib/domain/monitors/silence';
import { type Gate, publicOnly } from '@/lib/domain/status-pages/access/check-access';
import {
  listComponents,
  listRows,
  listSections,
  withPageNames,
} from '@/lib/domain/status-pages/sections/list-rows';
import { scopeOf } from '@/lib/domain/status-pages/sections/page-scope';
import { LEDGER_DAYS } from '@/lib/schemas/monitor/transition';
import { readComponentUptimes } from './history/component-uptime';
import { listMonths, listQuarters, monthOf, shiftMonth, spanOf, startOf } from './history/history-calendar';
import { serializeHead } from './read-page-view';
import {
  listIncidentsBetween,
  readImportedSince,
  readIncidentDays,
  readMonitorNames,
  readPageIncident,
  withIncidents,
} from './read-public-incidents';
import { readPastMaintenance } from './read-public-maintenance';
import { findPublishedPage } from './read-public-page';

/** A month of a page, the current one up to now. */
export type HistoryView = Awaited<ReturnType<typeof readHistoryView>>;

const DAY = 86_400_000;
const KEPT_MS = LEDGER_DAYS * DAY;
const MAX_INCIDENTS = 100;
/** A table of uptimes has at most these. */
const MAX_MONTHS = 12;

/**
 * The history of a month, `2026-11`, by default the current one. Throws NOT_FOUND for a page that is unknown or unpublished, and
 * for a month that is invalid, in the future, or before the page and its first monitor, or else its first imported incident.
 */
export async function readHistoryView(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  slug: string,
  wanted?: string,
  admit: Gate = publicOnly,
) {
  const now = clock.now();
  const page = await findPublishedPage(db, slug, admit);
  const { names, ...beginnings } = await readBeginnings(db, page);
  const plan = planMonth(wanted, beginnings, now);
  const { month, first, last, until, days, year, quarters, spans } = plan;
  const { silences, ledgers, uptimes, componentUptimes, recorded, incidentDays, incidents, maintenance } =
    await readMonth(db, page, names, plan, now);
  /** Uptimes over `spans`; null: unknown. */
  const uptimesOf = ([uptimePercentage = null, ...rest]: (number | null)[] = []) => ({
    uptimePercentage,
    monthlyUptimes: rest.slice(0, year.length),
    quarterlyUptimes: rest.slice(year.length),
  });
  return {
    page: serializeHead(page, now),
    asOf: now.toISOString(),
    month,
    /** null: nothing to show, like `next`. */
    previous: month > first ? shiftMonth(month, -1) : null,
    next: month < last ? shiftMonth(month, 1) : null,
    /** The months of `monthlyUptimes`, newest first, with the current month only. */
    year,
    /** The same for `quarterlyUptimes`: `2026-Q4`. */
    quarters: quarters.map(({ name }) => name),
    sections: listSections(page),
    monitors: names.map(({ id, name }) => {
      const ledger = ledgers.get(id);
      const own = recorded.get(id);
      const measured = uptimes.get(id) ?? [];
      const counted = uptimesOf(
        ledger ? spans.map(({ since, until: end }) => uptimeWithin(ledger.corrected, since, end)) : measured,
      );
      const bars = ledger
        ? correctedBars(ledger, until, days)
        : own
          ? barsOf(own, silences.get(id)?.noDataSince ?? null)
          : [];
      return {
        id,
        name,
        ...counted,
        /** Without corrections; null if they change nothing. */
        measuredUptimePercentage:
          ledger && measured[0] !== counted.uptimePercentage ? (measured[0] ?? null) : null,
        /** Its uptimes without corrections; null if it has none. */
        measured: ledger ? uptimesOf(measured) : null,
        days: withIncidents(bars, incidentDays.get(id)),
      };
    }),
    components: listComponents(page).map(({ id, name }) => ({
      id,
      name,
      ...uptimesOf(componentUptimes.get(id)),
      measuredUptimePercentage: null,
      measured: null,
    })),
    incidents: incidents.slice(0, MAX_INCIDENTS),
    /** Whether there were more incidents than listed. */
    isCut: incidents.length > MAX_INCIDENTS,
    /** Completed maintenance, newest first. */
    maintenance,
  };
}

/** What decides how far back a history goes: what was measured, which is kept for a time, and imported incidents. */
type Beginnings = { starts: Date[]; importedSince: Date | null };

async function readBeginnings(db: Services['db'], page: Awaited<ReturnType<typeof findPublishedPage>>) {
  const scope = scopeOf(page);
  const [monitors, importedSince] = await Promise.all([
    readMonitorNames(db, scope.monitorIds),
    readImportedSince(db, scope),
  ]);
  const names = withPageNames(page, monitors);
  const starts = [page, ...names].map(({ createdAt }) => createdAt);
  return { names, starts, importedSince };
}

/** The month to show, the months and quarters that tables show besides it, and the spans of all of them, the month first. */
function planMonth(wanted: string | undefined, beginnings: Beginnings, now: Date) {
  const { month, first, measured, last } = chooseMonth(wanted, beginnings, now);
  const [start, end] = [startOf(month), startOf(shiftMonth(month, 1))];
  // The last millisecond of the month, so that the last bar is its last day.
  const until = new Date(Math.min(end.getTime() - 1, now.getTime()));
  const days = Math.floor((until.getTime() - start.getTime()) / DAY) + 1;
  // Older months have no table of their own.
  const year = month === last ? listMonths(measured, last, MAX_MONTHS) : [];
  const kept = new Date(now.getTime() - KEPT_MS);
  const quarters = month === last ? listQuarters({ first: measured, since: kept, now }) : [];
  const spans = [...[month, ...year].map((each) => spanOf(each, now)), ...quarters.map(({ span }) => span)];
  const earliest = new Date(Math.min(...spans.map(({ since }) => since.getTime())));
  return { month, first, last, start, end, until, days, year, quarters, spans, earliest };
}

async function readMonth(
  db: Services['db'],
  page: Awaited<ReturnType<typeof findPublishedPage>>,
  names: readonly { id: string; isCorrected: boolean }[],
  { start, end, until, days, spans, earliest }: ReturnType<typeof planMonth>,
  now: Date,
) {
  const scope = scopeOf(page);
  const { monitorIds } = scope;
  const silences = await readSilences(db, monitorIds, now);
  const correctedIds = names.flatMap(({ id, isCorrected }) => (isCorrected ? id : []));
  const [ledgers, uptimes, componentUptimes, recorded, incidentDays, incidents, maintenance] =
    await Promise.all([
      readCorrectedLedgers(db, correctedIds, { since: earliest, now, silences }),
      readUptimesWithin(db, monitorIds, spans, { now, silences }),
      readComponentUptimes(db, scope, spans, now),
      readDays(db, monitorIds, { until, days }),
      readIncidentDays(db, scope, { since: start, now: until }),
      listIncidentsBetween({ db }, scope, { since: start, until, limit: MAX_INCIDENTS + 1 }),
      readPastMaintenance(db, monitorIds, { start, end, now }),
    ]);
  return { silences, ledgers, uptimes, componentUptimes, recorded, incidentDays, incidents, maintenance };
}

/** The month to show, the first and last available ones, and the first in which something was measured. */
function chooseMonth(wanted: string | undefined, { starts, importedSince }: Beginnings, now: Date) {
  const earliest = Math.min(...starts.map((date) => date.getTime()));
  const measuredMs = Math.max(earliest, now.getTime() - KEPT_MS);
  const measured = monthOf(new Date(measuredMs));
  const first = monthOf(new Date(Math.min(measuredMs, importedSince?.getTime() ?? measuredMs)));
  const last = monthOf(now);
  const month = wanted ?? last;
  if (!/^\d{4}-(0[1-9]|1[0-2])$/.test(month) || month < first || month > last) {
    throw new DomainError('NOT_FOUND', 'No history for this month.');
  }
  return { month, first, measured, last };
}

/** One incident of a page with all its updates, and the page's rows in order. */
export type IncidentView = Awaited<ReturnType<typeof readIncidentView>>;

/**
 * One incident for its permanent URL. Throws NOT_FOUND for a page that is unknown or unpublished, and for an incident that is not
 * on this page.
 */
export async function readIncidentView(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  slug: string,
  id: string,
  admit: Gate = publicOnly,
) {
  const page = await findPublishedPage(db, slug, admit);
  const scope = scopeOf(page);
  const now = clock.now();
  const [incident, monitors] = await Promise.all([
    readPageIncident({ db }, scope, id),
    readMonitorNames(db, scope.monitorIds),
  ]);
  const postmortem = await readPostmortem({ db }, incident.id);
  return {
    page: serializeHead(page, now),
    asOf: now.toISOString(),
    rows: listRows(page, monitors),
    incident,
    postmortem,
  };
}

/** The postmortem of an incident as Markdown; null until it is published. */
async function readPostmortem({ db }: Pick<Services, 'db'>, id: string) {
  const row = await db.incident.findUnique({
    where: { id },
    select: { postmortem: true, postmortemPublishedAt: true },
  });
  const { postmortem: text = null, postmortemPublishedAt: publishedAt = null } = row ?? {};
  return text === null || publishedAt === null ? null : { text, publishedAt: publishedAt.toISOString() };
}
