import { PrismaPg } from '@prisma/adapter-pg';
import { z } from 'zod';
import type { Database } from '@/lib/platform/db/client';
import { PrismaClient } from '@/lib/platform/db/generated/client';

const paramsSchema = z.array(z.unknown());

/** A connection to `url` that counts its statements. */
export function openCountingDatabase(url: string): {
  db: Database;
  /** Runs `act` and returns how many statements it took; nothing else may use `db` meanwhile. */
  count(act: () => Promise<unknown>): Promise<number>;
  /** How many statements since the last `count` contained this text. */
  seen(text: string): number;
  /** The parameters of the statements since the last `count` that contained this text. */
  given(text: string): unknown[][];
} {
  const adapter = new PrismaPg({ connectionString: url, options: '-c timezone=UTC' });
  const db = new PrismaClient({ adapter, log: [{ emit: 'event', level: 'query' }] });
  const statements: { query: string; params: string }[] = [];
  db.$on('query', (statement) => {
    statements.push(statement);
  });
  const containing = (text: string) => statements.filter(({ query }) => query.includes(text));
  return {
    db,
    count: async (act) => {
      statements.length = 0;
      await act();
      return statements.length;
    },
    seen: (text) => containing(text).length,
    given: (text) => containing(text).map(({ params }) => paramsSchema.parse(JSON.parse(params))),
  };
}
