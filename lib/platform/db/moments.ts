import { gather } from '@/lib/core/time/together';
import type { Database } from './client';
import { Prisma } from './generated/client';
import { whyUnavailable } from './unavailable';

type Db = Pick<Database, '$queryRaw'>;

/** Reads a moment, an expression of SQL such as when work is due; null: there is none. */
export type Moments = (moment: Prisma.Sql) => Promise<Date | null>;

/**
 * Reads moments of a database: those that are asked for within milliseconds by one statement, since a worker at rest does little else. They
 * wait for the slowest of them. If one is wrong, or ended by a timeout, each is read by itself, one after the other, and only that one fails.
 */
export function createMoments(db: Db): Moments {
  return gather(async (moments) => {
    try {
      return await readAll(db, moments);
    } catch (error) {
      if (moments.length === 1 || whyUnavailable(error) !== null) throw error;
      return readEach(db, moments);
    }
  });
}

/** Reads one moment by itself. */
export async function readMoment(db: Db, moment: Prisma.Sql): Promise<Date | null> {
  const [row] = await db.$queryRaw<{ at: Date | null }[]>`SELECT (${moment})::timestamptz AS at`;
  return row?.at ?? null;
}

/** The moment of work that is due as long as a query finds any: now. */
export function nowIfAny(now: Date, query: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`CASE WHEN EXISTS (${query}) THEN ${now}::timestamptz END`;
}

async function readAll(db: Db, moments: readonly Prisma.Sql[]): Promise<(Date | null)[]> {
  // In one order, and with numbers that are no parameters: a text that is often the same is planned once.
  const sorted = moments.toSorted((a, b) => (a.sql < b.sql ? -1 : 1));
  const rows = sorted.map(
    (moment, place) => Prisma.sql`(${Prisma.raw(String(place))}, (${moment})::timestamptz)`,
  );
  const read = await db.$queryRaw<{ at: Date | null }[]>`
    SELECT at FROM (VALUES ${Prisma.join(rows)}) AS moment (place, at) ORDER BY place`;
  return moments.map((moment) => read[sorted.indexOf(moment)]?.at ?? null);
}

async function readEach(db: Db, moments: readonly Prisma.Sql[]): Promise<(Date | null | Error)[]> {
  const read: (Date | null | Error)[] = [];
  for (const moment of moments) read.push(await readMoment(db, moment).catch(asError));
  return read;
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
