import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ApiClient } from '@/e2e/support/api-client';
import { manualCheckSchema } from '@/lib/schemas/monitor/result';
import { startTarget, type Target } from '@/lib/testing/target';
import { borrowTenant } from './testing/borrow-tenant';
import { rejectionOf } from './testing/rejections';
import { send } from './testing/send';

const REGIONS = ['us-east', 'eu-west', 'ap-southeast'];

const setting = borrowTenant();
let callers: { api: ApiClient; readOnly: ApiClient; foreign: ApiClient };
let target: Target;

beforeAll(async () => {
  target = await startTarget();
  callers = await setting.backdoor.addCallers();
});
afterAll(() => target?.close());

async function addMonitor(fields: object = {}): Promise<string> {
  const shop = { name: 'Shop', url: target.url, interval: 300, regions: REGIONS, ...fields };
  return (await callers.api('POST', '/monitors', shop)).body.id;
}

/** A monitor of the tenant that is checked from one region. */
async function addOwn(): Promise<string> {
  const shop = { name: 'Shop', url: target.url, interval: 300 };
  return (await setting.tenant.api('POST', '/monitors', shop)).body.id;
}

function post(id: string, idempotencyKey: string, query = '') {
  return send(setting.service, {
    method: 'POST',
    path: `/monitors/${id}/check${query}`,
    key: setting.tenant.apiKey,
    body: null,
    headers: { 'Idempotency-Key': idempotencyKey },
  });
}

describe('POST /api/monitors/:id/check', () => {
  it('returns the result of every region, which the list of results has, too', async () => {
    const id = await addMonitor();
    // The first checks on schedule must have seen the other response.
    const listOf = async (trigger: string) =>
      (await callers.readOnly('GET', `/monitors/${id}/results?trigger=${trigger}`)).body;
    await expect.poll(async () => (await listOf('schedule')).length).toBe(3);
    target.respondWith(503);
    const { status, body } = await callers.api('POST', `/monitors/${id}/check`);
    target.respondWith(200);
    expect(status).toBe(200);
    const { results, missing } = manualCheckSchema.parse(body);
    expect([results.map(({ region }) => region), missing]).toEqual([REGIONS, []]);
    for (const result of results) {
      expect(result).toMatchObject({ trigger: 'manual', outcome: 'failed', statusCode: 503 });
    }
    const listed = await listOf('manual');
    expect(listed).toEqual(expect.arrayContaining(results));
    expect(listed).toHaveLength(3);
    expect((await callers.api('GET', `/monitors/${id}`)).body.consecutiveFailures).toBe(0);
  });

  it('is 429 within 10 seconds, with Retry-After', async () => {
    const id = await addMonitor({ regions: ['us-east'] });
    expect((await callers.api('POST', `/monitors/${id}/check`)).status).toBe(200);
    const again = await callers.api('POST', `/monitors/${id}/check`);
    expect([again.status, again.body.error.code]).toEqual([429, 'RATE_LIMITED']);
    expect(Number(again.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(Number(again.headers.get('retry-after'))).toBeLessThanOrEqual(10);
  });

  it('is 409 for a paused monitor, 404 for one of another organization, 403 for a read key', async () => {
    const id = await addMonitor({ enabled: false });
    const codeOf = async (api: ApiClient) => {
      const { status, body } = await api('POST', `/monitors/${id}/check`);
      return [status, body.error.code];
    };
    expect(await codeOf(callers.api)).toEqual([409, 'MONITOR_PAUSED']);
    expect(await codeOf(callers.foreign)).toEqual([404, 'NOT_FOUND']);
    expect(await codeOf(callers.readOnly)).toEqual([403, 'FORBIDDEN']);
  });

  it('runs once per Idempotency-Key, and repeats the first response', async () => {
    const id = await addOwn();
    const [first, again] = [await post(id, 'once'), await post(id, 'once')];
    expect([first.status, again.status]).toEqual([200, 200]);
    expect(again.text).toBe(first.text);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect(manualCheckSchema.parse(again.json).results).toHaveLength(1);
    expect(await setting.backdoor.db.manualCheck.count({ where: { monitorId: id } })).toBe(1);
  });

  it('does not keep a refusal that time lifts for an Idempotency-Key', async () => {
    const id = await addOwn();
    expect((await post(id, 'first')).status).toBe(200);
    expect((await post(id, 'soon')).status).toBe(429);
    const data = { requestedAt: new Date(Date.now() - 11_000) };
    await setting.backdoor.db.manualCheck.updateMany({ where: { monitorId: id }, data });
    expect((await post(id, 'soon')).status).toBe(200);
  });

  it('rejects query parameters', async () => {
    const response = await post(await addOwn(), 'query', '?region=us-east');
    expect(rejectionOf(response)).toEqual([400, 'VALIDATION_ERROR']);
  });
});
