import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ApiClient } from '@/e2e/support/api-client';
import { type BorrowedService, borrowService } from '@/e2e/support/borrow-service';
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
});
afterAll(() => backdoor?.close());

const ACME = { name: 'Acme', monitors: [] };

const addMonitor = async () =>
  (await api('POST', '/monitors', { name: 'Shop', url: 'http://127.0.0.1:9/', enabled: false })).body.id;

const readPublic = (query: string, init: RequestInit = {}) =>
  fetch(`${service.url}/api/status-pages/public${query}`, init);

describe('status pages over HTTP', () => {
  it('are created with 201, read, listed newest first, changed and renamed, and deleted', async () => {
    const monitors = [await addMonitor()];
    const older = await api('POST', '/status-pages', { ...ACME, slug: 'older' });
    const created = await api('POST', '/status-pages', { ...ACME, slug: 'crud', monitors });
    expect([older.status, created.status]).toEqual([201, 201]);
    expect(created.body).toMatchObject({ slug: 'crud', monitors, published: false, description: null });
    expect((await api('GET', '/status-pages/crud')).body).toEqual(created.body);
    expect((await api('GET', '/status-pages')).body.slice(0, 2)).toEqual([created.body, older.body]);

    const changed = await api('PUT', '/status-pages/crud', {
      ...created.body,
      slug: 'moved',
      published: true,
    });
    expect([changed.status, changed.body.slug, changed.body.published]).toEqual([200, 'moved', true]);
    expect((await api('GET', '/status-pages/crud')).status).toBe(404);
    expect((await api('PUT', '/status-pages/moved', {})).body).toEqual(changed.body);

    const gone = await api('DELETE', '/status-pages/moved');
    expect(gone).toMatchObject({ status: 200, body: { message: expect.any(String) } });
    expect((await api('DELETE', '/status-pages/moved')).status).toBe(404);
  });

  it('no longer contain a deleted monitor', async () => {
    const [first, second] = [await addMonitor(), await addMonitor()];
    await api('POST', '/status-pages', { ...ACME, slug: 'losing', monitors: [second, first] });
    await api('DELETE', `/monitors/${second}`);
    expect((await api('GET', '/status-pages/losing')).body.monitors).toEqual([first]);
  });

  it.each([
    ['missing fields', {}, 'VALIDATION_ERROR', ['name', 'slug', 'monitors']],
    ['an unknown key', { ...ACME, slug: 'a', color: 'red' }, 'VALIDATION_ERROR', ['color']],
    ['a reserved slug', { ...ACME, slug: 'public' }, 'VALIDATION_ERROR', ['slug']],
    ['a slug in use', { ...ACME, slug: 'in-use' }, 'SLUG_TAKEN', ['slug']],
    ['an unknown monitor', { ...ACME, slug: 'a', monitors: ['mon_1'] }, 'UNKNOWN_MONITOR', ['monitors.0']],
  ])('are rejected with %s: 400, naming each field', async (_, sent, code, fields) => {
    await foreign('POST', '/status-pages', { ...ACME, slug: 'in-use' });
    const { status, body } = await api('POST', '/status-pages', sent);
    expect([status, body.error.code]).toEqual([400, code]);
    expect(body.error.details.map((detail: { path: string }) => detail.path)).toEqual(fields);
  });

  it('are rejected beyond the plan, with a read-only key, and without a key', async () => {
    const sent = { ...ACME, slug: 'planned', customDomain: 'status.acme.test' };
    const planned = await free('POST', '/status-pages', sent);
    expect([planned.status, planned.body.error.code]).toEqual([403, 'PLAN_LIMIT_EXCEEDED']);
    const reading = await readOnly('POST', '/status-pages', sent);
    expect([reading.status, reading.body.error.code]).toEqual([403, 'FORBIDDEN']);
    expect((await fetch(`${service.url}/api/status-pages`)).status).toBe(401);
    expect((await fetch(`${service.url}/api/status-pages/older`)).status).toBe(401);
  });

  it('of another organization cannot be found', async () => {
    await api('POST', '/status-pages', { ...ACME, slug: 'private', published: true });
    for (const slug of ['private', 'unknown', '%00', 'public%2F']) {
      expect((await foreign('GET', `/status-pages/${slug}`)).status).toBe(404);
      expect((await foreign('PUT', `/status-pages/${slug}`, { name: 'Mine' })).status).toBe(404);
      expect((await foreign('DELETE', `/status-pages/${slug}`)).status).toBe(404);
    }
    expect((await foreign('GET', '/status-pages')).body).not.toContainEqual(
      expect.objectContaining({ slug: 'private' }),
    );
    expect((await api('GET', '/status-pages/private')).body.name).toBe('Acme');
  });

  it('respond to unsupported methods with 405', async () => {
    const { status, headers } = await api('PATCH', '/status-pages/older', {});
    expect([status, headers.get('allow')]).toEqual([405, 'GET, HEAD, PUT, DELETE']);
  });
});

