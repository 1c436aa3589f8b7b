import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
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

/** Checks of the last hour, changes of the last forty days, and workers that are there. */
async function addHistory(services: Services, ids: string[]): Promise<void> {
  const now = services.clock.now();
  const since = (ms: number) => ({ since: new Date(now.getTime() - ms), now });
  await ensureResultPartitions(services.db, now);
  await recordPresence(services, { regions: ['us-east'], duties: 'all' });
  await storeChecks(services.db, ids, { ...since(3_600_000), everySeconds: 30, regions: 1 });
  await writeLedger(services.db, ids, { ...since(40 * 86_400_000), changes: 60 });
}

type Trace = { traceId: string; parent: string };

/** A trace of a caller, and the header that continues it. */
function beginTrace(): Trace & { traceparent: string } {
  const [traceId, parent] = [randomBytes(16).toString('hex'), randomBytes(8).toString('hex')];
  return { traceId, parent, traceparent: `00-${traceId}-${parent}-01` };
}

let collector: Awaited<ReturnType<typeof startCollector>>;
let apiKey: string;
/** Of the request to the API, and of the visits to the list of monitors and to the page of one. */
let ofApi: Trace;
const ofPages: Trace[][] = [];

beforeAll(async () => {
  const services = createTestServices({ db: database.db });
  const organization = await createTestOrganization(services);
  const { ctx, userId } = organization;
  ({ apiKey } = organization);
  const ids: string[] = [];
  for (let n = 1; n <= MONITORS; n++) {
    const input = { name: `Shop ${n}`, url: 'http://shop.test', regions: ['us-east'] };
    ids.push((await createMonitor(ctx, createMonitorSchema.parse(input))).id);
  }
  await addHistory(services, ids);
  const session = await createSession(services, { userId, address: null, userAgent: null });
  const cookie = `${sessionCookieName(false)}=${await sealSession(services, session)}`;
  collector = await startCollector();
  const web = await startWebProcess({
    DATABASE_URL: database.url,
    SECRET_KEY: TEST_SECRET_KEY,
    LOG_LEVEL: 'warn',
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
    OTEL_SERVICE_NAME: 'pharos-under-test',
  });
  try {
    const visit = async (path: string, credentials: Record<string, string>) => {
      const { traceparent, ...trace } = beginTrace();
      const { status, body } = await web.get(path, { headers: { ...credentials, traceparent } });
      expect([status, body]).toEqual([200, expect.stringContaining('Shop 1')]);
      return trace;
    };
    ofApi = await visit('/api/monitors?limit=10', { authorization: `Bearer ${apiKey}` });
    for (const path of ['/monitors', `/monitors/${ids[0]}`]) {
      ofPages.push([
        await visit(path, { cookie }),
        await visit(path, { cookie }),
        await visit(path, { cookie }),
      ]);
    }
  } finally {
    // Exports what it has not yet.
    await web.stop();
  }
});
afterAll(() => collector?.close());

it('a request to the API continues the trace of its caller, down to the statements', () => {
  const spans = collector.spans.filter((span) => span.traceId === ofApi.traceId);
  const root = spans.find(({ parentSpanId }) => parentSpanId === ofApi.parent);
  expect(root).toMatchObject({
    service: 'pharos-under-test',
    name: expect.stringMatching(/^GET \/api\/monitors/),
  });
  const statement = spans.find((span) => String(span.attributes['db.query.text']).includes('FROM monitor'));
  expect(pathTo(statement?.spanId)).toContain(root?.spanId);
  const text = JSON.stringify(spans);
  for (const hidden of ['limit=10', apiKey]) expect(text).not.toContain(hidden);

  /** A span and those around it. */
  function pathTo(spanId: string | undefined): string[] {
    const span = spans.find((one) => one.spanId === spanId);
    return span === undefined ? [] : [span.spanId, ...pathTo(span.parentSpanId)];
  }
});

it('the list of monitors takes at most six statements, and the page of one three, with who visits and what is around it', () => {
  const statementsOf = ({ traceId }: Trace) =>
    collector.spans.filter((span) => span.traceId === traceId && 'db.query.text' in span.attributes).length;
  // The first visit also reads what is kept for later ones, as does one after another hour has begun.
  const [list, one] = ofPages.map((traces) => Math.min(...traces.map(statementsOf)));
  expect(list).toBeLessThanOrEqual(6);
  expect(one).toBe(3);
});
