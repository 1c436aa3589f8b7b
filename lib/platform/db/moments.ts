import DataLoader from 'dataloader';
import type { Database } from './client';
import { Prisma } from './generated/client';
import { whyUnavailable } from './unavailable';

/** How long one waits for others, in milliseconds: loops that poll wake at the same moments. */
const TOGETHER_MS = 5;

/** Reads a moment, an expression of SQL such as when work is due; null: there is none. */
export type Moments = (moment: Prisma.Sql) => Promise<Date | null>;

/**
 * Reads moments of a database: those that are asked for within milliseconds by one statement, since a worker at rest does little else. They
 * wait for the slowest of them. If one is wrong, or ended by a timeout, each is read by itself, one after the other, and only that one fails.
 */
export function createMoments(db: Pick<Database, '$queryRaw'>): Moments {
  const readAll = async (moments: readonly Prisma.Sql[]): Promise<(Date | null)[]> => {
    // In one order, and with numbers that are no parameters: a text that is often the same is planned once.
    const sorted = moments.toSorted((a, b) => (a.sql < b.sql ? -1 : 1));
    const rows = sorted.map(
      (moment, place) => Prisma.sql`(${Prisma.raw(String(place))}, (${moment})::timestamptz)`,
    );
    const read = await db.$queryRaw<{ at: Date | null }[]>`
      SELECT at FROM (VALUES ${Prisma.join(rows)}) AS moment (place, at) ORDER BY place`;
    return moments.map((moment) => read[sorted.indexOf(moment)]?.at ?? null);
  };
  const readEach = async (moments: readonly Prisma.Sql[]): Promise<(Date | null | Error)[]> => {
    const read: (Date | null | Error)[] = [];
    for (const moment of moments) read.push(await readAll([moment]).then(([at = null]) => at, asError));
    return read;
  };
  const read = (moments: readonly Prisma.Sql[]): Promise<(Date | null | Error)[]> =>
    readAll(moments).catch((error: unknown) => {
      if (moments.length === 1 || whyUnavailable(error) !== null) throw error;
      return readEach(moments);
    });
  const batchScheduleFn = (send: () => void) => void setTimeout(send, TOGETHER_MS);
  const loader = new DataLoader<Prisma.Sql, Date | null>(read, { cache: false, batchScheduleFn });
  return (moment) => loader.load(moment);
}

/** For the loader, which rejects what asked for it. */
function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
