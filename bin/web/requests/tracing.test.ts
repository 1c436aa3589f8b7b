import { randomBytes } from 'node:crypto';
import { expect, it, onTestFinished } from 'vitest';
import { startCollector } from '@/lib/platform/tracing/testing/collector';
import { useTestDatabase } from '@/lib/testing/database';
import { createTestOrganization, createTestServices, TEST_SECRET_KEY } from '@/lib/testing/services';
import { startWebProcess } from '../testing/web-process';

const database = useTestDatabase();

it('a request to the API continues the trace of its caller, down to the statements', async () => {
  const { apiKey } = await createTestOrganization(createTestServices({ db: database.db }));
  const collector = await startCollector();
  onTestFinished(collector.close);
  const web = await startWebProcess({
    ...{ DATABASE_URL: database.url, SECRET_KEY: TEST_SECRET_KEY, LOG_LEVEL: 'warn' },
    ...{ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json' },
    OTEL_SERVICE_NAME: 'pharos-under-test',
  });
  const [traceId, parent] = [randomBytes(16).toString('hex'), randomBytes(8).toString('hex')];
  const headers = { authorization: `Bearer ${apiKey}`, traceparent: `00-${traceId}-${parent}-01` };
  expect((await web.get('/api/monitors?limit=1', { headers })).status).toBe(200);
  await web.stop();
  const spans = collector.spans.filter((span) => span.traceId === traceId);
  const root = spans.find(({ parentSpanId }) => parentSpanId === parent);
  expect(root).toMatchObject({
    service: 'pharos-under-test',
    name: expect.stringMatching(/^GET \/api\/monitors/),
  });
  const statement = spans.find((span) => String(span.attributes['db.query.text']).includes('FROM monitor'));
  expect(pathTo(statement?.spanId)).toContain(root?.spanId);
  const text = JSON.stringify(spans);
  for (const hidden of ['limit=1', apiKey]) expect(text).not.toContain(hidden);

  /** A span and those around it. */
  function pathTo(spanId: string | undefined): string[] {
    const span = spans.find((one) => one.spanId === spanId);
    return span === undefined ? [] : [span.spanId, ...pathTo(span.parentSpanId)];
  }
}, 240_000);
