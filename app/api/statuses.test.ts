import { describe, expect, it } from 'vitest';
import { problemSchema } from '@/lib/web/http/problem';
import { borrowTenant } from './testing/borrow-tenant';
import { fillEach, fillPath, fixturePath, unknownLike } from './testing/fixtures';
import { UNDECODABLE } from './testing/hostile';
import { createRequests, REFUSED_BODIES, REFUSED_FILES } from './testing/operation-requests';
import { type DocumentedOperation, listDocumentedOperations, listUnsupported } from './testing/operations';
import { fieldsOf, rejectionOf } from './testing/rejections';
import { leastBody } from './testing/request-arbitrary';
import { requireDocumented } from './testing/require-documented';
import { send } from './testing/send';

const operations = await listDocumentedOperations();
const named = (these: DocumentedOperation[]) =>
  these.map((operation) => [operation.name, operation] as const);
const withBody = operations.filter(({ body }) => body !== null);
const withKey = operations.filter(({ scope }) => scope !== 'public');

const setting = borrowTenant({ inProcess: true });

const { createOwn, keepOwn, request, refused } = createRequests(setting);

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

  // Each of them in turn; statuses.thorough.test.ts sends all to every operation.
  it.each(named(withBody).map(([name, operation], index) => ({ name, operation, index })))(
    '$name rejects a body that is too large, of another type, or no JSON object',
    async ({ operation, index }) => {
      const [changes, ...rejection] = REFUSED_BODIES[index % REFUSED_BODIES.length] ?? [{}];
      expect(rejectionOf(await refused(operation, changes))).toEqual(rejection);
    },
  );

  it.each(named(operations.filter(({ isFile }) => isFile)))(
    '%s rejects a file that is too large, of another type or format, or incomplete',
    async (_, operation) => {
      for (const [changes, ...rejection] of REFUSED_FILES) {
        expect(rejectionOf(await refused(operation, changes))).toEqual(rejection);
      }
    },
  );

  it.each(named(withBody))('%s names an unknown field', async (_, operation) => {
    const least = leastBody({ path: operation.path, body: operation.body ?? {} }) as object;
    const response = await refused(operation, { body: JSON.stringify({ ...least, unknown: 'field' }) });
    expect(rejectionOf(response)).toEqual([400, 'VALIDATION_ERROR']);
    expect(fieldsOf(response)).toEqual(['unknown']);
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

  // One in turn; statuses.thorough.test.ts sends all.
  it.each(paths.map((path, index) => ({ path, index })))(
    '$path returns 405 with the supported methods for another method',
    async ({ path, index }) => {
      const { supported, others } = listUnsupported(operations, path);
      const method = others[index % others.length] ?? '';
      const key = setting.tenant.apiKey;
      const response = await send(setting.service, { method, path: fillEach(path, 'any'), key });
      if (method !== 'HEAD') expect(rejectionOf(response)).toEqual([405, 'METHOD_NOT_ALLOWED']);
      expect([response.status, response.headers.get('allow')]).toEqual([405, supported.join(', ')]);
    },
  );

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
