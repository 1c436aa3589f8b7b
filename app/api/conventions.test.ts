import { describe, expect, it } from 'vitest';
import { borrowTenant } from './testing/borrow-tenant';
import { type OutsideRequest, send } from './testing/send';

const setting = borrowTenant();

const SHOP = { name: 'Shop', url: 'http://127.0.0.1:9/' };
const TIMES = { startsAt: '2027-03-01T10:00:00Z', endsAt: '2027-03-01T11:00:00Z' };

/** Sends a request with the tenant's key, and a JSON body unless it is null. */
function call(method: string, path: string, body: unknown = null, more: Partial<OutsideRequest> = {}) {
  const sent = body === null ? null : JSON.stringify(body);
  return send(setting.service, { method, path, key: setting.tenant.apiKey, body: sent, ...more });
}

describe('every response', () => {
  it('says how to authenticate if the key is missing', async () => {
    const { status, headers } = await call('GET', '/monitors', null, { key: null });
    expect([status, headers.get('www-authenticate')]).toEqual([401, 'Bearer']);
  });

  it.each([
    ['GET', '/monitors', 200],
    ['GET', '/monitors/mon_unknown', 404],
    ['POST', '/monitors', 400],
  ])(
    'of %s %s varies with the key, and by nothing that only browsers send',
    async (method, path, expected) => {
      const { status, headers } = await call(method, path, method === 'POST' ? {} : null);
      expect([status, headers.get('vary')]).toEqual([expected, 'Authorization, Accept-Encoding']);
    },
  );

  it.each(['', '/', '/unknown', '/unknown/'])('at /api%s is JSON', async (path) => {
    const { status, json, headers } = await call('GET', path);
    expect([status, json]).toMatchObject([404, { error: { code: 'NOT_FOUND' } }]);
    expect(headers.get('vary') ?? '').not.toMatch(/rsc|next-/i);
  });

  it.each([
    ['//api/monitors', 308],
    ['/api//monitors', 308],
    ['/API/monitors', 404],
    ['/api%2Fmonitors', 404],
    ['/%61pi/monitors', 404],
  ])('at %s, which is another spelling, is JSON', async (path, expected) => {
    const response = await fetch(setting.service.url + path, { redirect: 'manual' });
    expect([response.status, response.headers.get('x-api-version')]).toEqual([expected, '1']);
    const requestId = response.headers.get('x-request-id');
    expect(await response.json()).toMatchObject({ error: { code: 'NOT_FOUND', requestId } });
  });

  it('is the same with a slash at the end of the path', async () => {
    const created = await call('POST', '/monitors/', SHOP);
    expect(created.status).toBe(201);
    const { id } = created.json as { id: string };
    expect((await call('GET', `/monitors/${id}/`)).json).toMatchObject({ id });
  });

  it('rejects a body that it would have to decompress', async () => {
    const gzip = { headers: { 'Content-Encoding': 'gzip' } };
    const { status, json } = await call('POST', '/monitors', SHOP, gzip);
    expect([status, json]).toMatchObject([415, { error: { code: 'UNSUPPORTED_MEDIA_TYPE' } }]);
    expect(
      (await call('POST', '/monitors', SHOP, { headers: { 'Content-Encoding': 'identity' } })).status,
    ).toBe(201);
  });
});

/** For each resource: its path, the least that creates one, and every other field with a value that is not its default. */
const RESOURCES = [
  [
    '/monitors',
    () => SHOP,
    {
      method: 'POST',
      interval: 300,
      timeout: 9,
      expectedStatusCode: 201,
      headers: { Accept: 'text/html' },
      body: '{}',
      regions: ['eu-west'],
      alertThreshold: 5,
      recoveryThreshold: 5,
      degradedThreshold: 9,
      keyword: 'ok',
      followRedirects: false,
      maxRedirects: 1,
      tlsVerify: false,
      tlsExpiryDays: 9,
      tags: ['a'],
      ref: 'shop',
      enabled: false,
    },
  ],
  [
    '/status-pages',
    () => ({ name: 'Acme', slug: `acme-${crypto.randomUUID()}`, monitors: [] }),
    {
      description: 'All of it',
      published: true,
      theme: { textColor: '#123456' },
      appearance: 'dark',
      embedOrigins: ['https://www.example.com'],
      logoUrl: 'https://example.com/logo.svg',
      customDomain: 'status.example.com',
      showResponseTimes: true,
      darkLogoUrl: 'https://example.com/dark.svg',
      faviconUrl: 'https://example.com/icon.svg',
      font: 'serif',
      noindex: true,
      poweredBy: false,
      timeZone: 'Europe/Berlin',
      customCss: '.banner { border-radius: 0 }',
      announcement: { text: 'We move', url: 'https://example.com/', endsAt: '2030-01-01T00:00:00.000Z' },
      links: [{ label: 'Support', url: 'mailto:help@example.com', place: 'header' }],
    },
  ],
  [
    '/webhooks',
    () => ({ url: 'http://127.0.0.1:9/' }),
    { description: 'Ours', events: ['monitor.up'], format: 'slack', enabled: false },
  ],
  [
    '/incidents',
    () => ({ title: 'Slow' }),
    { description: 'Very', status: 'monitoring', severity: 'minor', startedAt: '2026-01-01T00:00:00.000Z' },
  ],
  [
    '/incident-templates',
    () => ({ name: 'Payments' }),
    { title: 'Payments fail', message: 'Very', status: 'monitoring', severity: 'minor' },
  ],
  [
    '/maintenance',
    async () => {
      const { json } = await call('POST', '/monitors', SHOP);
      return { title: 'Upgrade', monitors: [(json as { id: string }).id], ...TIMES };
    },
    { message: 'New disks', rrule: 'FREQ=WEEKLY', timeZone: 'Europe/Berlin' },
  ],
] as const;

