import { PrismaPg } from '@prisma/adapter-pg';
import type { Database } from '@/lib/platform/db/client';
import { PrismaClient } from '@/lib/platform/db/generated/client';

/** A connection to `url` that counts its statements. */
export function openCountingDatabase(url: string): {
  db: Database;
  /** Runs `act` and returns how many statements it took; nothing else may use `db` meanwhile. */
  count(act: () => Promise<unknown>): Promise<number>;
  /** How many statements since the last `count` contained this text. */
  seen(text: string): number;
} {
  const adapter = new PrismaPg({ connectionString: url, options: '-c timezone=UTC' });
  const db = new PrismaClient({ adapter, log: [{ emit: 'event', level: 'query' }] });
  const statements: string[] = [];
  db.$on('query', ({ query }) => {
    statements.push(query);
  });
  return {
    db,
    count: async (act) => {
      statements.length = 0;
      await act();
      return statements.length;
    },
    seen: (text) => statements.filter((statement) => statement.includes(text)).length,
  };
}
