import { trace } from '@opentelemetry/api';
import { afterEach, expect, it, onTestFinished, vi } from 'vitest';
import { isTracing, traced } from '@/lib/core/calls/traced';
import { createDatabase } from '@/lib/platform/db/client';
import { testServerUrl } from '@/lib/testing/database';
import { exportTraces } from './export-traces';
import { startCollector } from './testing/collector';

afterEach(() => vi.unstubAllEnvs());

/** Exports to a collector with these variables. */
async function begin(variables: Record<string, string> = {}) {
  const collector = await startCollector();
  onTestFinished(collector.close);
  const given = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, ...variables };
  for (const [name, value] of Object.entries(given)) vi.stubEnv(name, value);
  const log = { warn: vi.fn(), info: vi.fn() };
  const stop = exportTraces('pharos-test', log);
  onTestFinished(stop);
  return { ...collector, log, stop };
}

it('work and its statements are one trace, without values', async () => {
  const { spans, stop } = await begin({ OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test' });
  const db = createDatabase(await testServerUrl(), { poolSize: 2, name: 'tracing' });
  onTestFinished(() => db.$disconnect());
  await db.$queryRaw`SELECT 'outside'`;
  const attributes = { 'pharos.check.outcome': 'ok' };
  await traced('work', { attributes: {} }, async (note) => {
    await db.$queryRaw`SELECT ${'a secret'}::text`;
    await db.$transaction(async (tx) => void (await tx.$executeRaw`SET LOCAL lock_timeout = 1000`));
    note(attributes);
  });
  await stop();
  const work = spans.find(({ name }) => name === 'work');
  expect(work).toMatchObject({ service: 'pharos-test', attributes });
  expect(work?.parentSpanId).toBeUndefined();
  const statements = spans.filter(({ parentSpanId }) => parentSpanId === work?.spanId);
  expect(statements.map(({ name }) => name)).toEqual(['SELECT', 'SET', 'COMMIT']);
  expect(statements[0]).toMatchObject({
    traceId: work?.traceId,
    attributes: { 'db.system.name': 'postgresql', 'db.query.text': 'SELECT $1::text' },
  });
  expect(spans).toHaveLength(statements.length + 1);
  expect(JSON.stringify(spans)).not.toContain('a secret');
});

it('a failure is marked, without its message', async () => {
  const { spans, stop } = await begin();
  const fail = traced('work', { attributes: {} }, () => Promise.reject(new TypeError('a secret')));
  await expect(fail).rejects.toThrow('a secret');
  await stop();
  expect(spans).toMatchObject([{ status: { code: 2 }, attributes: { 'error.type': 'TypeError' } }]);
  expect(JSON.stringify(spans)).not.toContain('a secret');
});

it('queries and tokens of URLs, which Next records, are removed', async () => {
  const { spans, stop } = await begin();
  const span = trace.getTracer('next.js').startSpan('GET', {
    attributes: { 'http.target': '/invitation/secret?token=secret' },
  });
  span.end();
  await stop();
  expect(spans).toMatchObject([{ attributes: { 'http.target': '/invitation/…' } }]);
});

it('the standard sampler decides what is recorded', async () => {
  const { spans, stop } = await begin({ OTEL_TRACES_SAMPLER: 'always_off' });
  expect(await traced('work', { attributes: {} }, async () => 'done')).toBe('done');
  await stop();
  expect(spans).toEqual([]);
});

it('a collector that cannot be reached delays nothing, is reported once, and holds a bounded number of spans', async () => {
  const { log, close, stop } = await begin({
    OTEL_BSP_SCHEDULE_DELAY: '20',
    OTEL_BSP_MAX_QUEUE_SIZE: '100',
    OTEL_BSP_MAX_EXPORT_BATCH_SIZE: '10',
    OTEL_EXPORTER_OTLP_TIMEOUT: '100',
  });
  await close();
  for (let n = 0; n < 5000; n++) await traced('work', { attributes: {} }, async () => n);
  await expect.poll(() => log.warn.mock.calls.length).toBe(1);
  await traced('work', { attributes: {} }, async () => undefined);
  await stop();
  expect(log.warn).toHaveBeenCalledOnce();
});

it('nothing is recorded once it has stopped', async () => {
  const { stop } = await begin();
  expect(isTracing()).toBe(true);
  await stop();
  expect(isTracing()).toBe(false);
});
