import type { Database } from '@/lib/platform/db/client';
import { Prisma } from '@/lib/platform/db/generated/client';
import type { DayBar } from '@/lib/schemas/monitor/stats';
import { dayBars } from '../history/day-bars';
import { type Period, readPeriods } from '../history/periods';
import { applyCorrections, type Correction } from './apply-corrections';

/** What a monitor may have: its ledger is read whole where they count. */
export const MAX_CORRECTIONS = 100;

/** The ledger of a monitor as it was measured, and with its corrections. */
export type CorrectedLedger = { measured: Period[]; corrected: Period[]; corrections: Correction[] };

/** The corrections of monitors that reach beyond `since`, by monitor ID, in one query; monitors without any have no entry. */
export async function readCorrectionsOf(
  db: Pick<Database, '$queryRaw'>,
  monitors: Prisma.Sql,
  since: Date,
): Promise<Map<string, Correction[]>> {
  const found = new Map<string, Correction[]>();
  const rows = await db.$queryRaw<(Correction & { monitorId: string })[]>`
    SELECT monitor_id AS "monitorId", state, from_at AS "from", to_at AS "to" FROM ledger_correction
     WHERE monitor_id IN (${monitors}) AND to_at > ${since}
     ORDER BY monitor_id, from_at`;
  for (const { monitorId, ...correction } of rows) {
    found.set(monitorId, [...(found.get(monitorId) ?? []), correction]);
  }
  return found;
}

/** One bar per day like `dayBars`, where a day that is corrected also has what was measured. */
export function correctedBars(
  { measured, corrected }: Pick<CorrectedLedger, 'measured' | 'corrected'>,
  until: Date,
  days?: number,
): DayBar[] {
  const before = dayBars(measured, until, days);
  return dayBars(corrected, until, days).map((bar, place) => {
    const { status, uptimePercentage, downtime } = before[place] ?? bar;
    const isSame =
      status === bar.status && uptimePercentage === bar.uptimePercentage && downtime === bar.downtime;
    return isSame ? bar : { ...bar, measured: { status, uptimePercentage, downtime } };
  });
}

/**
 * The ledgers of monitors from `since` to `now`, by monitor ID, only of those with corrections in that time: at most two queries, none without
 * monitors. The caller passes the monitors that have any.
 */
export async function readCorrectedLedgers(
  db: Pick<Database, '$queryRaw'>,
  monitorIds: readonly string[],
  reading: Parameters<typeof readPeriods>[2],
): Promise<Map<string, CorrectedLedger>> {
  if (monitorIds.length === 0) return new Map();
  const wanted = (ids: readonly string[]) => Prisma.sql`SELECT unnest(${[...ids]}::text[])`;
  const corrections = await readCorrectionsOf(db, wanted(monitorIds), reading.since);
  if (corrections.size === 0) return new Map();
  const ledgers = await readPeriods(db, wanted([...corrections.keys()]), reading);
  return new Map(
    [...ledgers].map(([id, measured]) => {
      const own = corrections.get(id) ?? [];
      return [id, { measured, corrected: applyCorrections(measured, own), corrections: own }];
    }),
  );
}
