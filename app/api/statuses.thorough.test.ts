import { describe, expect, it } from 'vitest';
import { borrowTenant } from './testing/borrow-tenant';
import { fillEach } from './testing/fixtures';
import { createRequests, REFUSED_BODIES } from './testing/operation-requests';
import { listDocumentedOperations, listUnsupported } from './testing/operations';
import { rejectionOf } from './testing/rejections';
import { send } from './testing/send';

const operations = await listDocumentedOperations();
// Over HTTP: all of it also passes the server and the router.
const setting = borrowTenant();
const { refused } = createRequests(setting);

describe('every operation', () => {
  it.each(
    operations.filter(({ body }) => body !== null).map((operation) => [operation.name, operation] as const),
  )('%s rejects every body that is too large, of another type, or no JSON object', async (_, operation) => {
    for (const [changes, ...rejection] of REFUSED_BODIES) {
      expect(rejectionOf(await refused(operation, changes))).toEqual(rejection);
    }
  });
});

describe('every path', () => {
  it.each([...new Set(operations.map(({ path }) => path))])(
    '%s returns 405 with the supported methods for every other method',
    async (path) => {
      const { supported, others } = listUnsupported(operations, path);
      for (const method of others) {
        const key = setting.tenant.apiKey;
        const response = await send(setting.service, { method, path: fillEach(path, 'any'), key });
        if (method !== 'HEAD') expect(rejectionOf(response)).toEqual([405, 'METHOD_NOT_ALLOWED']);
        expect([method, response.status, response.headers.get('allow')]).toEqual([
          method,
          405,
          supported.join(', '),
        ]);
      }
    },
  );
});