describe('GET /api/status-pages/public', () => {
  const CACHED = 'public, s-maxage=10, stale-while-revalidate=60';
  let monitor: string;

  beforeAll(async () => {
    monitor = await addMonitor();
    const page = { ...ACME, slug: 'shown', monitors: [monitor], published: true };
    await api('POST', '/status-pages', { ...page, customDomain: 'shown.acme.test' });
    await api('POST', '/status-pages', { ...page, slug: 'hidden', published: false });
  });

  it('shows a published page without a key, to any origin, cacheable', async () => {
    const response = await readPublic('?slug=shown');
    const body = await response.json();
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toContain('application/json');
    expect(response.headers.get('access-control-allow-origin')).toBe('*');
    expect(response.headers.get('cache-control')).toBe(CACHED);
    expect(response.headers.get('x-request-id')).toMatch(/.+/);
    expect(body).toMatchObject({ slug: 'shown', status: 'operational', incidents: [] });
    expect(body.monitors).toEqual([
      {
        id: monitor,
        name: 'Shop',
        type: 'http',
        status: 'pending',
        enabled: false,
        inMaintenance: false,
        uptimePercentage: 100,
        measuredUptimePercentage: null,
        lastCheckedAt: null,
        lastResponseTime: null,
        noDataSince: null,
        days: expect.any(Array),
      },
    ]);
    expect(body.monitors[0].days).toHaveLength(90);
    expect(JSON.stringify(body)).not.toMatch(/127\.0\.0\.1|pharos-verify|_pharos|org_/);
  });

  it('responds with 304 to a known ETag, and without a body to HEAD', async () => {
    const etag = (await readPublic('?slug=shown')).headers.get('etag') ?? '';
    expect(etag).toMatch(/^W\/".+"$/);
    for (const known of [etag, etag.slice(2), `"other", ${etag}`, '*']) {
      const response = await readPublic('?slug=shown', { headers: { 'If-None-Match': known } });
      expect([response.status, await response.text()]).toEqual([304, '']);
      expect(response.headers.get('etag')).toBe(etag);
      expect(response.headers.get('cache-control')).toBe(CACHED);
      expect(response.headers.get('access-control-allow-origin')).toBe('*');
    }
    expect((await readPublic('?slug=shown', { headers: { 'If-None-Match': '"other"' } })).status).toBe(200);
    const head = await readPublic('?slug=shown', { method: 'HEAD' });
    expect([head.status, head.headers.get('etag'), await head.text()]).toEqual([200, etag, '']);
  });

  it('responds to an unpublished page exactly as to an unknown one', async () => {
    const responses = ['?slug=hidden', '?slug=unknown', '?slug=public'].map(async (query) => {
      const response = await readPublic(query);
      const { error } = await response.json();
      const {
        'x-request-id': _id,
        date: _date,
        ratelimit: _left,
        ...headers
      } = Object.fromEntries(response.headers);
      return { status: response.status, headers, error: { ...error, requestId: '' } };
    });
    const [hidden, unknown, reserved] = await Promise.all(responses);
    expect(hidden).toMatchObject({
      status: 404,
      error: { code: 'NOT_FOUND' },
      headers: { 'access-control-allow-origin': '*', 'cache-control': 'no-store' },
    });
    expect(unknown).toEqual(hidden);
    expect(reserved).toEqual(hidden);
  });

  it.each(['', '?slug=', '?slug=NO', '?slug=%00', '?slug=a&slug=b', '?slug=shown&x=1'])(
    'responds to %j with 400',
    async (query) => {
      const response = await readPublic(query);
      expect(response.status).toBe(400);
      const { error } = await response.json();
      expect([error.code, error.details[0].path]).toEqual([
        'VALIDATION_ERROR',
        query.endsWith('x=1') ? 'x' : 'slug',
      ]);
    },
  );

  it('allows requests of scripts of any origin, and no other methods', async () => {
    const headers = { Origin: 'https://acme.test', 'Access-Control-Request-Method': 'GET' };
    const preflight = await readPublic('?slug=shown', { method: 'OPTIONS', headers });
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get('access-control-allow-origin')).toBe('*');
    expect(preflight.headers.get('access-control-allow-methods')).toBe('GET, HEAD, OPTIONS');
    expect(preflight.headers.get('access-control-allow-headers')).toBe('*');
    const post = await readPublic('', { method: 'POST' });
    expect([post.status, post.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS']);
  });
});
