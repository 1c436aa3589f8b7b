import { expect, it, onTestFinished, vi } from 'vitest';
import { createLogger } from '@/lib/core/logger';
import { parseEnvironment } from '@/lib/env';
import { exportTraces } from '@/lib/platform/tracing/export-traces';
import { startCollector } from '@/lib/platform/tracing/testing/collector';
import { useTestDatabase } from '@/lib/testing/database';
import { TEST_SECRET_KEY } from '@/lib/testing/services';
import { runWorker } from './run-worker';

const database = useTestDatabase();

it('a worker that has nothing to do exports no spans', async () => {
  const collector = await startCollector();
  onTestFinished(collector.close);
  vi.stubEnv('OTEL_EXPORTER_OTLP_ENDPOINT', collector.url);
  onTestFinished(() => void vi.unstubAllEnvs());
  const stopTracing = exportTraces('pharos-worker', { warn: vi.fn(), info: vi.fn() });
  onTestFinished(stopTracing);
  const settings = { DATABASE_URL: database.url, SECRET_KEY: TEST_SECRET_KEY, PROBE_REGIONS: 'us-east' };
  const stop = await runWorker(parseEnvironment(settings), createLogger('silent', 'test'));
  // It has started everything that repeats: Inngest has run its functions, and checks look for what is due.
  await expect
    .poll(
      () => database.db.$queryRaw`
      SELECT count(*)::int AS owned FROM raw.shard_lease WHERE owner IS NOT NULL HAVING count(*) > 0`,
    )
    .toHaveLength(1);
  await stop();
  await stopTracing();
  expect(collector.spans.map(({ name, attributes }) => [name, attributes['db.query.text']])).toEqual([]);
});
