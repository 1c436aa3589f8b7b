import { expect, it, onTestFinished } from 'vitest';
import { startService } from '@/e2e/support/start-service';
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
  const starting = startService({ env: { DATABASE_URL: gate.url, SECRET_KEY: TEST_SECRET_KEY } });
  starting.catch(() => undefined);
  await expect.poll(gate.connections).toBeGreaterThan(6);
  setTimeout(() => gate.set('open'), SILENT_MS);
  const service = await starting;
  onTestFinished(service.stop);
  expect(service.logs()).toMatch(/waiting for the database .* the database system is starting up/);
  expect(service.logs()).toMatch(/waiting for the database .* timeout/);
});
