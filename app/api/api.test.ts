import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ApiClient } from '@/e2e/support/api-client';
import { type BorrowedService, borrowService } from '@/e2e/support/borrow-service';
import { healthSchema } from '@/lib/schemas/health';
import { type Backdoor, openBackdoor } from './testing/tenants';

let service: BorrowedService;
let backdoor: Backdoor;
let api: ApiClient;
let foreign: ApiClient;
let free: ApiClient;
let readOnly: ApiClient;

beforeAll(async () => {
  service = await borrowService();
  backdoor = await openBackdoor(service);
  ({ api, readOnly, foreign, free } = await backdoor.addCallers());
}, 120_000);
afterAll(() => backdoor?.close());

const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const SHOP = { name: 'Shop', url: 'http://127.0.0.1:9/' };

describe('POST /api/monitors', () => {
  it('returns 201 with the monitor, pending and enabled, with defaults', async () => {
    const { status, headers, body } = await api('POST', '/monitors', SHOP);
    expect(status).toBe(201);
    expect(headers.get('content-type')).toContain('application/json');
    expect(headers.get('x-request-id')).toMatch(/.+/);
    expect(headers.get('x-api-version')).toBe('1');
    expect(body).toEqual({
      ...SHOP,
      id: expect.stringMatching(/^mon_/),
      type: 'http',
      method: 'GET',
      interval: 60,
      timeout: 30,
      expectedStatusCode: 200,
      headers: {},
      body: null,
      regions: ['us-east'],
      alertThreshold: 3,
      enabled: true,
      status: 'pending',
      lastCheckedAt: null,
      lastResponseTime: null,
      consecutiveFailures: 0,
      uptimePercentage: 100,
      createdAt: expect.stringMatching(INSTANT),
      updatedAt: expect.stringMatching(INSTANT),
      degradedThreshold: 5000,
      recoveryThreshold: 1,
      followRedirects: true,
      maxRedirects: 5,
      keyword: null,
      tlsVerify: true,
      tlsExpiryDays: null,
      tags: [],
      ref: null,
      maintenance: false,
      noDataSince: null,
      silentRegions: [],
    });
  });

  it.each([
    ['http', 'https://127.0.0.1:9/health'],
    ['tcp', '127.0.0.1:9'],
    ['ping', '127.0.0.1'],
    ['dns', 'localhost'],
  ])('creates a monitor of type %s', async (type, url) => {
    const { status, body } = await api('POST', '/monitors', { name: type, type, url });
    expect(status).toBe(201);
    expect(body).toMatchObject({ type, url });
  });

  it.each([
    ['no JSON', '{"name":', 'INVALID_JSON', []],
    ['an array', [], 'VALIDATION_ERROR', ['']],
    ['missing fields', {}, 'VALIDATION_ERROR', ['name', 'url']],
    ['an unknown key', { ...SHOP, color: 'red' }, 'VALIDATION_ERROR', ['color']],
    ['wrong types', { name: 1, url: [], interval: '60' }, 'VALIDATION_ERROR', ['name', 'url', 'interval']],
    ['interval 45', { ...SHOP, interval: 45 }, 'VALIDATION_ERROR', ['interval']],
    ['an unknown region', { ...SHOP, regions: ['mars'] }, 'UNKNOWN_REGION', ['regions.0']],
    ['a bad url for the type', { ...SHOP, type: 'tcp' }, 'VALIDATION_ERROR', ['url']],
    ['CR/LF in a header', { ...SHOP, headers: { 'X-A': 'a\r\nb' } }, 'VALIDATION_ERROR', ['headers.X-A']],
    ['metadata as target', { ...SHOP, url: 'http://169.254.169.254/' }, 'BLOCKED_TARGET', ['url']],
  ])('rejects %s with 400, naming each field', async (_, sent, code, fields) => {
    const { status, body } = await api('POST', '/monitors', sent);
    expect(status).toBe(400);
    expect(body.error).toMatchObject({ code, message: expect.any(String), requestId: expect.any(String) });
    expect((body.error.details ?? []).map((detail: { path: string }) => detail.path)).toEqual(fields);
  });

  it('rejects a body that is not JSON with 415, and one over 1 MiB with 413', async () => {
    const { apiKey } = await backdoor.addTenant();
    const send = (body: string, type: string) =>
      fetch(`${service.url}/api/monitors`, {
        method: 'POST',
        body,
        headers: { Authorization: `Bearer ${apiKey}`, 'Content-Type': type },
      });
    expect((await send(JSON.stringify(SHOP), 'text/plain')).status).toBe(415);
    expect((await send(' '.repeat(1024 * 1024 + 1), 'application/json')).status).toBe(413);
  });

  it('rejects the ref of another monitor with 409', async () => {
    expect((await api('POST', '/monitors', { ...SHOP, ref: 'shop-1' })).status).toBe(201);
    const { status, body } = await api('POST', '/monitors', { ...SHOP, ref: 'shop-1' });
    expect([status, body.error.code]).toEqual([409, 'CONFLICT']);
    expect((await foreign('POST', '/monitors', { ...SHOP, ref: 'shop-1' })).status).toBe(201);
  });

  it('rejects what the plan does not include with 403 PLAN_LIMIT_EXCEEDED', async () => {
    const { status, body } = await free('POST', '/monitors', { ...SHOP, regions: ['ap-southeast'] });
    expect([status, body.error.code]).toEqual([403, 'PLAN_LIMIT_EXCEEDED']);
  });
});

