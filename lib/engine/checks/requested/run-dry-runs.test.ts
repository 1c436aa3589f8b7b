import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '@/lib/core/time/clock';
import { testMonitor } from '@/lib/domain/monitors/test-monitor';
import { withDryRunWorker } from '@/lib/engine/testing/dry-run-worker';
import { serveHttps, testAuthority } from '@/lib/platform/net/testing/servers';
import { createMonitorSchema } from '@/lib/schemas/monitor';
import { PROBED_FIELDS } from '@/lib/schemas/monitor/fields';
import { useTestDatabase } from '@/lib/testing/database';
import { createTestOrganization, createTestServices } from '@/lib/testing/services';
import { startTarget, type Target } from '@/lib/testing/target';
import { waitFor } from '@/lib/testing/wait-for';
import { createDryRunStore } from './dry-run-store';
import { runDryRuns } from './run-dry-runs';

const database = useTestDatabase();
let target: Target;

beforeAll(async () => {
  target = await startTarget();
});
afterAll(() => target.close());

/** Tests a monitor while a worker of `regions` polls for work. */
async function tryOut(fields: object, regions = ['us-east'], clock = systemClock) {
  const services = createTestServices({ db: database.db, clock });
  const { ctx } = await createTestOrganization(services);
  const dryRuns = { requests: createDryRunStore(services), clock: services.clock, running: new Map() };
  const environment = {
    policy: services.targetPolicy,
    userAgent: 'Pharos-Monitor/1.0',
    secureContext: testAuthority,
  };
  const monitor = createMonitorSchema.parse({ name: 'Shop', url: target.url, ...fields });
  return withDryRunWorker(
    () => runDryRuns(dryRuns, regions, environment),
    () => testMonitor(ctx, monitor),
  );
}

describe('a dry run', () => {
  it('returns the result of a check from the region, with its phases, and stores nothing', async () => {
    target.respondWith(200);
    expect(await tryOut({ regions: ['eu-west', 'us-east'] }, ['eu-west'])).toEqual({
      checkedAt: expect.any(String),
      region: 'eu-west',
      outcome: 'ok',
      responseTime: expect.any(Number),
      statusCode: 200,
      errorCode: null,
      errorMessage: null,
      phases: {
        dns: null,
        connect: expect.any(Number),
        tls: null,
        firstByte: expect.any(Number),
        transfer: expect.any(Number),
      },
      certificateExpiresAt: null,
      certificateIssuer: null,
      certificateName: null,
      bodySize: 'status 200\n'.length,
      assertions: [],
      observed: expect.objectContaining({ status: 200, body: 'status 200\n', bodyEnd: null }),
    });
    expect(await database.db.monitor.count()).toBe(0);
    expect(await database.db.dryRun.count()).toBe(0);
  });

  it('reports why a check fails, and that one is slow', async () => {
    target.respondWith(503);
    expect(await tryOut({})).toMatchObject({
      outcome: 'failed',
      errorMessage: 'responded with 503, expected 200',
    });
    expect(await tryOut({ expectedStatusCode: 503 })).toMatchObject({ outcome: 'ok', statusCode: 503 });
  });

  it('is slow if a certificate ends soon, like a check of the saved monitor, and names it', async () => {
    const { url } = await serveHttps('chain');
    // The intermediate certificate ends in 2050.
    const clock = { now: () => new Date('2049-12-20T12:00:00Z') };
    const test = (tlsExpiryDays: number | null) => tryOut({ url, tlsExpiryDays }, ['us-east'], clock);
    const slow = { outcome: 'slow', certificateName: 'intermediate certificate “Chain Intermediate”' };
    expect(await test(12)).toMatchObject(slow);
    expect(await test(11)).toMatchObject({ ...slow, outcome: 'ok' });
    expect(await test(null)).toMatchObject({ ...slow, outcome: 'ok' });
  });

  it('returns the outcome of every assertion, with the value, even if the check fails otherwise', async () => {
    target.respondWith(503);
    const text = { property: null, comparison: 'contains' };
    const assertions = [
      { ...text, source: 'body', target: '503' },
      { ...text, source: 'body', target: '200' },
      { source: 'header', property: 'x-none', comparison: 'exists' },
    ];
    expect(await tryOut({ assertions })).toMatchObject({
      errorMessage: 'responded with 503, expected 200',
      assertions: [
        { passed: true, actual: '“status 503\n”', message: null },
        { passed: false, actual: '“status 503\n”', message: 'body does not contain “200”' },
        { passed: false, actual: null, message: 'header x-none is missing' },
      ],
    });
    expect(await tryOut({ assertions, expectedStatusCode: 503 })).toMatchObject({
      errorCode: 'assertion',
      errorMessage: 'assertion 2: body does not contain “200”',
    });
  });

  it('is rejected for a blocked address, and if no worker of the region responds', async () => {
    await expect(tryOut({ url: 'http://169.254.169.254/' })).rejects.toMatchObject({
      code: 'BLOCKED_TARGET',
    });
    await expect(tryOut({ timeout: 1 }, ['eu-west'])).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
    expect(await database.db.dryRun.count()).toBe(0);
  });

  it('gives the worker the fields of a probe, sealed, and no others', async () => {
    const services = createTestServices({ db: database.db });
    const { ctx } = await createTestOrganization(services);
    const leaving = new AbortController();
    const input = createMonitorSchema.parse({ name: 'Shop', url: target.url, tags: ['production'] });
    const response = testMonitor(ctx, input, leaving.signal).catch(() => null);
    const row = await waitFor(() => database.db.dryRun.findFirstOrThrow());
    leaving.abort();
    await response;
    const sealed = JSON.parse(services.keyring.open(row.targetSealed, row.id));
    expect(Object.keys(sealed).toSorted()).toEqual([...PROBED_FIELDS].toSorted());
  });

  it('ends without traces when the requester has disconnected', async () => {
    const services = createTestServices({ db: database.db });
    const { ctx } = await createTestOrganization(services);
    const leaving = new AbortController();
    const input = createMonitorSchema.parse({ name: 'Shop', url: target.url });
    const response = testMonitor(ctx, input, leaving.signal);
    leaving.abort();
    await expect(response).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
    expect(await database.db.dryRun.count()).toBe(0);
  });
});