describe.each(RESOURCES)('%s', (path, least, others) => {
  const names = Object.keys(others);
  const pick = (json: unknown) =>
    Object.fromEntries(names.map((name) => [name, (json as Record<string, unknown>)[name]]));

  it('names the address of what was created', async () => {
    const { status, json, headers } = await call('POST', path, await least());
    expect(status).toBe(201);
    const location = headers.get('location') ?? '';
    expect(location.startsWith(`${setting.service.url}/api${path}/`)).toBe(true);
    const found = await call('GET', location.slice(`${setting.service.url}/api`.length));
    expect(found.json).toMatchObject({ id: (json as { id: string }).id });
  });

  it('resets any optional field to its default with null', async () => {
    const plain = await call('POST', path, await least());
    const nulls = Object.fromEntries(names.map((name) => [name, null]));
    const created = await call('POST', path, { ...(await least()), ...nulls });
    expect(created.status).toBe(201);
    const expected = pick(plain.json);
    // Without a start, an incident starts when it is created.
    const atCreation = (json: unknown) =>
      'startedAt' in others ? { startedAt: (json as { createdAt: string }).createdAt } : {};
    expect(pick(created.json)).toEqual({ ...expected, ...atCreation(created.json) });

    const filled = await call('POST', path, { ...(await least()), ...others });
    expect(filled.status).toBe(201);
    const place = (filled.headers.get('location') ?? '').slice(`${setting.service.url}/api`.length);
    for (const name of names) expect(pick(filled.json)[name], name).not.toEqual(expected[name]);
    const reset = await call('PUT', place, nulls);
    expect(reset.status).toBe(200);
    expect(pick(reset.json)).toEqual({ ...expected, ...atCreation(reset.json) });
  });
});

describe('status pages', () => {
  it('take colors in either case, and store them in lowercase', async () => {
    const page = { name: 'Acme', slug: 'colors', monitors: [], theme: { textColor: '#ABCDEF' } };
    const { json } = await call('POST', '/status-pages', page);
    expect(json).toMatchObject({ theme: { textColor: '#abcdef', primaryColor: '#22c55e' } });
    const changed = await call('PUT', '/status-pages/colors', { theme: { primaryColor: '#ABC123' } });
    expect(changed.json).toMatchObject({ theme: { textColor: '#abcdef', primaryColor: '#abc123' } });
  });

  it('are found, changed and deleted by ID as by slug', async () => {
    const { json } = await call('POST', '/status-pages', { name: 'Acme', slug: 'by-id', monitors: [] });
    const path = `/status-pages/${(json as { id: string }).id}`;
    expect((await call('GET', path)).json).toEqual(json);
    expect((await call('PUT', path, { slug: 'by-id-2' })).json).toMatchObject({ slug: 'by-id-2' });
    const foreign = await setting.backdoor.addTenant();
    expect((await call('GET', path, null, { key: foreign.apiKey })).status).toBe(404);
    expect((await call('DELETE', path)).status).toBe(200);
    expect((await call('GET', '/status-pages/by-id-2')).status).toBe(404);
  });
});

describe('X-Total-Count', () => {
  it('is the number of all monitors that match, on every page', async () => {
    const { apiKey: key } = await setting.backdoor.addTenant();
    const list = async (query: string) => {
      const { json, headers } = await call('GET', `/monitors${query}`, null, { key });
      const next = /cursor=([^&>]+)/.exec(headers.get('link') ?? '')?.[1];
      return { count: (json as unknown[]).length, total: headers.get('x-total-count'), next };
    };
    expect(await list('')).toMatchObject({ count: 0, total: '0' });
    const ids: string[] = [];
    for (const name of ['Shop', 'Mail', 'Shop again']) {
      const { json } = await call('POST', '/monitors', { ...SHOP, name, enabled: false }, { key });
      ids.push((json as { id: string }).id);
    }
    expect(await list('')).toMatchObject({ count: 3, total: '3' });
    const first = await list('?limit=2');
    expect(first).toMatchObject({ count: 2, total: '3' });
    expect(await list(`?limit=2&cursor=${first.next}`)).toMatchObject({ count: 1, total: '3' });
    expect(await list('?limit=1&q=shop')).toMatchObject({ count: 1, total: '2' });
    expect(await list('?limit=1&status=down')).toMatchObject({ count: 0, total: '0' });
    await call('DELETE', `/monitors/${ids[0]}`, null, { key });
    expect(await list('?limit=1')).toMatchObject({ count: 1, total: '2' });
  });

  it.each(['/status-pages', '/webhooks', '/api-keys'])('is the number of all at %s', async (path) => {
    const all = await call('GET', path);
    const some = await call('GET', `${path}?limit=1`);
    expect(all.headers.get('x-total-count')).toBe(String((all.json as unknown[]).length));
    expect(some.headers.get('x-total-count')).toBe(all.headers.get('x-total-count'));
  });
});
