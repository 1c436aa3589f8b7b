import type { Database } from '@/lib/platform/db/client';
import { Prisma } from '@/lib/platform/db/generated/client';
import type { DayBar } from '@/lib/schemas/monitor/stats';
import { dayBars } from '../history/day-bars';
import { type Ledger, type Period, readLedgers } from '../history/periods';
import { applyCorrections } from './apply-corrections';

/** What a monitor may have: its ledger is read whole where they count. */
export const MAX_CORRECTIONS = 100;

/** The ledger of a monitor as it was measured, and with its corrections. */
export type CorrectedLedger = Ledger & { corrected: Period[] };

/** One bar per day like `dayBars`, where a day that is corrected also has what was measured. */
export function correctedBars(
  { measured, corrected, corrections }: CorrectedLedger,
  until: Date,
  days?: number,
): DayBar[] {
  const bars = dayBars(corrected, until, days);
  if (corrections.length === 0) return bars;
  const before = dayBars(measured, until, days);
  return bars.map((bar, place) => {
    const { status, uptimePercentage, downtime } = before[place] ?? bar;
    const isSame =
      status === bar.status && uptimePercentage === bar.uptimePercentage && downtime === bar.downtime;
    return isSame ? bar : { ...bar, measured: { status, uptimePercentage, downtime } };
  });
}

/**
 * The ledgers of monitors from `since` to `now`, by monitor ID, only of those with corrections in that time: one query, none without monitors.
 * The caller passes the monitors that have any.
 */
export async function readCorrectedLedgers(
  db: Pick<Database, '$queryRaw'>,
  monitorIds: readonly string[],
  reading: Parameters<typeof readLedgers>[2],
): Promise<Map<string, CorrectedLedger>> {
  if (monitorIds.length === 0) return new Map();
  const ledgers = await readLedgers(db, Prisma.sql`SELECT unnest(${[...monitorIds]}::text[])`, reading);
  return new Map(
    [...ledgers]
      .filter(([, { corrections }]) => corrections.length > 0)
      .map(([id, ledger]) => [
        id,
        { ...ledger, corrected: applyCorrections(ledger.measured, ledger.corrections) },
      ]),
  );
}
