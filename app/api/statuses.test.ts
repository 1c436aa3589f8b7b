import { describe, expect, it } from 'vitest';
import { problemSchema } from '@/lib/web/http/problem';
import { METHODS } from '@/lib/web/http/route';
import { borrowTenant } from './testing/borrow-tenant';
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
import { fieldsOf, rejectionOf } from './testing/rejections';
import { leastBody, leastQuery } from './testing/request-arbitrary';
import { requireDocumented } from './testing/require-documented';
import { type OutsideRequest, type OutsideResponse, send } from './testing/send';

const operations = await listDocumentedOperations();
const named = (these: DocumentedOperation[]) =>
  these.map((operation) => [operation.name, operation] as const);
const withBody = operations.filter(({ body }) => body !== null);
const withKey = operations.filter(({ scope }) => scope !== 'public');

const setting = borrowTenant();

const createOwn = (path: string) =>
  makeFixture(path, { ...setting.tenant, receiverUrl: CLOSED, db: setting.backdoor.db });

const kept = new Map<string, Promise<string>>();

/** An object for requests that are refused, and so leave it as it is. */
function keepOwn(path: string): Promise<string> {
  const own = kept.get(path) ?? createOwn(path);
  kept.set(path, own);
  return own;
}

/** Sends the smallest request that succeeds, with `changes`; `value` replaces the parameter of the path, by default that of a new object. */
async function request(
  { method, path, body, query }: DocumentedOperation,
  { value, ...changes }: Partial<OutsideRequest> & { value?: string } = {},
  findOwn = createOwn,
): Promise<OutsideResponse> {
  const filled = fixturePath(path) === null ? path : fillPath(path, value ?? (await findOwn(path)));
  const slug = query.required?.includes('slug') ? await findOwn('/status-pages/{slug}') : '';
  const whole = {
    body: body === null ? null : JSON.stringify(leastBody({ path, body })),
    ...changes,
  };
  return send(setting.service, {
    method,
    path: `${filled}${leastQuery(query, { slug })}`,
    key: setting.tenant.apiKey,
    ...whole,
    body: await withOwnMonitor(whole.body, () => findOwn('/monitors/{id}')),
  });
}

/** Sends the smallest request that succeeds, with `changes` for which it is refused. */
const refused = (operation: DocumentedOperation, changes: Partial<OutsideRequest> & { value?: string }) =>
  request(operation, changes, keepOwn);

