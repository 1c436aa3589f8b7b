import { LRUCache } from 'lru-cache';
import type { Database } from '@/lib/platform/db/client';
import { Prisma } from '@/lib/platform/db/generated/client';
import type { PeriodState } from '@/lib/platform/db/generated/enums';
import { toMs } from '@/lib/platform/db/moment-columns';
import { isKnown, periodAt } from './periods';

/** Known time and downtime of a monitor before some moment, in milliseconds. */
export type Sums = { known: number; down: number };

/** A period that has ended, in epoch milliseconds, with the sums by its start. */
type Ended = Sums & { state: PeriodState; from: number; to: number };

/** A few hundred bytes each. A transaction that is rolled back may have ended a period too early, which changes no sums within it. */
const MAX_REMEMBERED = 100_000;
/** Limited by size, because `max` would allocate a list of that length. */
const remembered = new LRUCache<string, Ended>({ maxSize: MAX_REMEMBERED, sizeCalculation: () => 1 });

/**
 * The sums of monitors by a moment before their current periods, by monitor ID: at most one query. Periods that have ended do not change, so
 * the one that a window begins in is remembered until the window has left it.
 */
export async function readSumsAt(
  db: Pick<Database, '$queryRaw'>,
  monitorIds: readonly string[],
  at: Date,
): Promise<ReadonlyMap<string, Sums>> {
  const sums = new Map<string, Sums>();
  const missing: string[] = [];
  for (const id of monitorIds) {
    const period = remembered.get(id);
    if (period && isWithin(period, at)) sums.set(id, sumsWithin(period, at));
    else missing.push(id);
  }
  if (missing.length === 0) return sums;
  for (const { id, ...found } of await db.$queryRaw<(Ended & { id: string })[]>(endedQuery(missing, at))) {
    if (isWithin(found, at)) remembered.set(id, found);
    sums.set(id, sumsWithin(found, at));
  }
  return sums;
}

function isWithin({ from, to }: Ended, at: Date): boolean {
  return from <= at.getTime() && at.getTime() < to;
}

function sumsWithin({ state, from, known, down }: Ended, at: Date): Sums {
  const ms = Math.max(0, at.getTime() - from);
  return { known: known + (isKnown(state) ? ms : 0), down: down + (state === 'down' ? ms : 0) };
}

/** The period of each monitor that contains a moment, or else its first: one index read each. */
function endedQuery(monitorIds: readonly string[], at: Date): Prisma.Sql {
  return Prisma.sql`
    SELECT wanted.id, state::text AS state, ${toMs(Prisma.sql`from_at`)} AS "from", ${toMs(Prisma.sql`to_at`)} AS "to",
           known_before::float8 AS known, down_before::float8 AS down
      FROM unnest(${[...monitorIds]}::text[]) AS wanted (id)
           CROSS JOIN LATERAL (${periodAt(Prisma.sql`wanted.id`, Prisma.sql`${at}`)}) AS ended`;
}