describe('GET, PUT and DELETE', () => {
  it('lists the monitors of the organization as a bare array, newest first', async () => {
    const first = await api('POST', '/monitors', { ...SHOP, name: 'Older' });
    const second = await api('POST', '/monitors', { ...SHOP, name: 'Newer' });
    const { status, body } = await api('GET', '/monitors');
    expect(status).toBe(200);
    expect(body.slice(0, 2).map((monitor: { id: string }) => monitor.id)).toEqual([
      second.body.id,
      first.body.id,
    ]);
    const theirs = (await foreign('GET', '/monitors')).body.map((monitor: { id: string }) => monitor.id);
    expect(theirs).not.toContain(first.body.id);
  });

  it('filters, sorts and pages the list', async () => {
    const created = [];
    for (const [name, tags, type] of [
      ['Zeta', ['page'], 'http'],
      ['alpha', ['page', 'eu'], 'http'],
      ['Beta', ['page'], 'http'],
    ] as const) {
      created.push((await api('POST', '/monitors', { ...SHOP, name, tags, type, ref: `list-${name}` })).body);
    }
    const names = async (query: string) =>
      (await api('GET', `/monitors?${query}`)).body.map((monitor: { name: string }) => monitor.name);
    expect(await names('tag=page')).toEqual(['Beta', 'alpha', 'Zeta']);
    expect(await names('tag=page&sort=name')).toEqual(['alpha', 'Beta', 'Zeta']);
    expect(await names('tag=page&sort=-name')).toEqual(['Zeta', 'Beta', 'alpha']);
    expect(await names('tag=eu')).toEqual(['alpha']);
    expect(await names('ref=list-Zeta')).toEqual(['Zeta']);
    expect(await names('tag=page&q=ETA&sort=createdAt')).toEqual(['Zeta', 'Beta']);
    expect(await names('tag=page&enabled=false')).toEqual([]);
    expect(await names('tag=page&type=tcp')).toEqual([]);

    const first = await api('GET', '/monitors?tag=page&sort=name&limit=2');
    const [, next = ''] = /^<[^>]*\/api([^>]*)>; rel="next"$/.exec(first.headers.get('link') ?? '') ?? [];
    const second = await api('GET', next);
    expect(second.body.map((monitor: { name: string }) => monitor.name)).toEqual(['Zeta']);
    expect(second.headers.get('link')).toBeNull();

    for (const query of ['sort=color', 'limit=0', 'enabled=yes', 'cursor=x', 'color=red', 'status=up']) {
      const { status, body } = await api('GET', `/monitors?${query}`);
      expect([status, body.error.details[0].path]).toEqual([400, query.split('=')[0]]);
    }
  });

  it('changes the fields that are sent and leaves the others', async () => {
    const { body: created } = await api('POST', '/monitors', {
      ...SHOP,
      enabled: false,
      headers: { 'X-A': '1' },
    });
    const changes = { name: 'Store', interval: 300, maxRedirects: 0 };
    const { status, body } = await api('PUT', `/monitors/${created.id}`, changes);
    expect(status).toBe(200);
    expect(body).toEqual({
      ...created,
      ...changes,
      updatedAt: expect.stringMatching(INSTANT),
    });
    expect(body.updatedAt > created.updatedAt).toBe(true);
    expect((await api('GET', `/monitors/${created.id}`)).body).toEqual(body);
  });

  it('accepts a fetched monitor unchanged, and changes nothing for an empty body', async () => {
    const { body: created } = await api('POST', '/monitors', { ...SHOP, enabled: false });
    const { body: fetched } = await api('GET', `/monitors/${created.id}`);
    const whole = await api('PUT', `/monitors/${created.id}`, { ...fetched, alertThreshold: 5 });
    expect(whole.status).toBe(200);
    expect(whole.body.alertThreshold).toBe(5);
    expect((await api('PUT', `/monitors/${created.id}`, {})).body).toEqual(whole.body);
  });

  it('validates changed fields together with unchanged ones', async () => {
    const { body: created } = await api('POST', '/monitors', { ...SHOP, enabled: false });
    const { status, body } = await api('PUT', `/monitors/${created.id}`, { type: 'tcp' });
    expect([status, body.error.details[0].path]).toEqual([400, 'url']);
  });

  it('deletes permanently, with a message', async () => {
    const { body: created } = await api('POST', '/monitors', SHOP);
    const gone = await api('DELETE', `/monitors/${created.id}`);
    expect(gone).toMatchObject({ status: 200, body: { message: expect.any(String) } });
    expect((await api('GET', `/monitors/${created.id}`)).status).toBe(404);
    expect((await api('DELETE', `/monitors/${created.id}`)).status).toBe(404);
  });
});

