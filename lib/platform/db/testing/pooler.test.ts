import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createEmptyDatabase, useTestDatabase } from '@/lib/testing/database';
import { runOn } from '@/lib/testing/database-server';
import { createDatabase, type Database } from '../client';
import { waitForDatabase } from '../connections/wait-for-database';
import { migrate } from '../migrate';
import { hasPooler, type Pooler, startPooler } from './pooler';

const SESSIONS = 3;
const database = useTestDatabase();

describe.skipIf(!hasPooler)('behind PgBouncer (skipped where it is not installed)', () => {
  let pooler: Pooler;
  let processes: Database[] = [];

  beforeAll(async () => {
    // What sessions have if nobody sets it.
    const name = new URL(database.url).pathname.slice(1);
    await runOn(database.url, `ALTER DATABASE ${name} SET timezone = 'Asia/Tokyo'`);
    pooler = await startPooler(database.url, { sessions: SESSIONS });
    processes = Array.from({ length: 2 }, () =>
      createDatabase(pooler.url, { poolSize: 10, name: 'pharos tests', hasPooler: true }),
    );
  });
  afterAll(async () => {
    await Promise.all(processes.map((db) => db.$disconnect()));
    await pooler?.stop();
  });

  const each = <T>(times: number, work: (db: Database) => Promise<T>) =>
    Promise.all(processes.flatMap((db) => Array.from({ length: times }, () => work(db))));

  it('a start does not take a lock that the pooler would hand on: it names the setting at once, whether options are refused or ignored', async () => {
    const empty = await createEmptyDatabase();
    for (const options of ['refused', 'ignored'] as const) {
      const { url, stop } = await startPooler(empty.url, { options });
      const warnings: unknown[] = [];
      const log = { warn: (line: unknown) => void warnings.push(line) };
      const start = waitForDatabase(() => migrate({ url, directory: 'prisma/migrations' }), {
        url,
        log,
        patienceMs: 1000,
      });
      await expect(start).rejects.toThrow('Also set DATABASE_DIRECT_URL');
      await stop();
      expect(warnings).toEqual([]);
    }
    await empty.drop();
  });

  it('processes share few sessions, and repeat statements in all of them', async () => {
    const seen = new Set<number>();
    for (let round = 0; round < 10; round++) {
      const rows = await each(
        10,
        (db) => db.$queryRaw<{ pid: number }[]>`SELECT pg_backend_pid() AS pid, count(*) FROM monitor`,
      );
      for (const [row] of rows) if (row) seen.add(row.pid);
    }
    expect(seen.size).toBeLessThanOrEqual(SESSIONS);
  });

  it('every statement sees times in UTC', async () => {
    const zones = await each(30, (db) => db.$queryRaw`SELECT current_setting('timezone') AS zone`);
    expect(new Set(zones.map((rows) => JSON.stringify(rows)))).toEqual(new Set(['[{"zone":"UTC"}]']));
  });

  it('a transaction keeps its session', async () => {
    const pairs = await each(10, (db) =>
      db.$transaction(async (tx) => {
        const read = () => tx.$queryRaw<{ pid: number }[]>`SELECT pg_backend_pid() AS pid`;
        return [await read(), await read()];
      }),
    );
    for (const [first, second] of pairs) expect(second).toEqual(first);
  });
});
