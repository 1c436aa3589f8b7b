import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ApiClient } from '@/e2e/support/api-client';
import { type BorrowedService, borrowService } from '@/e2e/support/borrow-service';
import { type Backdoor, openBackdoor } from './testing/tenants';

let service: BorrowedService;
let backdoor: Backdoor;
let api: ApiClient;
let foreign: ApiClient;
let free: ApiClient;

beforeAll(async () => {
  service = await borrowService();
  backdoor = await openBackdoor(service);
  ({ api, foreign, free } = await backdoor.addCallers());
});
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
      description: null,
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
      statusChangedAt: expect.stringMatching(INSTANT),
      lastCheckedAt: null,
      lastResponseTime: null,
      consecutiveFailures: 0,
      uptimePercentage: 100,
      measuredUptimePercentage: null,
      version: 1,
      createdAt: expect.stringMatching(INSTANT),
      updatedAt: expect.stringMatching(INSTANT),
      degradedThreshold: 5000,
      confirmInterval: null,
      recoveryThreshold: 1,
      dependsOn: [],
      members: [],
      memberRule: 'all',
      memberMinimum: null,
      followRedirects: true,
      maxRedirects: 5,
      keyword: null,
      tlsVerify: true,
      tlsExpiryDays: null,
      authentication: null,
      clientCertificate: null,
      period: null,
      schedule: null,
      grace: 3600,
      heartbeatUrl: null,
      assertions: [],
      send: null,
      expectedAnswer: 'records',
      resolvers: [],
      resolverMatch: 'all',
      protocol: 'none',
      ipVersion: 'any',
      connectTo: null,
      tags: [],
      ref: null,
      maintenance: false,
      noDataSince: null,
      flappingSince: null,
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

  it('rejects the ref of another monitor with 409 REF_TAKEN', async () => {
    expect((await api('POST', '/monitors', { ...SHOP, ref: 'shop-1' })).status).toBe(201);
    const { status, body } = await api('POST', '/monitors', { ...SHOP, ref: 'shop-1' });
    expect([status, body.error.code]).toEqual([409, 'REF_TAKEN']);
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
      version: 2,
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
