import { describe, expect, it } from 'vitest';
import { lockOrganization } from '@/lib/domain/organizations/lock-organization';
import { borrowTenant } from './testing/borrow-tenant';
import { type OutsideResponse, send } from './testing/send';
import type { Tenant } from './testing/tenants';

const setting = borrowTenant();

const SHOP = { name: 'Shop', url: 'http://127.0.0.1:9/', enabled: false };

function post(
  path: string,
  body: object | null,
  idempotencyKey: string,
  { apiKey }: Tenant = setting.tenant,
): Promise<OutsideResponse> {
  return send(setting.service, {
    method: 'POST',
    path,
    key: apiKey,
    body: body === null ? null : JSON.stringify(body),
    headers: { 'Idempotency-Key': idempotencyKey },
  });
}

const codeOf = ({ status, json }: OutsideResponse) => [
  status,
  (json as { error?: { code: string } }).error?.code,
];
const countByRegion = async ({ api }: Tenant) => (await api('GET', '/monitors')).body.length;

describe('an Idempotency-Key', () => {
  it('takes effect once and repeats the first response, status and body', async () => {
    const own = await setting.backdoor.addTenant();
    const first = await post('/monitors', SHOP, 'once', own);
    const again = await post('/monitors', SHOP, 'once', own);
    expect(first.status).toBe(201);
    expect([again.status, again.text]).toEqual([first.status, first.text]);
    expect(await countByRegion(own)).toBe(1);
  });

  it('compares bodies by value, not by formatting', async () => {
    const { name, ...rest } = SHOP;
    const first = await post('/monitors', { name, ...rest }, 'order');
    const again = await post('/monitors', { ...rest, name }, 'order');
    expect([again.status, again.text]).toEqual([201, first.text]);
  });

  it('repeats the secret of a new webhook and a new API key', async () => {
    for (const [path, body, field] of [
      ['/webhooks', { url: 'http://127.0.0.1:9/' }, 'secret'],
      ['/api-keys', { name: 'A key' }, 'apiKey'],
    ] as const) {
      const first = await post(path, body, 'secret');
      const again = await post(path, body, 'secret');
      expect(first.status).toBe(201);
      expect((first.json as Record<string, string>)[field]).toMatch(/^(whsec_|ph_live_)/);
      expect(again.text).toBe(first.text);
      expect(first.headers.get('idempotent-replayed')).toBeNull();
      expect(again.headers.get('idempotent-replayed')).toBe('true');
      expect(again.headers.get('location')).toBe(first.headers.get('location'));
    }
  });

  it('stores no secret in plain text', async () => {
    const created = await post('/webhooks', { url: 'http://127.0.0.1:9/' }, 'sealed');
    const { secret } = created.json as { secret: string };
    const rows = await setting.backdoor.db.idempotentResponse.findMany({
      where: { organizationId: setting.tenant.organizationId },
    });
    expect(rows.length).toBeGreaterThan(0);
    for (const { responseSealed } of rows) {
      expect(Buffer.from(responseSealed).toString('latin1')).not.toContain(secret);
    }
  });

  it('takes effect once among concurrent requests; the others get 409 or the same response', async () => {
    const own = await setting.backdoor.addTenant();
    const responses = await Promise.all(
      Array.from({ length: 12 }, () => post('/monitors', SHOP, 'crowd', own)),
    );
    const created = responses.filter(({ status }) => status === 201);
    expect(created.length).toBeGreaterThan(0);
    for (const response of responses) {
      if (response.status === 201) expect(response.text).toBe(created[0]?.text);
      else expect(codeOf(response)).toEqual([409, 'IN_PROGRESS']);
    }
    expect(await countByRegion(own)).toBe(1);
  });

  it('returns 409 while the first request is running, and its response after that', async () => {
    const own = await setting.backdoor.addTenant();
    const pending = await setting.backdoor.db.$transaction(async (tx) => {
      // The one that gets the key waits for this lock; the other is rejected in the meantime.
      await lockOrganization(tx, own.organizationId);
      const both = [post('/monitors', SHOP, 'slow', own), post('/monitors', SHOP, 'slow', own)];
      const refused = await Promise.race(both);
      expect(codeOf(refused)).toEqual([409, 'IN_PROGRESS']);
      expect(refused.headers.get('retry-after')).toBe('1');
      return { both };
    });
    const responses = await Promise.all(pending.both);
    const done = responses.find(({ status }) => status === 201);
    expect((await post('/monitors', SHOP, 'slow', own)).text).toBe(done?.text);
    expect(await countByRegion(own)).toBe(1);
  });

  it('is rejected with 422 for a different body, and belongs to its path', async () => {
    await post('/monitors', SHOP, 'reused');
    expect(codeOf(await post('/monitors', { ...SHOP, name: 'Other' }, 'reused'))).toEqual([
      422,
      'IDEMPOTENCY_MISMATCH',
    ]);
    expect((await post('/incidents', { title: 'Something is wrong' }, 'reused')).status).toBe(201);
  });

  it('repeats an error even if the request would now succeed', async () => {
    const page = { name: 'Acme', slug: 'kept-error', monitors: [] };
    await setting.tenant.api('POST', '/status-pages', page);
    const rejected = await post('/status-pages', page, 'kept');
    expect(codeOf(rejected)).toEqual([400, 'SLUG_TAKEN']);
    await setting.tenant.api('DELETE', '/status-pages/kept-error');
    const again = await post('/status-pages', page, 'kept');
    expect([again.status, again.text]).toEqual([rejected.status, rejected.text]);
  });

  it('is stored for a POST without a body too: a test is sent once', async () => {
    const { body: webhook } = await setting.tenant.api('POST', '/webhooks', { url: 'http://127.0.0.1:9/' });
    const first = await post(`/webhooks/${webhook.id}/test`, null, 'bodiless');
    const again = await post(`/webhooks/${webhook.id}/test`, null, 'bodiless');
    expect([first.status, again.status]).toEqual([202, 202]);
    expect(again.text).toBe(first.text);
    expect((await setting.tenant.api('GET', `/webhooks/${webhook.id}/deliveries`)).body).toHaveLength(1);
  });

  it.each([
    ['too long', 'x'.repeat(256)],
    ['not printable', 'caf\xe9'],
  ])('that is %s is rejected with 400', async (_, key) => {
    expect(codeOf(await post('/monitors', SHOP, key))).toEqual([400, 'VALIDATION_ERROR']);
  });
});

