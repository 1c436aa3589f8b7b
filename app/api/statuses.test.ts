import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type BorrowedService, borrowService } from '@/e2e/support/borrow-service';
import { problemSchema } from '@/lib/web/http/problem';
import { METHODS } from '@/lib/web/http/route';
import {
  CLOSED,
  fillEach,
  fillPath,
  fixturePath,
  makeFixture,
  unknownLike,
  withOwnMonitor,
} from './testing/fixtures';
import { UNDECODABLE } from './testing/hostile';
import { type DocumentedOperation, listDocumentedOperations } from './testing/operations';
import { leastBody, leastQuery } from './testing/request-arbitrary';
import { requireDocumented } from './testing/require-documented';
import { type OutsideAnswer, type OutsideRequest, send } from './testing/send';
import { type Backdoor, openBackdoor, type Tenant } from './testing/tenants';

const operations = listDocumentedOperations();
const named = (these: DocumentedOperation[]) =>
  these.map((operation) => [operation.name, operation] as const);
const withBody = operations.filter(({ body }) => body !== null);
const withKey = operations.filter(({ scope }) => scope !== 'public');

let service: BorrowedService;
let backdoor: Backdoor;
let tenant: Tenant;

beforeAll(async () => {
  service = await borrowService();
  backdoor = await openBackdoor(service);
  tenant = await backdoor.addTenant();
}, 120_000);
afterAll(async () => {
  await backdoor?.close();
});

const makeOwn = (path: string) => makeFixture(path, { ...tenant, receiverUrl: CLOSED, db: backdoor.db });

/** The least request that succeeds, but for `changes`; `value` is what stands in the path's parameter's place. */
async function ask(
  { method, path, body, query }: DocumentedOperation,
  { value, ...changes }: Partial<OutsideRequest> & { value?: string } = {},
): Promise<OutsideAnswer> {
  const filled = fixturePath(path) === null ? path : fillPath(path, value ?? (await makeOwn(path)));
  const slug = query.required?.includes('slug') ? await makeOwn('/status-pages/{slug}') : '';
  const request = {
    body: body === null ? null : JSON.stringify(leastBody({ path, body })),
    ...changes,
  };
  return send(service.url, {
    method,
    path: `${filled}${leastQuery(query, { slug })}`,
    key: tenant.apiKey,
    ...request,
    body: await withOwnMonitor(request.body, () => makeOwn('/monitors/{id}')),
  });
}

/** The error of an answer, after a look at what every refusal carries. */
function refusalOf(answer: OutsideAnswer): unknown[] {
  const { error } = problemSchema.parse(answer.json);
  expect(answer.headers.get('x-request-id')).toBe(error.requestId);
  expect(answer.headers.get('x-api-version')).toBe('1');
  expect(answer.headers.get('content-type')).toContain('application/json');
  expect(answer.headers.get('cache-control')).toBe('no-store');
  return [answer.status, error.code];
}

const pathsOf = ({ json }: OutsideAnswer) =>
  (problemSchema.parse(json).error.details ?? []).map(({ path }) => path);

