import { beforeAll, describe, expect, it } from 'vitest';
import { borrowTenant } from './testing/borrow-tenant';
import { send } from './testing/send';
import type { Tenant } from './testing/tenants';

const setting = borrowTenant({ inProcess: true });

type Fields = Record<string, unknown> & { version: number };

/** Sends a request with the tenant's key, and a JSON body unless it is null. */
async function call(
  method: string,
  path: string,
  body: unknown = null,
  headers: Record<string, string> = {},
) {
  const sent = body === null ? null : JSON.stringify(body);
  const response = await send(setting.service, {
    method,
    path,
    key: setting.tenant.apiKey,
    body: sent,
    headers,
  });
  return { ...response, json: response.json as Fields };
}

async function create(path: string, body: unknown): Promise<string> {
  const { headers } = await call('POST', path, body);
  return (headers.get('location') ?? '').slice(`${setting.service.url}/api`.length);
}

const SHOP = { name: 'Shop', url: 'http://127.0.0.1:9/', headers: { 'X-Token': 'wh1sper' } };

/** Each kind of resource that can be changed: how to create one, and a change. */
const KINDS: [string, () => Promise<string>, Record<string, unknown>][] = [
  ['monitor', () => create('/monitors', SHOP), { name: 'Store' }],
  [
    'status page',
    async () => {
      const monitor = (await create('/monitors', SHOP)).split('/').at(-1);
      return create('/status-pages', {
        name: 'Acme',
        slug: `acme-${crypto.randomUUID()}`,
        monitors: [monitor],
      });
    },
    { monitors: [], description: 'Nothing' },
  ],
  ['webhook', () => create('/webhooks', { url: 'http://127.0.0.1:9/' }), { events: ['monitor.up'] }],
  ['incident', () => create('/incidents', { title: 'Slow' }), { status: 'identified' }],
  [
    'email recipient',
    () => create('/email-recipients', { email: `alerts-${crypto.randomUUID()}@example.com` }),
    { description: 'On-call' },
  ],
  ['incident template', () => create('/incident-templates', { name: 'Outage' }), { title: 'Payments fail' }],
  [
    'maintenance window',
    async () => {
      const times = { startsAt: '2027-03-01T10:00:00Z', endsAt: '2027-03-01T11:00:00Z' };
      const monitor = (await create('/monitors', SHOP)).split('/').at(-1);
      return create('/maintenance', { title: 'Upgrade', monitors: [monitor], ...times });
    },
    { title: 'New disks' },
  ],
  ['API key', () => create('/api-keys', { name: 'CI' }), { name: 'Deploy' }],
  ['member', async () => `/members/${await setting.tenant.addMember()}`, { role: 'viewer' }],
];

describe.each(KINDS)('the version of a %s', (_, begin, change) => {
  it('counts changes, and nothing else', async () => {
    const path = await begin();
    const { json: first } = await call('GET', path);
    expect(first.version).toBe(1);
    expect((await call('PUT', path, first)).json.version).toBe(1);
    expect((await call('PUT', path, {})).json.version).toBe(1);
    expect((await call('PUT', path, change)).json.version).toBe(2);
    expect((await call('PUT', path, change)).json.version).toBe(2);
  });

  it('must be the current one in the body of a change', async () => {
    const path = await begin();
    const { json: first } = await call('GET', path);
    const changed = await call('PUT', path, { ...first, ...change });
    expect([changed.status, changed.json.version]).toEqual([200, 2]);
    for (const body of [first, { version: 1 }, { ...change, version: 3 }]) {
      const { status, json } = await call('PUT', path, body);
      expect([status, json]).toMatchObject([409, { error: { code: 'CONFLICT' } }]);
    }
    expect((await call('GET', path)).json.version).toBe(2);
    expect((await call('PUT', path, { version: null, ...change })).status).toBe(200);
    expect((await call('PUT', path, { version: 'new' })).status).toBe(400);
  });

  it('lets one of several concurrent changes pass', async () => {
    const path = await begin();
    const { version } = (await call('GET', path)).json;
    const changes = Array.from({ length: 4 }, () => call('PUT', path, { ...change, version }));
    const statuses = (await Promise.all(changes)).map(({ status }) => status);
    expect(statuses.toSorted()).toEqual([200, 409, 409, 409]);
  });
});

