import { PrismaPg } from '@prisma/adapter-pg';
import type { Database } from '@/lib/platform/db/client';
import { PrismaClient } from '@/lib/platform/db/generated/client';

/** A connection to `url` that counts its statements. */
export function openCountingDatabase(url: string): {
  db: Database;
  /** Runs `act` and returns how many statements it took; nothing else may use `db` meanwhile. */
  count(act: () => Promise<unknown>): Promise<number>;
} {
  const adapter = new PrismaPg({ connectionString: url, options: '-c timezone=UTC' });
  const db = new PrismaClient({ adapter, log: [{ emit: 'event', level: 'query' }] });
  let statements = 0;
  db.$on('query', () => {
    statements += 1;
  });
  return {
    db,
    count: async (act) => {
      statements = 0;
      await act();
      return statements;
    },
  };
}