describe('every operation', () => {
  it.each(named(operations))(
    '%s answers the success it documents, dates with milliseconds',
    async (_, operation) => {
      const answer = await ask(operation);
      requireDocumented(operation, answer, answer.status < 500 ? '' : await service.logs());
      expect(answer.status).toBe(operation.success);
      for (const [date] of answer.text.matchAll(/"\d{4}-\d\d-\d\dT[^"\\]*"/g)) {
        expect(date).toMatch(/^"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z"$/);
      }
    },
  );

  it.each(named(withKey))('%s names a query parameter that it does not know', async (_, operation) => {
    const filled = fillPath(operation.path, fixturePath(operation.path) ? await makeOwn(operation.path) : '');
    const answer = await ask(operation, { path: `${filled}?unheard=of` });
    expect(refusalOf(answer)).toEqual([400, 'VALIDATION_ERROR']);
    expect(pathsOf(answer)).toEqual(['unheard']);
  });

  it.each(named(withBody))('%s refuses what is no JSON object', async (_, operation) => {
    expect(refusalOf(await ask(operation, { body: '{"name":' }))).toEqual([400, 'INVALID_JSON']);
    expect(refusalOf(await ask(operation, { body: new Uint8Array([0x22, 0xff, 0x22]) }))).toEqual([
      400,
      'INVALID_JSON',
    ]);
    for (const body of ['[]', 'null', '"text"', '1']) {
      expect(refusalOf(await ask(operation, { body }))).toEqual([400, 'VALIDATION_ERROR']);
    }
  });

  it.each(named(withBody))('%s names a field that it does not know', async (_, operation) => {
    const least = leastBody({ path: operation.path, body: operation.body ?? {} }) as object;
    const answer = await ask(operation, { body: JSON.stringify({ ...least, unheard: 'of' }) });
    expect(refusalOf(answer)).toEqual([400, 'VALIDATION_ERROR']);
    expect(pathsOf(answer)).toEqual(['unheard']);
  });

  it.each(named(withBody))('%s answers 413 beyond 1 MiB and 415 to another type', async (_, operation) => {
    const large = await ask(operation, { body: `{"name":"${'x'.repeat(1024 * 1024)}"}` });
    expect(refusalOf(large)).toEqual([413, 'PAYLOAD_TOO_LARGE']);
    const other = await ask(operation, { headers: { 'Content-Type': 'text/plain' } });
    expect(refusalOf(other)).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE']);
  });

  it.each(named(operations.filter(({ path }) => fixturePath(path) !== null)))(
    '%s answers 404 for what does not exist',
    async (_, operation) => {
      const value = unknownLike(await makeOwn(operation.path));
      expect(refusalOf(await ask(operation, { value }))).toEqual([404, 'NOT_FOUND']);
    },
  );

  it.each(named(withKey.filter(({ method }) => method === 'GET')))(
    '%s answers 304 to who has it already',
    async (_, operation) => {
      const value = fixturePath(operation.path) === null ? '' : await makeOwn(operation.path);
      const first = await ask(operation, { value });
      const etag = first.headers.get('etag') ?? '';
      expect(etag).toMatch(/^W\/".+"$/);
      const again = await ask(operation, { value, headers: { 'If-None-Match': `"other", ${etag}` } });
      // What tells of this very moment, or of work that goes on, may have changed meanwhile.
      if ((await ask(operation, { value })).headers.get('etag') !== etag) return;
      expect([again.status, again.text]).toEqual([304, '']);
      expect(again.headers.get('x-request-id')).toMatch(/.+/);
      expect((await ask(operation, { value, headers: { 'If-None-Match': '"other"' } })).status).toBe(200);
    },
  );

  it.each(named(operations.filter(({ method }) => method === 'GET')))(
    '%s answers HEAD like GET, without the body',
    async (_, operation) => {
      const answer = await ask({ ...operation, method: 'HEAD' });
      expect([answer.status, answer.text]).toEqual([operation.success, '']);
    },
  );
});

describe('every path', () => {
  const paths = [...new Set(operations.map(({ path }) => path))];

  it.each(paths)('%s answers 405, and what it takes, to every other method', async (path) => {
    const own = operations.filter((operation) => operation.path === path).map(({ method }) => method);
    const takes = METHODS.filter(
      (method) =>
        own.includes(method) ||
        (method === 'HEAD' && own.includes('GET')) ||
        (method === 'OPTIONS' && path === '/status-pages/public'),
    );
    for (const method of METHODS.filter((each) => !takes.includes(each))) {
      const answer = await send(service.url, { method, path: fillEach(path, 'any'), key: tenant.apiKey });
      expect(answer.status, method).toBe(405);
      if (method !== 'HEAD') expect(refusalOf(answer)).toEqual([405, 'METHOD_NOT_ALLOWED']);
      expect(answer.headers.get('allow')).toBe(takes.join(', '));
    }
  });

  it.each(['/nope', '/monitors/a/b/c', '/monitors%00', '/v2/monitors'])(
    '%s, which is none, answers 404',
    async (path) => {
      expect(refusalOf(await send(service.url, { method: 'GET', path, key: tenant.apiKey }))).toEqual([
        404,
        'NOT_FOUND',
      ]);
    },
  );

  it.each(UNDECODABLE)('/monitors/%s, which cannot be decoded, answers 404 in JSON', async (text) => {
    // The web server answers this itself, without the headers of the application.
    const { status, json } = await send(service.url, { method: 'GET', path: `/monitors/${text}`, key: null });
    expect([status, problemSchema.parse(json).error.code]).toEqual([404, 'NOT_FOUND']);
  });
});