describe('authentication', () => {
  it.each([
    ['no key', undefined],
    ['a malformed key', 'Bearer nonsense'],
    ['a key with a wrong checksum', `Bearer ph_live_${'A'.repeat(38)}`],
    ['another scheme', 'Basic dXNlcjpwdw=='],
    ['nothing after Bearer', 'Bearer'],
    ['two keys', `Bearer ph_live_${'A'.repeat(38)} ph_live_${'B'.repeat(38)}`],
    ['a key without Bearer', `ph_live_${'A'.repeat(38)}`],
    ['a key of 8 KiB', `Bearer ph_live_${'A'.repeat(8192)}`],
    ['a letter beyond ASCII', `Bearer ph_live_${'\xe9'.repeat(38)}`],
  ])('returns 401 for %s', async (_, authorization) => {
    const headers = new Headers(authorization ? { Authorization: authorization } : {});
    const response = await fetch(`${service.url}/api/monitors`, { headers });
    expect(response.status).toBe(401);
    expect((await response.json()).error.code).toBe('UNAUTHORIZED');
  });

  it("returns 404 for another organization's monitor and endpoint, as for missing ones, and changes nothing", async () => {
    const { body: monitor } = await api('POST', '/monitors', { ...SHOP, enabled: false });
    const { body: endpoint } = await api('POST', '/webhooks', { url: 'http://127.0.0.1:9/hook' });
    for (const path of [`/monitors/${monitor.id}`, `/webhooks/${endpoint.id}`]) {
      const unknown = path.replace(/.$/, (last) => (last === '0' ? '1' : '0'));
      for (const [method, body] of [['GET'], ['PUT', { name: 'Mine' }], ['PUT', {}], ['DELETE']] as const) {
        if (path.startsWith('/webhooks') && body && 'name' in body) continue;
        const theirs = await foreign(method, path, body);
        const nobodys = await foreign(method, unknown, body);
        expect([method, theirs.status, theirs.body.error.code]).toEqual([method, 404, 'NOT_FOUND']);
        expect(theirs.body.error.message).toBe(nobodys.body.error.message);
      }
      expect((await api('GET', path)).status).toBe(200);
    }
    expect((await api('GET', `/monitors/${monitor.id}`)).body).toEqual(monitor);
  });

  it('allows reads and rejects writes of a read key with 403', async () => {
    expect((await readOnly('GET', '/monitors')).status).toBe(200);
    const { status, body } = await readOnly('POST', '/monitors', SHOP);
    expect([status, body.error.code]).toEqual([403, 'FORBIDDEN']);
  });
});

