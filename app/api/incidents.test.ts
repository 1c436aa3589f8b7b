import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ApiClient, createApiClient } from '@/e2e/support/api-client';
import { type BorrowedService, borrowService } from '@/e2e/support/borrow-service';
import { type Backdoor, openBackdoor } from './testing/tenants';

let service: BorrowedService;
let backdoor: Backdoor;
let api: ApiClient;
let foreign: ApiClient;
let organizationId: string;

beforeAll(async () => {
  service = await borrowService();
  backdoor = await openBackdoor(service);
  const tenant = await backdoor.addTenant();
  organizationId = tenant.organizationId;
  api = tenant.api;
  foreign = (await backdoor.addTenant()).api;
});
afterAll(() => backdoor?.close());

const paths = (body: { error: { details: { path: string }[] } }) =>
  body.error.details.map((detail) => detail.path);

describe('/api/incidents', () => {
  it('opens, changes, updates, lists and deletes', async () => {
    const { body: monitor } = await api('POST', '/monitors', {
      name: 'Shop',
      url: 'http://127.0.0.1:9/',
      enabled: false,
    });
    const created = await api('POST', '/incidents', { title: 'Slow', affectedMonitors: [monitor.id] });
    expect(created).toMatchObject({ status: 201, body: { status: 'investigating', severity: 'major' } });
    const path = `/incidents/${created.body.id}`;
    expect((await api('GET', path)).body).toEqual(created.body);
    const whole = await api('PUT', path, { ...created.body, severity: 'minor' });
    expect(whole).toMatchObject({ status: 200, body: { severity: 'minor', updates: { length: 1 } } });
    const update = await api('POST', `${path}/updates`, { message: 'Over.', status: 'resolved' });
    expect(update).toMatchObject({ status: 201, body: { status: 'resolved', updates: { length: 2 } } });
    expect((await api('GET', '/incidents?status=resolved')).body).toEqual([update.body]);
    expect(await api('DELETE', path)).toMatchObject({ status: 200, body: { message: expect.any(String) } });
    expect((await api('GET', path)).status).toBe(404);
  });

  it('links to the next page', async () => {
    for (const title of ['One', 'Two', 'Three']) await api('POST', '/incidents', { title });
    const titles: string[] = [];
    let next: string | undefined = '/incidents?limit=1&automatic=false';
    while (next) {
      const { headers, body } = await api('GET', next);
      titles.push(...body.map(({ title }: { title: string }) => title));
      next = /<.*\/api(.*)>; rel="next"/.exec(headers.get('link') ?? '')?.[1];
    }
    expect(titles).toEqual(['Three', 'Two', 'One']);
  });

  it.each([
    ['no title', {}, ['title']],
    ['an unknown key', { title: 'x', color: 'red' }, ['color']],
    ['an unknown status and severity', { title: 'x', status: 'x', severity: 'y' }, ['status', 'severity']],
    ['a repeated monitor', { title: 'x', affectedMonitors: ['mon_1', 'mon_1'] }, ['affectedMonitors']],
    ['an unknown monitor', { title: 'x', affectedMonitors: ['mon_1'] }, ['affectedMonitors.0']],
  ])('rejects %s with 400, naming the field', async (_, sent, fields) => {
    const { status, body } = await api('POST', '/incidents', sent);
    expect([status, paths(body)]).toEqual([400, fields]);
  });

  it.each([
    '?nope=1',
    '?limit=0',
    '?limit=101',
    '?cursor=x',
    '?status=over',
    '?status=resolved&status=monitoring',
  ])('rejects the query %s with 400', async (query) => {
    expect((await api('GET', `/incidents${query}`)).status).toBe(400);
  });

  it("returns 404 for another organization's incident, as for a missing one", async () => {
    const { body } = await api('POST', '/incidents', { title: 'Ours' });
    for (const [method, path, sent] of [
      ['GET', '', undefined],
      ['PUT', '', { title: 'Mine' }],
      ['POST', '/updates', { message: 'Mine' }],
      ['DELETE', '', undefined],
    ] as const) {
      const response = await foreign(method, `/incidents/${body.id}${path}`, sent);
      expect([method, response.status, response.body.error.code]).toEqual([method, 404, 'NOT_FOUND']);
    }
    expect((await api('GET', `/incidents/${body.id}`)).body).toEqual(body);
  });
});

