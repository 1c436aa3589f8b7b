import { describe, expect, it, onTestFinished } from 'vitest';
import { StartupError } from '@/lib/core/errors';
import { testServerUrl } from '@/lib/testing/database';
import { type DatabaseGate, type GateState, openDatabaseGate } from '@/lib/testing/database-gate';
import { createDatabase } from '../client';
import { waitForDatabase } from './wait-for-database';

async function openGate(state: GateState): Promise<DatabaseGate> {
  const gate = await openDatabaseGate(await testServerUrl(), () => state);
  onTestFinished(gate.close);
  return gate;
}

/** A part of a start on the database at `url`: `done` settles with it, `lines` are logged meanwhile. */
function begin(url: string, patienceMs: number) {
  const db = createDatabase(url, { poolSize: 1, name: 'pharos tests' });
  onTestFinished(() => db.$disconnect());
  const lines: string[] = [];
  const log = { warn: (line: unknown) => void lines.push(String(line)) };
  const done = waitForDatabase(() => db.$queryRaw`SELECT 1 AS one`, { url, log, patienceMs });
  done.catch(() => undefined);
  return { done, lines };
}

describe('a start whose database', () => {
  it('is starting up waits for it, and logs that once', async () => {
    const gate = await openGate('starting up');
    const { done, lines } = begin(gate.url, 20_000);
    await expect.poll(gate.connections).toBeGreaterThanOrEqual(2);
    gate.set('open');
    expect(await done).toEqual([{ one: 1 }]);
    expect(lines).toEqual([
      expect.stringMatching(
        /^waiting for the database "\w+" at 127.0.0.1:\d+ for up to [\dms ]+: the database system is starting up$/,
      ),
    ]);
  });

  it('rejects connections waits for it', async () => {
    const gate = await openGate('open');
    await gate.close();
    const { done, lines } = begin(gate.url, 3000);
    await expect.poll(() => lines).toEqual([expect.stringContaining('connection refused')]);
    await expect(done).rejects.toThrow();
  });

  it('stays unavailable fails with one line on what to do next', async () => {
    const gate = await openGate('starting up');
    const { done } = begin(gate.url, 600);
    await expect(done).rejects.toThrow(StartupError);
    await expect(done).rejects.toThrow(
      /^DATABASE_URL: cannot connect to the database "\w+" at \S+: the database system is starting up, for 600 ms\. Check that PostgreSQL is running there .*$/,
    );
    await expect(done).rejects.not.toThrow(new URL(gate.url).password);
  });

  it('rejects the password fails immediately', async () => {
    const url = Object.assign(new URL(await testServerUrl()), { password: 'wrong' }).href;
    const { done, lines } = begin(url, 20_000);
    await expect(done).rejects.toThrow('password authentication failed');
    expect(lines).toEqual([]);
  });
});
