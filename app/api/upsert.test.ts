import { beforeAll, describe, expect, it } from 'vitest';
import { borrowTenant } from './testing/borrow-tenant';
import { CLOSED } from './testing/fixtures';
import { fieldsOf, rejectionOf } from './testing/rejections';
import { send } from './testing/send';
import type { Tenant } from './testing/tenants';

const setting = borrowTenant({ inProcess: true });
let tenant: Tenant;
let stranger: Tenant;

beforeAll(async () => {
  ({ tenant } = setting);
  stranger = await setting.backdoor.addTenant();
});

type Fields = Record<string, unknown> & { id: string; version: number };
type Options = { headers?: Record<string, string>; key?: string; isOverHttp?: boolean };

/** Sends a request with the tenant's key, and a JSON body unless it is null. */
async function call(method: string, path: string, body: unknown = null, options: Options = {}) {
  const { headers = {}, key = tenant.apiKey, isOverHttp = false } = options;
  const sent = body === null ? null : JSON.stringify(body);
  const { url, ...service } = setting.service;
  const response = await send(isOverHttp ? { url } : { ...service, url }, {
    method,
    path,
    key,
    body: sent,
    headers,
  });
  return { ...response, json: response.json as Fields };
}

const unique = (prefix: string) => `${prefix}-${crypto.randomUUID()}`;
const count = (path: string) => tenant.api('GET', path).then(({ body }) => body.length);

type Kind = {
  name: string;
  /** A path that names nothing yet. */
  begin(): string;
  creation: Record<string, unknown>;
  /** What a creation must have. */
  required: string[];
  change: Record<string, unknown>;
  list: string;
  action: string;
};

const KINDS: Kind[] = [
  {
    name: 'a monitor by its ref',
    begin: () => `/monitors/by-ref/${unique('shop')}`,
    creation: { name: 'Shop', url: CLOSED, interval: 300, enabled: false },
    required: ['name', 'url'],
    change: { name: 'Store' },
    list: '/monitors',
    action: 'monitor',
  },
  {
    name: 'a webhook endpoint by its ref',
    begin: () => `/webhooks/by-ref/${unique('pager')}`,
    creation: { url: CLOSED, description: 'Pager' },
    required: ['url'],
    change: { description: 'Phone' },
    list: '/webhooks',
    action: 'webhook',
  },
  {
    name: 'a status page by its slug',
    begin: () => `/status-pages/${unique('acme')}?upsert=true`,
    creation: { name: 'Acme', monitors: [], description: 'All of it' },
    required: ['name', 'monitors'],
    change: { name: 'Emca' },
    list: '/status-pages',
    action: 'status-page',
  },
];