describe('/api/api-keys and /api/me', () => {
  it('creates, shows, rotates without a body, and revokes', async () => {
    const created = await api('POST', '/api-keys', { name: 'CI', scope: 'read' });
    expect(created).toMatchObject({ status: 201, body: { apiKey: expect.stringMatching(/^ph_live_/) } });
    const { apiKey, ...key } = created.body;
    expect((await api('GET', `/api-keys/${key.id}`)).body).toEqual(key);
    expect((await api('PUT', `/api-keys/${key.id}`, { ...key, name: 'CD' })).body).toEqual({
      ...key,
      version: 2,
      name: 'CD',
    });

    const reader = createApiClient(service.url, apiKey);
    expect((await reader('GET', '/me')).body).toMatchObject({
      organization: { id: organizationId, plan: 'enterprise' },
      key: { id: key.id, name: 'CD', scope: 'read' },
      limits: { monitors: null, requestsPerMinute: 6000 },
      usage: { members: 1 },
    });
    expect((await reader('POST', '/api-keys', { name: 'Mine' })).status).toBe(403);
    expect((await reader('DELETE', `/api-keys/${key.id}`)).status).toBe(403);

    const rotated = await api('POST', `/api-keys/${key.id}/rotate`);
    expect(rotated).toMatchObject({ status: 201, body: { name: 'CD', apiKey: expect.any(String) } });
    expect((await api('DELETE', `/api-keys/${key.id}`)).status).toBe(200);
    expect((await reader('GET', '/me')).status).toBe(401);
    expect((await createApiClient(service.url, rotated.body.apiKey)('GET', '/me')).status).toBe(200);
    expect((await foreign('DELETE', `/api-keys/${rotated.body.id}`)).status).toBe(404);
  });

  it.each([
    ['no name', {}, ['name']],
    ['another scope', { name: 'x', scope: 'admin' }, ['scope']],
    ['an expiry in the past', { name: 'x', expiresAt: '2020-01-01T00:00:00Z' }, ['expiresAt']],
    ['an expiry that is not a time', { name: 'x', expiresAt: 'tomorrow' }, ['expiresAt']],
  ])('rejects %s with 400', async (_, sent, fields) => {
    const { status, body } = await api('POST', '/api-keys', sent);
    expect([status, paths(body)]).toEqual([400, fields]);
  });
});

describe('/api/status-pages/:slug/incidents/import', () => {
  const ended = (ref: string, fields: object = {}) => ({
    ref,
    title: 'Checkout was slow',
    severity: 'major',
    startedAt: '2025-03-01T14:00:00+02:00',
    resolvedAt: '2025-03-01T13:00:00Z',
    rows: ['API'],
    updates: [{ status: 'resolved', message: 'It is over.', createdAt: '2025-03-01T13:00:00Z' }],
    ...fields,
  });

  async function addPage() {
    const slug = `past-${Math.random().toString(36).slice(2)}`;
    const sections = [{ name: 'Services', items: [{ name: 'API' }] }];
    await api('POST', '/status-pages', { name: 'Acme', slug, sections, published: true });
    const path = `/status-pages/${slug}/incidents/import`;
    const send = (incidents: object[], client = api) =>
      client('POST', path, { source: 'Statuspage', incidents });
    return { slug, send };
  }

  it('adds incidents that the API then returns like others, each once', async () => {
    const { send } = await addPage();
    const list = [ended('one'), ended('two', { severity: 'none' })];
    const { status, body } = await send(list);
    expect([status, body]).toMatchObject([
      200,
      { created: 1, existing: 0, invalid: 1, refused: [{ index: 1, ref: 'two', code: 'invalid' }] },
    ]);
    expect((await send(list)).body).toMatchObject({ created: 0, existing: 1, invalid: 1 });
    const { body: incidents } = await api('GET', '/incidents?limit=100');
    const found = incidents.filter(({ title }: { title: string }) => title === 'Checkout was slow');
    expect(found).toMatchObject([
      {
        status: 'resolved',
        automatic: false,
        startedAt: '2025-03-01T12:00:00.000Z',
        createdAt: '2025-03-01T12:00:00.000Z',
        resolvedAt: '2025-03-01T13:00:00.000Z',
        updates: [{ message: 'It is over.', author: 'Statuspage' }],
      },
    ]);
  });

  it('has limits for the list, the body and its values, and needs a ref for each', async () => {
    const { send } = await addPage();
    const many = (count: number, fields: object = {}) =>
      Array.from({ length: count }, (_, index) => ended(`${index}`, fields));
    expect(paths((await send(many(201))).body)).toEqual(['incidents']);
    expect(paths((await send([{ title: 'Slow' }])).body)).toEqual(['incidents.0.ref']);
    const large = await send(many(200, { description: 'x'.repeat(5300) }));
    expect([large.status, large.body.error.code]).toEqual([413, 'PAYLOAD_TOO_LARGE']);
    const full = await send(many(200, { rows: Array(400).fill('a') }));
    expect([full.status, full.body.error.message]).toEqual([
      400,
      expect.stringContaining('more than 60,000 values'),
    ]);
  });

  it('is for keys that may write, of the organization of the page', async () => {
    const { send } = await addPage();
    expect((await send([ended('three')], foreign)).status).toBe(404);
    const { body: key } = await api('POST', '/api-keys', { name: 'Reader', scope: 'read' });
    const reader = createApiClient(service.url, key.apiKey);
    expect((await send([ended('three')], reader)).body.error.code).toBe('FORBIDDEN');
  });
});