/** A refusal of what a request asks for: its status, code and the fields it names, and the request. */
type Row = [number, string, string[], string, () => Promise<{ method: string; path: string; body?: object }>];

const shop = { name: 'Shop', url: CLOSED, enabled: false };
const page = { name: 'Acme', monitors: [] };
const METADATA = 'http://169.254.169.254/latest';
const post = (path: string, body: object) => async () => ({ method: 'POST', path, body });
const putTo = (fixture: string, body: object) => async () => ({
  method: 'PUT',
  path: fillPath(fixture, await makeOwn(fixture)),
  body,
});

const MONITOR = '/monitors/{id}';
const PAGE = '/status-pages/{slug}';
const WEBHOOK = '/webhooks/{id}';
const INCIDENT = '/incidents/{id}';
const MAINTENANCE = '/maintenance/{id}';
const window = {
  title: 'Upgrade',
  monitors: ['mon_none'],
  startsAt: '2098-01-01T10:00:00Z',
  endsAt: '2098-01-01T12:00:00Z',
};

const ROWS: Row[] = [
  [
    400,
    'UNKNOWN_REGION',
    ['regions.0'],
    'a region that is none',
    post('/monitors', { ...shop, regions: ['mars'] }),
  ],
  [400, 'UNKNOWN_REGION', ['regions.0'], 'a changed region', putTo(MONITOR, { regions: ['mars'] })],
  [
    400,
    'UNKNOWN_REGION',
    ['regions.0'],
    'a dry run elsewhere',
    post('/monitors/test', { ...shop, regions: ['mars'] }),
  ],
  [400, 'BLOCKED_TARGET', ['url'], 'metadata as target', post('/monitors', { ...shop, url: METADATA })],
  [
    400,
    'BLOCKED_TARGET',
    ['url'],
    'metadata in decimal',
    post('/monitors', { ...shop, url: 'http://2852039166/' }),
  ],
  [
    400,
    'BLOCKED_TARGET',
    ['url'],
    'metadata over IPv6',
    post('/monitors', { ...shop, url: 'http://[::ffff:a9fe:a9fe]/' }),
  ],
  [400, 'BLOCKED_TARGET', ['url'], 'a changed target', putTo(MONITOR, { url: METADATA })],
  [
    400,
    'BLOCKED_TARGET',
    ['url'],
    'a dry run of metadata',
    post('/monitors/test', { ...shop, url: METADATA }),
  ],
  [400, 'BLOCKED_TARGET', ['url'], 'metadata as receiver', post('/webhooks', { url: METADATA })],
  [400, 'BLOCKED_TARGET', ['url'], 'a changed receiver', putTo(WEBHOOK, { url: METADATA })],
  [400, 'VALIDATION_ERROR', ['body'], 'a body with GET', post('/monitors', { ...shop, body: 'x' })],
  [400, 'VALIDATION_ERROR', ['regions'], 'no region', post('/monitors', { ...shop, regions: [] })],
  [
    400,
    'VALIDATION_ERROR',
    ['regions.1'],
    'a region twice',
    post('/monitors', { ...shop, regions: ['us-east', 'us-east'] }),
  ],
  [
    400,
    'VALIDATION_ERROR',
    ['headers.Host'],
    'the header Host',
    post('/monitors', { ...shop, headers: { Host: 'x' } }),
  ],
  [
    400,
    'VALIDATION_ERROR',
    ['interval'],
    'an interval between',
    post('/monitors', { ...shop, interval: 45 }),
  ],
  [
    400,
    'VALIDATION_ERROR',
    ['timeout'],
    'a timeout over a minute',
    post('/monitors', { ...shop, timeout: 61 }),
  ],
  [400, 'VALIDATION_ERROR', ['url'], 'a type that the url is not of', putTo(MONITOR, { type: 'tcp' })],
  [400, 'VALIDATION_ERROR', ['slug'], 'a reserved slug', post('/status-pages', { ...page, slug: 'public' })],
  [400, 'VALIDATION_ERROR', ['slug'], 'a slug in capitals', post('/status-pages', { ...page, slug: 'Acme' })],
  [400, 'VALIDATION_ERROR', ['logoUrl'], 'a logo over http', putTo(PAGE, { logoUrl: 'http://a.test/' })],
  [
    400,
    'VALIDATION_ERROR',
    ['theme.textColor'],
    'no hex color',
    putTo(PAGE, { theme: { textColor: 'red' } }),
  ],
  [400, 'VALIDATION_ERROR', ['description'], '501 characters', putTo(PAGE, { description: 'x'.repeat(501) })],
  [
    400,
    'UNKNOWN_MONITOR',
    ['monitors.0'],
    'a page with a monitor that is none',
    post('/status-pages', { ...page, slug: 'unknown', monitors: ['mon_none'] }),
  ],
  [
    400,
    'UNKNOWN_MONITOR',
    ['monitors.0'],
    'a changed page with one',
    putTo(PAGE, { monitors: ['mon_none'] }),
  ],
  [
    400,
    'UNKNOWN_MONITOR',
    ['affectedMonitors.0'],
    'an incident of one',
    post('/incidents', { title: 'Down', affectedMonitors: ['mon_none'] }),
  ],
  [
    400,
    'UNKNOWN_MONITOR',
    ['affectedMonitors.0'],
    'a changed incident of one',
    putTo(INCIDENT, { affectedMonitors: ['mon_none'] }),
  ],
  [400, 'UNKNOWN_MONITOR', ['monitors.0'], 'maintenance of one', post('/maintenance', window)],
  [
    400,
    'UNKNOWN_MONITOR',
    ['monitors.0'],
    'a changed maintenance of one',
    putTo(MAINTENANCE, { monitors: ['mon_none'] }),
  ],
  [
    400,
    'VALIDATION_ERROR',
    ['endsAt'],
    'an end before the start',
    putTo(MAINTENANCE, { endsAt: '2020-01-01T00:00:00Z' }),
  ],
  [
    400,
    'VALIDATION_ERROR',
    ['rrule'],
    'every minute',
    post('/maintenance', { ...window, rrule: 'FREQ=MINUTELY' }),
  ],
  [
    400,
    'VALIDATION_ERROR',
    ['rrule'],
    'February 30',
    post('/maintenance', { ...window, rrule: 'FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30' }),
  ],
  [
    400,
    'VALIDATION_ERROR',
    ['timeZone'],
    'no zone',
    post('/maintenance', { ...window, timeZone: 'Mars/Olympus' }),
  ],
  [
    400,
    'SLUG_TAKEN',
    ['slug'],
    'a slug that another page has',
    async () => ({ method: 'POST', path: '/status-pages', body: { ...page, slug: await makeOwn(PAGE) } }),
  ],
  [
    400,
    'SLUG_TAKEN',
    ['slug'],
    'a slug changed to that of another',
    async () => putTo(PAGE, { slug: await makeOwn(PAGE) })(),
  ],
  [
    400,
    'DOMAIN_TAKEN',
    ['customDomain'],
    'a domain that another page has shown to own',
    async () => {
      const slug = await makeOwn(PAGE);
      const owned = { customDomain: 'taken.acme.test', customDomainVerifiedAt: new Date() };
      await backdoor.db.statusPage.updateMany({
        where: { customDomain: owned.customDomain },
        data: { customDomain: null, customDomainVerifiedAt: null },
      });
      await backdoor.db.statusPage.update({ where: { slug }, data: owned });
      return putTo(PAGE, { customDomain: owned.customDomain })();
    },
  ],
  [400, 'VALIDATION_ERROR', ['events'], 'no event', post('/webhooks', { url: CLOSED, events: [] })],
  [
    400,
    'VALIDATION_ERROR',
    ['expiresAt'],
    'a key that has expired already',
    post('/api-keys', { name: 'Old', expiresAt: '2020-01-01T00:00:00Z' }),
  ],
  ...[
    'ada＠example.com',
    'ada@exаmple.com',
    'ada@example.com\r\nBcc: eve@example.com',
    'ada@example.com, eve@example.com',
    'ada',
    `${'a'.repeat(250)}@example.com`,
  ].map(
    (email): Row => [
      400,
      'VALIDATION_ERROR',
      ['email'],
      `an invitation of ${JSON.stringify(email.slice(0, 40))}`,
      post('/invitations', { email }),
    ],
  ),
  [
    400,
    'VALIDATION_ERROR',
    ['role'],
    'a role that is none',
    post('/invitations', { email: 'ada@example.com', role: 'root' }),
  ],
  [
    403,
    'FORBIDDEN',
    [],
    'an owner by an API key',
    post('/invitations', { email: 'ada@example.com', role: 'owner' }),
  ],
  [403, 'FORBIDDEN', [], 'a member made owner by an API key', putTo('/members/{id}', { role: 'owner' })],
  [
    403,
    'FORBIDDEN',
    [],
    'the removal of an owner by an API key',
    async () => {
      const { userId } = await backdoor.db.membership.findFirstOrThrow({
        where: { organizationId: tenant.organizationId, role: 'owner' },
      });
      return { method: 'DELETE', path: `/members/${userId}` };
    },
  ],
  [
    409,
    'CONFLICT',
    ['email'],
    'an invitation of who is a member',
    async () => {
      const { email } = await backdoor.db.user.findUniqueOrThrow({ where: { id: await tenant.addMember() } });
      return { method: 'POST', path: '/invitations', body: { email } };
    },
  ],
  [
    409,
    'CONFLICT',
    ['ref'],
    'a ref that another monitor has',
    async () => {
      const ref = await makeOwn(PAGE);
      await tenant.api('POST', '/monitors', { ...shop, ref });
      return { method: 'POST', path: '/monitors', body: { ...shop, ref } };
    },
  ],
  [
    409,
    'CONFLICT',
    [],
    'a test of a disabled endpoint',
    async () => {
      const id = await makeOwn(WEBHOOK);
      await tenant.api('PUT', `/webhooks/${id}`, { enabled: false });
      return { method: 'POST', path: `/webhooks/${id}/test` };
    },
  ],
  [
    409,
    'CONFLICT',
    [],
    'a replay to a deleted endpoint',
    async () => {
      const id = await makeOwn(WEBHOOK);
      const { body: delivery } = await tenant.api('POST', `/webhooks/${id}/test`);
      await tenant.api('DELETE', `/webhooks/${id}`);
      return { method: 'POST', path: `/deliveries/${delivery.id}/replay` };
    },
  ],
  [
    409,
    'CONFLICT',
    [],
    'the end of what is over',
    async () => {
      const id = await makeOwn(MAINTENANCE);
      await tenant.api('POST', `/maintenance/${id}/end`);
      return { method: 'POST', path: `/maintenance/${id}/end` };
    },
  ],
  [
    409,
    'CONFLICT',
    [],
    'the rotation of a revoked key',
    async () => {
      const id = await makeOwn('/api-keys/{id}');
      await tenant.api('DELETE', `/api-keys/${id}`);
      return { method: 'POST', path: `/api-keys/${id}/rotate` };
    },
  ],
];

describe('what a request asks for is refused', () => {
  it.each(ROWS)('with %i %s, naming %j: %s', async (status, code, paths, _, prepare) => {
    const { body, ...request } = await prepare();
    const sent = body === undefined ? null : JSON.stringify(body);
    const answer = await send(service.url, { ...request, key: tenant.apiKey, body: sent });
    expect(refusalOf(answer)).toEqual([status, code]);
    expect(pathsOf(answer)).toEqual(paths);
  });
});

describe('a POST without a body', () => {
  it.each(
    named(
      operations.filter(({ method, body, bodyIsOptional }) => method === 'POST' && (!body || bodyIsOptional)),
    ),
  )('%s is never 415', async (_, operation) => {
    for (const headers of [undefined, { 'Content-Type': 'text/plain' }]) {
      expect((await ask(operation, { body: null, headers })).status).toBe(operation.success);
    }
  });
});
