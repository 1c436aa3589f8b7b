import { randomBytes } from 'node:crypto';
import { expect, it, onTestFinished } from 'vitest';
import type { Services } from '@/lib/domain/context/services';
import { createMonitor } from '@/lib/domain/monitors/create-monitor';
import { recordPresence } from '@/lib/domain/monitors/silence';
import { storeChecks, writeLedger } from '@/lib/domain/monitors/testing/history';
import { createSession } from '@/lib/domain/people/sessions';
import { ensureResultPartitions } from '@/lib/engine/upkeep/retention';
import { startCollector } from '@/lib/platform/tracing/testing/collector';
import { createMonitorSchema } from '@/lib/schemas/monitor';
import { useTestDatabase } from '@/lib/testing/database';
import { createTestOrganization, createTestServices, TEST_SECRET_KEY } from '@/lib/testing/services';
import { sealSession, sessionCookieName } from '@/lib/web/auth/session';
import { startWebProcess } from '../testing/web-process';

/** More than the statements that a list may take. */
const MONITORS = 10;

const database = useTestDatabase();

/** Starts a web process that exports traces. */
async function startTraced() {
  const collector = await startCollector();
  onTestFinished(collector.close);
  const web = await startWebProcess({
    DATABASE_URL: database.url,
    SECRET_KEY: TEST_SECRET_KEY,
    LOG_LEVEL: 'warn',
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
    OTEL_SERVICE_NAME: 'pharos-under-test',
  });
  onTestFinished(web.stop);
  return { collector, web };
}

/** Checks of the last hour, changes of the last forty days, and workers that are there. */
async function addHistory(services: Services, ids: string[]): Promise<void> {
  const now = services.clock.now();
  const since = (ms: number) => ({ since: new Date(now.getTime() - ms), now });
  await ensureResultPartitions(services.db, now);
  await recordPresence(services, { regions: ['us-east'], duties: 'all' });
  await storeChecks(services.db, ids, { ...since(3_600_000), everySeconds: 30, regions: 1 });
  await writeLedger(services.db, ids, { ...since(40 * 86_400_000), changes: 60 });
}

it('a request to the API continues the trace of its caller, down to the statements', async () => {
  const { apiKey } = await createTestOrganization(createTestServices({ db: database.db }));
  const { collector, web } = await startTraced();
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
});

it('the list of monitors takes at most six statements, and the page of one three, with who visits and what is around it', async () => {
  const services = createTestServices({ db: database.db });
  const { ctx, userId } = await createTestOrganization(services);
  const ids: string[] = [];
  for (let n = 1; n <= MONITORS; n++) {
    const input = { name: `Shop ${n}`, url: 'http://shop.test', regions: ['us-east'] };
    ids.push((await createMonitor(ctx, createMonitorSchema.parse(input))).id);
  }
  await addHistory(services, ids);
  const session = await createSession(services, { userId, address: null, userAgent: null });
  const cookie = `${sessionCookieName(false)}=${await sealSession(services, session)}`;
  const { collector, web } = await startTraced();
  const visit = async (path: string) => {
    const traceId = randomBytes(16).toString('hex');
    const traceparent = `00-${traceId}-${randomBytes(8).toString('hex')}-01`;
    const { status, body } = await web.get(path, { headers: { cookie, traceparent } });
    expect(status).toBe(200);
    expect(body).toContain('Shop 1');
    return traceId;
  };
  const paths = ['/monitors', `/monitors/${ids[0]}`];
  const traces: string[][] = [];
  for (const path of paths) traces.push([await visit(path), await visit(path), await visit(path)]);
  await web.stop();
  const statementsOf = (traceId: string) =>
    collector.spans.filter((span) => span.traceId === traceId && 'db.query.text' in span.attributes).length;
  // The first visit also reads what is kept for later ones, as does one after another hour has begun.
  const [list, one] = traces.map((ofPath) => Math.min(...ofPath.map(statementsOf)));
  expect(list).toBeLessThanOrEqual(6);
  expect(one).toBe(3);
});
