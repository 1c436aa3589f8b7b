import { expect, it, onTestFinished } from 'vitest';
import { startService } from '@/e2e/support/start-service';
import { findFreePort } from '@/lib/core/ports';
import { useTestDatabase } from '@/lib/testing/database';
import { openDatabaseGate } from '@/lib/testing/database-gate';
import { TEST_SECRET_KEY } from '@/lib/testing/services';

const database = useTestDatabase();
/** A little longer than the pool waits for a connection. */
const SILENT_MS = 12_000;

it('a start waits for a database that is starting up and then too busy to respond, and logs it', async () => {
  // It starts up, lets the migration through, then does not respond to new connections.
  const gate = await openDatabaseGate(database.url, (connection) =>
    connection <= 5 ? 'starting up' : connection === 6 ? 'open' : 'silent',
  );
  onTestFinished(gate.close);
  const port = String(await findFreePort());
  const env = { DATABASE_URL: gate.url, SECRET_KEY: TEST_SECRET_KEY, PORT: port };
  const starting = startService({ env });
  starting.catch(() => undefined);
  const statusOf = async (path: string) => (await fetch(`http://127.0.0.1:${port}/api/live${path}`)).status;
  await expect.poll(gate.connections, { timeout: 60_000 }).toBeGreaterThan(6);
  await expect.poll(() => statusOf('').catch(() => 0), { timeout: 20_000 }).toBe(200);
  expect(await statusOf('?ready'), 'alive, but not ready').toBe(503);
  setTimeout(() => gate.set('open'), SILENT_MS);
  const service = await starting;
  onTestFinished(service.stop);
  expect(service.logs()).toMatch(/waiting for the database .* the database system is starting up/);
  expect(service.logs()).toMatch(/waiting for the database .* timeout/);
  expect(await statusOf('?ready')).toBe(200);
}, 150_000);