describe.each(KINDS)('an upsert of $name', ({ begin, creation, required, change, list, action }) => {
  it('creates it once, and updates it afterwards', async () => {
    const path = begin();
    const created = await call('PUT', path, creation);
    expect(created.status).toBe(201);
    expect(created.json).toMatchObject({ ...creation, version: 1 });
    const location = created.headers.get('location') ?? '';
    expect(location.startsWith(`${setting.service.url}/api${list}/`)).toBe(true);
    const found = await call('GET', location.slice(`${setting.service.url}/api`.length));
    expect(found.json.id).toBe(created.json.id);
    expect((await call('GET', path.split('?')[0] ?? '')).json).toEqual(found.json);

    const updated = await call('PUT', path, change);
    expect([updated.status, updated.headers.get('location')]).toEqual([200, null]);
    expect(updated.json).toMatchObject({ ...creation, ...change, id: created.json.id, version: 2 });
    const { body: entries } = await tenant.api('GET', '/audit?limit=2');
    expect(entries).toMatchObject([
      { action: `${action}.update`, subject: { id: created.json.id } },
      { action: `${action}.create`, subject: { id: created.json.id } },
    ]);
  });

  it('takes back what it returned, leaves what is not sent, and resets what is null', async () => {
    const path = begin();
    await call('PUT', path, creation);
    const { json } = await call('GET', path.split('?')[0] ?? '');
    const again = await call('PUT', path, json);
    expect([again.status, again.json.version]).toEqual([200, 1]);
    expect((await call('PUT', path, {})).json.version).toBe(1);
    const [optional = ''] = Object.keys(creation).filter((name) => !required.includes(name));
    const reset = await call('PUT', path, { [optional]: null });
    expect(reset.json[optional]).not.toEqual(creation[optional]);
    expect(reset.json).toMatchObject(Object.fromEntries(required.map((name) => [name, creation[name]])));
  });

  it('names the missing fields of a creation, before any precondition', async () => {
    const path = begin();
    const before = await count(list);
    for (const headers of [undefined, { 'If-Match': '*' }]) {
      const refused = await call('PUT', path, {}, headers ? { headers } : {});
      expect(rejectionOf(refused)).toEqual([400, 'VALIDATION_ERROR']);
      expect(fieldsOf(refused).toSorted()).toEqual(required.toSorted());
    }
    expect(await count(list)).toBe(before);
  });

  it('creates one if several are concurrent, and the others update it', async () => {
    const path = begin();
    const upserts = Array.from({ length: 8 }, () => call('PUT', path, creation));
    const responses = await Promise.all(upserts);
    expect(responses.map(({ status }) => status).toSorted()).toEqual([
      200, 200, 200, 200, 200, 200, 200, 201,
    ]);
    expect(new Set(responses.map(({ json }) => json.id)).size).toBe(1);
  });

  it('evaluates preconditions about what exists, or does not', async () => {
    const path = begin();
    const refused = [412, 'PRECONDITION_FAILED'];
    const none = { headers: { 'If-None-Match': '*' } };
    const some = { headers: { 'If-Match': '*' } };
    expect(rejectionOf(await call('PUT', path, creation, some))).toEqual(refused);
    const races = await Promise.all(Array.from({ length: 4 }, () => call('PUT', path, creation, none)));
    expect(races.map(({ status }) => status).toSorted()).toEqual([201, 412, 412, 412]);
    expect(rejectionOf(await call('PUT', path, change, none))).toEqual(refused);
    expect((await call('PUT', path, change, some)).status).toBe(200);
    const early = { headers: { 'If-Unmodified-Since': 'Mon, 01 Jan 2024 00:00:00 GMT' } };
    expect(rejectionOf(await call('PUT', path, change, early))).toEqual(refused);
    expect(rejectionOf(await call('PUT', path, { ...change, version: 1 }))).toEqual([409, 'CONFLICT']);
    expect((await call('PUT', path, { ...change, version: 2 })).status).toBe(200);
  });

  it('is a write, of the own organization only', async () => {
    const path = begin();
    const { json: own } = await call('PUT', path, creation);
    const { body: reader } = await tenant.api('POST', '/api-keys', { name: 'Reader', scope: 'read' });
    const read = await call('PUT', path, change, { key: reader.apiKey });
    expect(rejectionOf(read)).toEqual([403, 'FORBIDDEN']);
    const theirs = await call('PUT', path, creation, { key: stranger.apiKey });
    if (action === 'status-page') expect(rejectionOf(theirs)).toEqual([400, 'SLUG_TAKEN']);
    else expect([theirs.status, theirs.json.id === own.id]).toEqual([201, false]);
    expect((await call('GET', path.split('?')[0] ?? '')).json.version).toBe(1);
  });

  it('counts for the quota', async () => {
    const { backdoor } = setting;
    const { apiKey: key, organizationId, api } = await backdoor.addTenant('free');
    const limit = action === 'monitor' ? 50 : 3;
    if (limit === 50) await api('POST', '/monitors/bulk', { monitors: Array(47).fill(creation) });
    const upserts = Array.from({ length: 6 }, () => call('PUT', begin(), creation, { key }));
    const statuses = (await Promise.all(upserts)).map(({ status }) => status);
    expect(statuses.toSorted()).toEqual([201, 201, 201, 403, 403, 403]);
    const where = { organizationId };
    const counts = {
      monitor: () => backdoor.db.monitor.count({ where }),
      webhook: () => backdoor.db.webhookEndpoint.count({ where }),
      'status-page': () => backdoor.db.statusPage.count({ where }),
    };
    expect(await counts[action as keyof typeof counts]()).toBe(limit);
  });
});