describe('the rate limit', () => {
  it('allows a free organization 120 requests a minute, and rejects the next with Retry-After', async () => {
    const own = await setting.backdoor.addTenant('free');
    const request = (path = '/me') => send(setting.service, { method: 'GET', path, key: own.apiKey });
    const first = await request();
    expect(first.headers.get('ratelimit-policy')).toBe('"default";q=120;w=60');
    expect(first.headers.get('ratelimit')).toMatch(/^"default";r=119;t=(60|59)$/);
    expect(first.headers.has('retry-after')).toBe(false);

    // Rejected requests count too.
    const statuses = [(await request('/monitors/mon_none')).status];
    for (let sent = 2; sent < 120; sent += 1) statuses.push((await request()).status);
    expect(new Set(statuses)).toEqual(new Set([404, 200]));

    const over = await request();
    expect(codeOf(over)).toEqual([429, 'RATE_LIMITED']);
    expect(over.headers.get('ratelimit')).toMatch(/^"default";r=0;t=\d+$/);
    const wait = Number(over.headers.get('retry-after'));
    expect(wait).toBeGreaterThanOrEqual(1);
    expect(wait).toBeLessThanOrEqual(60);
    expect(over.headers.get('x-request-id')).toMatch(/.+/);
    expect(over.headers.get('x-api-version')).toBe('1');

    // Other organizations are not affected, and a rejected write has no effect.
    expect((await setting.tenant.api('GET', '/me')).status).toBe(200);
    expect((await post('/monitors', SHOP, 'limited', own)).status).toBe(429);
    expect(await setting.backdoor.db.monitor.count({ where: { organizationId: own.organizationId } })).toBe(
      0,
    );
  });

  it('applies to the organization, across its keys', async () => {
    const own = await setting.backdoor.addTenant('free');
    const { apiKey } = (await own.api('POST', '/api-keys', { name: 'Second', scope: 'read' })).body;
    const response = await send(setting.service, { method: 'GET', path: '/me', key: apiKey });
    expect(response.headers.get('ratelimit')).toMatch(/r=118;/);
  });

  it.each([
    ['pro', 600],
    ['enterprise', 6000],
  ] as const)('of the %s plan is %i a minute', async (plan, quota) => {
    const { api } = await setting.backdoor.addTenant(plan);
    expect((await api('GET', '/me')).headers.get('ratelimit-policy')).toBe(`"default";q=${quota};w=60`);
  });

  it('is shown on errors too', async () => {
    const { headers, status } = await setting.tenant.api('POST', '/monitors', {});
    expect([status, headers.get('ratelimit-policy')]).toEqual([400, '"default";q=6000;w=60']);
  });
});
