import { setTimeout as delay } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { measureLateness } from '@/bench/playground';
import { addMonitors, targetUrls } from '@/bench/seed';
import { patience } from '@/bin/testing/patience.mjs';
import { createLogger } from '@/lib/core/logger';
import { parseEnvironment } from '@/lib/env';
import { useTestDatabase } from '@/lib/testing/database';
import { createTestOrganization, createTestServices, TEST_SECRET_KEY } from '@/lib/testing/services';
import { startTarget } from '@/lib/testing/target';
import { runWorker } from './run-worker';
import { startTestInngest } from './testing/inngest-server';
import { startWokenWorker } from './testing/woken-worker';

const MONITORS = 200;
/** Two hundred checks by two drivers: a slow machine needs longer for them. */
const INTERVAL_SECONDS = Math.ceil(patience(4));
const MEASURED_SECONDS = 2 * INTERVAL_SECONDS;
const database = useTestDatabase();

/** The full-size version runs for three minutes: `npm run bench:drivers`. */
it('the embedded driver and Inngest on one database never check a slot twice, even if Inngest loses its data', async () => {
  const { db, url } = database;
  const services = createTestServices({ db });
  const [{ organizationId }, target, inngest] = await Promise.all([
    createTestOrganization(services),
    startTarget(),
    startTestInngest(),
  ]);
  onTestFinished(target.close);
  onTestFinished(inngest.close);
  const options = { monitors: MONITORS, interval: INTERVAL_SECONDS, timeout: 5 };
  await addMonitors(services, organizationId, options, targetUrls({ responding: [target.port] }));

  const settings = { DATABASE_URL: url, SECRET_KEY: TEST_SECRET_KEY, PROBE_REGIONS: 'us-east' };
  const stopEmbedded = await runWorker(parseEnvironment(settings), createLogger('silent', 'test'));
  onTestFinished(stopEmbedded);
  const woken = await startWokenWorker(url, inngest.url, { registers: true, PROBE_REGIONS: 'us-east' });
  onTestFinished(woken.stop);
  await expect
    .poll(() => inngest.runs.map(({ functionId }) => functionId))
    .toContain('probe-us-east-check-shard');
  await delay(INTERVAL_SECONDS * 1000);

  const from = new Date();
  await delay((MEASURED_SECONDS / 2) * 1000);
  inngest.wipe();
  await delay((MEASURED_SECONDS / 2) * 1000);
  const until = new Date(from.getTime() + MEASURED_SECONDS * 1000);
  await delay(1000);
  const { slots, missed, doubled } = await measureLateness(db, from, until);
  expect(doubled).toBe(0);
  // A machine that stalls for two seconds skips a slot; the full-size version counts them all.
  expect(missed).toBeLessThan(slots);
  expect(slots).toBeGreaterThanOrEqual((MONITORS * MEASURED_SECONDS) / INTERVAL_SECONDS);
});