describe.each(KINDS.slice(0, 2))('the ref of $name', ({ begin, creation, change, list }) => {
  it('can be repeated in the body, but not be another one', async () => {
    const path = begin();
    const ref = path.split('/').at(-1);
    for (const body of [creation, change]) {
      for (const other of ['other', null]) {
        const refused = await call('PUT', path, { ...body, ref: other });
        expect(rejectionOf(refused)).toEqual([400, 'VALIDATION_ERROR']);
        expect(fieldsOf(refused)).toEqual(['ref']);
      }
      expect((await call('PUT', path, { ...body, ref })).json.ref).toBe(ref);
    }
  });

  // Over HTTP: the router decodes as well.
  it.each(
    list === '/monitors'
      ? ['a b', 'ä/ö', '50%', 'a%2Fb', 'a+b?c=d#e', '..%2f', 'auth', '日本', 'test', 'bulk']
      : ['ä/ö 50%'],
  )('is decoded once from the path: %s', async (text) => {
    const ref = `${text}${crypto.randomUUID().slice(0, 8)}`;
    const path = `${list}/by-ref/${encodeURIComponent(ref)}`;
    expect((await call('PUT', path, creation, { isOverHttp: true })).json).toMatchObject({ ref });
    expect((await call('DELETE', path, null, { isOverHttp: true })).status).toBe(200);
    expect((await call('GET', path, null, { isOverHttp: true })).status).toBe(404);
  });

  it.each(['%20a', 'a%20', 'x'.repeat(201)])('cannot be %s', async (text) => {
    const refused = await call('PUT', `${list}/by-ref/${text}`, creation);
    expect([rejectionOf(refused), fieldsOf(refused)]).toEqual([[400, 'VALIDATION_ERROR'], ['ref']]);
    expect((await call('GET', `${list}/by-ref/${text}`)).status).toBe(404);
    expect((await call('DELETE', `${list}/by-ref/${text}`)).status).toBe(404);
  });

  it('is unique, and is changed by ID only', async () => {
    const [first, second] = [begin(), begin()];
    const { id } = (await call('PUT', first, creation)).json;
    const ref = second.split('/').at(-1);
    await call('PUT', second, creation);
    const taken = await call('PUT', `${list}/${id}`, { ref });
    expect([rejectionOf(taken), fieldsOf(taken)]).toEqual([[409, 'REF_TAKEN'], ['ref']]);
    expect(rejectionOf(await call('POST', list, { ...creation, ref }))).toEqual([409, 'REF_TAKEN']);
    const renamed = await call('PUT', `${list}/${id}`, { ref: unique('other') });
    expect([renamed.status, renamed.json.version]).toEqual([200, 2]);
    expect((await call('GET', first)).status).toBe(404);
    expect((await call('PUT', `${list}/${id}`, { ref: null })).json.ref).toBeNull();
  });

  it('is deleted once, under preconditions', async () => {
    const path = begin();
    await call('PUT', path, creation);
    const none = { headers: { 'If-None-Match': '*' } };
    expect(rejectionOf(await call('DELETE', path, null, none))).toEqual([412, 'PRECONDITION_FAILED']);
    expect((await call('DELETE', path, null, { key: stranger.apiKey })).status).toBe(404);
    expect((await call('DELETE', path)).status).toBe(200);
    expect((await call('DELETE', path)).status).toBe(404);
    expect((await call('PUT', path, creation)).status).toBe(201);
  });
});

it('the secret of a webhook endpoint is returned once, when it is created', async () => {
  const path = `/webhooks/by-ref/${unique('pager')}`;
  const created = await call('PUT', path, { url: CLOSED });
  expect(created.json.secret).toMatch(/^whsec_/);
  for (const body of [{}, { description: 'Phone' }]) {
    expect((await call('PUT', path, body)).text).not.toContain('secret');
  }
  expect((await call('GET', path)).text).not.toContain('whsec_');
});

describe('PUT /status-pages/:slug', () => {
  const creation = { name: 'Acme', monitors: [] };

  it('creates nothing unless it is asked to', async () => {
    const slug = unique('acme');
    for (const query of ['', '?upsert=false']) {
      const refused = await call('PUT', `/status-pages/${slug}${query}`, creation);
      expect(rejectionOf(refused)).toEqual([404, 'NOT_FOUND']);
    }
    const refused = await call('PUT', `/status-pages/${slug}?upsert=1`, creation);
    expect([rejectionOf(refused), fieldsOf(refused)]).toEqual([[400, 'VALIDATION_ERROR'], ['upsert']]);
  });

  it('creates a page with the slug of the path, which a later one can change', async () => {
    const [slug, other] = [unique('acme'), unique('acme')];
    const path = `/status-pages/${slug}?upsert=true`;
    const refused = await call('PUT', path, { ...creation, slug: other });
    expect([rejectionOf(refused), fieldsOf(refused)]).toEqual([[400, 'VALIDATION_ERROR'], ['slug']]);
    expect((await call('PUT', path, { ...creation, slug })).json.slug).toBe(slug);
    expect((await call('PUT', path, { slug: other })).json.slug).toBe(other);
    expect((await call('GET', `/status-pages/${slug}`)).status).toBe(404);
  });

  it('accepts an ID in place of the slug of a page that exists, and no slug that is not possible', async () => {
    const { json } = await call('PUT', `/status-pages/${unique('acme')}?upsert=true`, creation);
    expect((await call('PUT', `/status-pages/${json.id}?upsert=true`, { name: 'Emca' })).status).toBe(200);
    const unknown = json.id.replace(/.$/, (last) => (last === '0' ? '1' : '0'));
    expect((await call('PUT', `/status-pages/${unknown}?upsert=true`, creation)).status).toBe(404);
    for (const slug of ['Acme', 'new', 'a--b']) {
      const refused = await call('PUT', `/status-pages/${slug}?upsert=true`, creation);
      expect([rejectionOf(refused), fieldsOf(refused)]).toEqual([[400, 'VALIDATION_ERROR'], ['slug']]);
    }
  });
});
