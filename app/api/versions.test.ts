import { describe, expect, it } from 'vitest';
import { borrowTenant } from './testing/borrow-tenant';
import { send } from './testing/send';

const setting = borrowTenant();

type Fields = Record<string, unknown> & { version: number };

/** Sends a request with the tenant's key, and a JSON body unless it is null. */
async function call(
  method: string,
  path: string,
  body: unknown = null,
  headers: Record<string, string> = {},
) {
  const sent = body === null ? null : JSON.stringify(body);
  const response = await send(setting.service.url, {
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
        ...{ name: 'Acme', slug: `acme-${crypto.randomUUID()}` },
        monitors: [monitor],
      });
    },
    { monitors: [], description: 'Nothing' },
  ],
  ['webhook', () => create('/webhooks', { url: 'http://127.0.0.1:9/' }), { events: ['monitor.up'] }],
  ['incident', () => create('/incidents', { title: 'Slow' }), { status: 'identified' }],
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
    const then = { 'If-Unmodified-Since': new Date(updatedAt).toUTCString() };
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
