import { expect, it, onTestFinished } from 'vitest';
import { findFreePort } from '@/lib/core/ports';
import { useTestDatabase } from '@/lib/testing/database';
import { openDatabaseGate } from '@/lib/testing/database-gate';
import { TEST_SECRET_KEY } from '@/lib/testing/services';
import { startWebProcess } from './testing/web-process';

const database = useTestDatabase();

/** Makes a process write at its end whether `Date` is still what it was at first. */
const WATCH_DATE = `--import data:text/javascript,${encodeURIComponent(
  "const first = Date; process.on('exit', () => console.log('Date is ' + (Date === first ? 'native' : 'replaced')));",
)}`;

it('a web process that waits for the database is alive, and not ready until it serves', async () => {
  const gate = await openDatabaseGate(database.url, () => 'starting up');
  onTestFinished(gate.close);
  const port = String(await findFreePort());
  const env = { DATABASE_URL: gate.url, SECRET_KEY: TEST_SECRET_KEY, PORT: port, NODE_OPTIONS: WATCH_DATE };
  const starting = startWebProcess(env);
  starting.catch(() => undefined);
  const statusOf = (path: string) =>
    fetch(`http://127.0.0.1:${port}${path}`).then(
      ({ status }) => status,
      () => null,
    );
  await expect.poll(() => statusOf('/api/live')).toBe(200);
  expect([await statusOf('/api/live?ready'), await statusOf('/api/health')]).toEqual([503, 503]);
  gate.set('open');
  const web = await starting;
  onTestFinished(web.stop);
  expect(await statusOf('/api/live?ready')).toBe(200);
  await web.stop();
  expect(web.logs(), 'what Next replaced is restored').toContain('Date is native');
});