describe('every operation', () => {
  it.each(named(operations))(
    '%s returns the documented success, dates with milliseconds',
    async (_, operation) => {
      const response = await request(operation);
      requireDocumented(operation, response, response.status < 500 ? '' : await setting.service.logs());
      expect(response.status).toBe(operation.success);
      for (const [date] of response.text.matchAll(/"\d{4}-\d\d-\d\dT[^"\\]*"/g)) {
        expect(date).toMatch(/^"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z"$/);
      }
    },
  );

  it.each(named(withKey))('%s names an unknown query parameter', async (_, operation) => {
    const filled = fillPath(operation.path, fixturePath(operation.path) ? await keepOwn(operation.path) : '');
    const response = await refused(operation, { path: `${filled}?unknown=field` });
    expect(rejectionOf(response)).toEqual([400, 'VALIDATION_ERROR']);
    expect(fieldsOf(response)).toEqual(['unknown']);
  });

  it.each(named(withBody))('%s rejects anything but a JSON object', async (_, operation) => {
    expect(rejectionOf(await refused(operation, { body: '{"name":' }))).toEqual([400, 'INVALID_JSON']);
    expect(rejectionOf(await refused(operation, { body: new Uint8Array([0x22, 0xff, 0x22]) }))).toEqual([
      400,
      'INVALID_JSON',
    ]);
    for (const body of ['[]', 'null', '"text"', '1']) {
      expect(rejectionOf(await refused(operation, { body }))).toEqual([400, 'VALIDATION_ERROR']);
    }
  });

  it.each(named(withBody))('%s names an unknown field', async (_, operation) => {
    const least = leastBody({ path: operation.path, body: operation.body ?? {} }) as object;
    const response = await refused(operation, { body: JSON.stringify({ ...least, unknown: 'field' }) });
    expect(rejectionOf(response)).toEqual([400, 'VALIDATION_ERROR']);
    expect(fieldsOf(response)).toEqual(['unknown']);
  });

  it.each(named(withBody))('%s returns 413 beyond 1 MiB and 415 for another type', async (_, operation) => {
    const large = await refused(operation, { body: `{"name":"${'x'.repeat(1024 * 1024)}"}` });
    expect(rejectionOf(large)).toEqual([413, 'PAYLOAD_TOO_LARGE']);
    const other = await refused(operation, { headers: { 'Content-Type': 'text/plain' } });
    expect(rejectionOf(other)).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE']);
  });

  it.each(named(operations.filter(({ path }) => fixturePath(path) !== null)))(
    '%s returns 404 for unknown IDs, unless it creates',
    async (_, operation) => {
      const value = unknownLike(await keepOwn(operation.path));
      const isCreated = operation.createdOutput !== null && operation.path.includes('by-ref');
      const rejection = isCreated ? [400, 'VALIDATION_ERROR'] : [404, 'NOT_FOUND'];
      expect(rejectionOf(await refused(operation, { value }))).toEqual(rejection);
    },
  );

  it.each(named(withKey.filter(({ method }) => method === 'GET')))(
    '%s returns 304 if the caller has the current version',
    async (_, operation) => {
      const value = fixturePath(operation.path) === null ? '' : await createOwn(operation.path);
      const first = await request(operation, { value });
      const etag = first.headers.get('etag') ?? '';
      expect(etag).toMatch(/^(W\/)?".+"$/);
      const again = await request(operation, { value, headers: { 'If-None-Match': `"other", ${etag}` } });
      // Current times and running work may have changed meanwhile.
      if ((await request(operation, { value })).headers.get('etag') !== etag) return;
      expect([again.status, again.text]).toEqual([304, '']);
      expect(again.headers.get('x-request-id')).toMatch(/.+/);
      expect((await request(operation, { value, headers: { 'If-None-Match': '"other"' } })).status).toBe(200);
    },
  );

  it.each(named(operations.filter(({ method }) => method === 'GET')))(
    '%s responds to HEAD like GET, without the body',
    async (_, operation) => {
      const response = await request({ ...operation, method: 'HEAD' });
      expect([response.status, response.text]).toEqual([operation.success, '']);
    },
  );
});

describe('every path', () => {
  const paths = [...new Set(operations.map(({ path }) => path))];

  it.each(paths)('%s returns 405 with the supported methods for every other method', async (path) => {
    const own = operations.filter((operation) => operation.path === path).map(({ method }) => method);
    const supported = METHODS.filter(
      (method) =>
        own.includes(method) ||
        (method === 'HEAD' && own.includes('GET')) ||
        (method === 'OPTIONS' && path === '/status-pages/public'),
    );
    for (const method of METHODS.filter((each) => !supported.includes(each))) {
      const response = await send(setting.service, {
        method,
        path: fillEach(path, 'any'),
        key: setting.tenant.apiKey,
      });
      expect(response.status, method).toBe(405);
      if (method !== 'HEAD') expect(rejectionOf(response)).toEqual([405, 'METHOD_NOT_ALLOWED']);
      expect(response.headers.get('allow')).toBe(supported.join(', '));
    }
  });

  it.each(['/nope', '/monitors/a/b/c', '/monitors%00', '/v2/monitors'])(
    'returns 404 for the unknown path %s',
    async (path) => {
      expect(
        rejectionOf(await send(setting.service, { method: 'GET', path, key: setting.tenant.apiKey })),
      ).toEqual([404, 'NOT_FOUND']);
    },
  );

  it.each(UNDECODABLE)('returns 404 in JSON for /monitors/%s, which cannot be decoded', async (text) => {
    // The web server responds to this itself, without the headers of the application.
    const { status, json } = await send(setting.service, {
      method: 'GET',
      path: `/monitors/${text}`,
      key: null,
    });
    expect([status, problemSchema.parse(json).error.code]).toEqual([404, 'NOT_FOUND']);
  });
});

describe('a POST without a body', () => {
  it.each(
    named(
      operations.filter(({ method, body, bodyIsOptional }) => method === 'POST' && (!body || bodyIsOptional)),
    ),
  )('%s is never 415', async (_, operation) => {
    for (const headers of [undefined, { 'Content-Type': 'text/plain' }]) {
      expect((await request(operation, { body: null, headers })).status).toBe(operation.success);
    }
  });
});
