import type { Database } from '@/lib/platform/db/client';
import type { DayBar } from '@/lib/schemas/stats';
import { dayBars, startOfBars } from './day-bars';
import { readPeriods } from './read-periods';
import type { Silences } from './read-silences';

/** The 90 day bars of monitors, oldest day first, by monitor id: one query of the ledger however many monitors. */
export async function readDayBars(
  db: Pick<Database, '$queryRaw'>,
  monitorIds: string[],
  now: Date,
  silences: Silences,
): Promise<Map<string, DayBar[]>> {
  const periods = await readPeriods(db, monitorIds, { since: startOfBars(now), now, silences });
  return new Map(monitorIds.map((id) => [id, dayBars(periods.get(id) ?? [], now)]));
}
