import DataLoader from 'dataloader';
import type { Database } from './client';
import { Prisma } from './generated/client';
import { isDatabaseUnavailable } from './unavailable';

/** How long one waits for others, in milliseconds: loops that poll wake at the same moments. */
const TOGETHER_MS = 5;

/** Reads a moment, an expression of SQL such as when work is due; null: there is none. */
export type Moments = (moment: Prisma.Sql) => Promise<Date | null>;

/**
 * Reads moments of a database: those that are asked for within milliseconds by one statement, since a worker at rest does little else. If
 * one of them is wrong, each is read by itself, and only that one fails.
 */
export function createMoments(db: Pick<Database, '$queryRaw'>): Moments {
  const readAll = async (moments: readonly Prisma.Sql[]): Promise<(Date | null)[]> => {
    const rows = moments.map((moment, place) => Prisma.sql`(${place}::int, (${moment})::timestamptz)`);
    const read = await db.$queryRaw<{ at: Date | null }[]>`
      SELECT at FROM (VALUES ${Prisma.join(rows)}) AS moment (place, at) ORDER BY place`;
    return read.map(({ at }) => at);
  };
  const readEach = (moments: readonly Prisma.Sql[]) =>
    Promise.all(
      moments
        .map(async (moment) => {
          const [at = null] = await readAll([moment]);
          return at;
        })
        .map((read) => read.catch(asError)),
    );
  const read = (moments: readonly Prisma.Sql[]) =>
    readAll(moments).catch((error: unknown) => {
      if (moments.length === 1 || isDatabaseUnavailable(error)) throw error;
      return readEach(moments);
    });
  const batchScheduleFn = (send: () => void) => void setTimeout(send, TOGETHER_MS);
  const loader = new DataLoader(read, { cache: false, batchScheduleFn });
  return (moment) => loader.load(moment);
}

/** For the loader, which rejects what asked for it. */
function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