describe.each(KINDS)('a precondition on a %s', (_, begin, change) => {
  const refused = [412, { error: { code: 'PRECONDITION_FAILED' } }];
  const attempt = async (...request: Parameters<typeof call>) => {
    const { status, json } = await call(...request);
    return [status, json];
  };

  it('If-Match is met by a strong ETag of the current state only, and by *', async () => {
    const path = await begin();
    const etag = (await call('GET', path)).headers.get('etag') ?? '';
    const isStrong = !etag.startsWith('W/');
    const matched = await call('PUT', path, change, { 'If-Match': etag });
    expect(matched.status).toBe(isStrong ? 200 : 412);
    if (!isStrong) expect(matched.text).toContain('`version`');
    expect((await call('PUT', path, change, { 'If-Match': '*' })).status).toBe(200);
    for (const method of ['GET', 'PUT', 'DELETE']) {
      const body = method === 'PUT' ? change : null;
      expect(await attempt(method, path, body, { 'If-Match': etag })).toMatchObject(refused);
      expect(await attempt(method, path, body, { 'If-Match': '"other"' })).toMatchObject(refused);
    }
    expect((await call('DELETE', path, null, { 'If-Match': '*' })).status).toBe(200);
  });

  it('If-Match: * lets all of several concurrent changes pass', async () => {
    const path = await begin();
    const any = { 'If-Match': '*' };
    const changes = Array.from({ length: 4 }, () => call('PUT', path, change, any));
    expect((await Promise.all(changes)).map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  });

  it('If-None-Match: * is not met by what exists', async () => {
    const path = await begin();
    for (const method of ['PUT', 'DELETE']) {
      const body = method === 'PUT' ? change : null;
      expect(await attempt(method, path, body, { 'If-None-Match': '*' })).toMatchObject(refused);
    }
    expect((await call('PUT', path, change, { 'If-None-Match': '"other"' })).status).toBe(200);
  });

  it('If-Unmodified-Since compares whole seconds, where there is a time of the last change', async () => {
    const path = await begin();
    const { updatedAt } = (await call('GET', path)).json;
    const before = { 'If-Unmodified-Since': 'Mon, 01 Jan 2024 00:00:00 GMT' };
    if (typeof updatedAt !== 'string') {
      expect((await call('PUT', path, change, before)).status).toBe(200);
      return;
    }
    expect(await attempt('PUT', path, change, before)).toMatchObject(refused);
    expect(await attempt('DELETE', path, null, before)).toMatchObject(refused);
    expect(await attempt('GET', path, null, before)).toMatchObject(refused);
    expect((await call('HEAD', path, null, before)).status).toBe(412);
    const then = { 'If-Unmodified-Since': new Date(updatedAt).toUTCString() };
    expect((await call('GET', path, null, then)).status).toBe(200);
    expect((await call('PUT', path, change, then)).status).toBe(200);
    expect((await call('PUT', path, change, { 'If-Unmodified-Since': 'tomorrow' })).status).toBe(200);
  });

  it('a missing one is 404, whatever the precondition', async () => {
    const path = (await begin()).replace(/.$/, (last) => (last === '0' ? '1' : '0'));
    for (const name of ['If-Match', 'If-None-Match']) {
      const headers = { [name]: '*' };
      expect((await call('PUT', path, change, headers)).status).toBe(404);
      expect((await call('DELETE', path, null, headers)).status).toBe(404);
    }
  });
});

describe('a precondition on a POST to a collection', () => {
  let own: Tenant;
  beforeAll(async () => {
    own = await setting.backdoor.addTenant();
  });
  const ask = (method: string, path: string, body: unknown, headers: Record<string, string> = {}) =>
    call(method, path, body, { Authorization: `Bearer ${own.apiKey}`, ...headers });
  const count = async (path: string) => Object.keys((await ask('GET', path, null)).json).length;

  const COLLECTIONS: [path: string, body: () => Promise<object> | object][] = [
    ['/monitors', () => ({ ...SHOP, enabled: false })],
    ['/status-pages', () => ({ name: 'Acme', slug: `acme-${crypto.randomUUID()}`, monitors: [] })],
    ['/webhooks', () => ({ url: 'http://127.0.0.1:9/' })],
    ['/incidents', () => ({ title: 'Slow' })],
    ['/incident-templates', () => ({ name: `Outage ${crypto.randomUUID()}` })],
    [
      '/maintenance',
      async () => {
        const { json } = await ask('POST', '/monitors', { ...SHOP, enabled: false });
        const times = { startsAt: '2027-03-01T10:00:00Z', endsAt: '2027-03-01T11:00:00Z' };
        return { title: 'Upgrade', monitors: [json.id], ...times };
      },
    ],
    ['/api-keys', () => ({ name: 'CI' })],
    ['/invitations', () => ({ email: `${crypto.randomUUID()}@example.com`, role: 'viewer' })],
  ];

  it.each(COLLECTIONS)('is about what GET %s returns', async (path, body) => {
    const post = async (headers: Record<string, string>) =>
      (await ask('POST', path, await body(), headers)).status;
    const before = await count(path);
    expect(await post({ 'If-None-Match': '*' })).toBe(412);
    expect(await post({ 'If-Match': '"other"' })).toBe(412);
    expect(await count(path)).toBe(before);
    expect(await post({ 'If-Match': '*' })).toBe(201);
    const past = 'Mon, 01 Jan 2024 00:00:00 GMT';
    expect(await post({ 'If-None-Match': '"other"', 'If-Unmodified-Since': past })).toBe(201);
  });

  it('knows the ETag of the list', async () => {
    const etag = (await ask('GET', '/webhooks', null)).headers.get('etag') ?? '';
    const post = async () =>
      (await ask('POST', '/webhooks', { url: 'http://127.0.0.1:9/' }, { 'If-None-Match': etag })).status;
    expect(await post()).toBe(412);
    await ask('POST', '/webhooks', { url: 'http://127.0.0.1:9/' });
    expect(await post()).toBe(201);
  });

  it.each(COLLECTIONS)('at %s is not judged again when a response is replayed', async (path, body) => {
    const sent = await body();
    const repeat = (key: string, condition: Record<string, string>) =>
      ask('POST', path, sent, { 'Idempotency-Key': key, ...condition });
    const first = await repeat('created', { 'If-Match': '*' });
    expect(first.status).toBe(201);
    const again = await repeat('created', { 'If-None-Match': '*' });
    expect([again.status, again.text]).toEqual([201, first.text]);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    const refused = await repeat('refused', { 'If-None-Match': '*' });
    expect(refused.status).toBe(412);
    expect((await repeat('refused', {})).text).toBe(refused.text);
  });

  it('is not met if the collection does not exist', async () => {
    const path = '/status-pages/no-such-page/tokens';
    expect((await ask('POST', path, { name: 'Wall' }, { 'If-Match': '*' })).status).toBe(404);
  });
});