describe('webhook endpoints', () => {
  it('shows the secret only when it is created', async () => {
    const created = await api('POST', '/webhooks', {
      url: 'https://receiver.test/hook',
      events: ['monitor.down'],
    });
    expect(created).toMatchObject({
      status: 201,
      body: { secret: expect.stringMatching(/^whsec_/), status: 'active' },
    });
    const { secret, ...endpoint } = created.body;
    expect((await api('GET', `/webhooks/${endpoint.id}`)).body).toEqual(endpoint);
    expect((await api('GET', '/webhooks')).body).toContainEqual(endpoint);
    expect(JSON.stringify((await api('GET', '/webhooks')).body)).not.toContain(secret);
  });

  it('can be changed, disabled and deleted', async () => {
    const { body: created } = await api('POST', '/webhooks', { url: 'https://receiver.test/hook' });
    const changed = await api('PUT', `/webhooks/${created.id}`, { enabled: false, description: 'old' });
    expect(changed.body).toMatchObject({ enabled: false, status: 'disabled', description: 'old' });
    expect((await api('DELETE', `/webhooks/${created.id}`)).body).toEqual({ message: expect.any(String) });
    expect((await api('GET', `/webhooks/${created.id}`)).status).toBe(404);
  });

  it.each([
    ['no url', {}, ['url']],
    ['another scheme', { url: 'ftp://receiver.test/' }, ['url']],
    ['credentials', { url: 'https://user:pw@receiver.test/' }, ['url']],
    ['an unknown event', { url: 'https://receiver.test/', events: ['monitor.sideways'] }, ['events.0']],
    ['an unknown key', { url: 'https://receiver.test/', secret: 'mine' }, ['secret']],
  ])('rejects %s with 400', async (_, sent, fields) => {
    const { status, body } = await api('POST', '/webhooks', sent);
    expect(status).toBe(400);
    expect(body.error.details.map((detail: { path: string }) => detail.path)).toEqual(fields);
  });
});

describe('every path below /api', () => {
  it('returns 404 in JSON if unknown', async () => {
    const { status, body } = await api('GET', '/nope/nothing');
    expect([status, body.error.code]).toEqual([404, 'NOT_FOUND']);
  });

  it.each(['/monitors/%00', '/monitors/mon_%00', '/monitors/%E0%A4%A', '/%'])(
    'returns 404 in JSON for %s',
    async (path) => {
      const { status, body } = await api('GET', path);
      expect([status, body.error.code]).toEqual([404, 'NOT_FOUND']);
    },
  );

  it('returns 405 with the supported methods for others', async () => {
    const { status, headers, body } = await api('PATCH', '/monitors', {});
    expect([status, body.error.code]).toEqual([405, 'METHOD_NOT_ALLOWED']);
    expect(headers.get('allow')).toBe('GET, HEAD, POST');
  });

  it('returns live and health without a key', async () => {
    const live = await fetch(`${service.url}/api/live`);
    const health = await fetch(`${service.url}/api/health`);
    expect([live.status, await live.json()]).toEqual([200, { status: 'ok' }]);
    const { status, parts } = healthSchema.parse(await health.json());
    expect([health.status, status]).toEqual([200, 'ok']);
    const names = 'database recording schedule deliveries mail upkeep'.split(' ');
    expect(parts.map(({ name }) => name)).toEqual(expect.arrayContaining(names));
  });
});
