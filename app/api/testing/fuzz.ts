import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Setting } from './borrow-tenant';
import { CLOSED, fillEach, fillPath, fixturePath, makeFixture, withOwnMonitor } from './fixtures';
import { type DocumentedOperation, listDocumentedOperations } from './operations';
import { type FuzzedRequest, nastyBodies, requestsTo } from './request-arbitrary';
import { requireDocumented } from './require-documented';
import { SAMPLE_FILE } from './sample-file';
import { type OutsideResponse, send } from './send';
import type { Tenant } from './tenants';

/** How many random requests each operation gets, and which hostile values each field: every `stride`-th. */
type Effort = { seed: number; runs: number; stride: number };

const cases = (await listDocumentedOperations()).map((operation) => [operation.name, operation] as const);

/** Tests that no request, valid or hostile, is a fault of the service. */
export function describeFuzz(setting: Setting, { seed, runs, stride }: Effort): void {
  const tenants = new Map<string, Promise<Tenant>>();
  /** An organization for each resource: rate limits and quotas are for much less. */
  const tenantOf = ({ path }: DocumentedOperation) => {
    const resource = path.split('/')[1] ?? '';
    const tenant = tenants.get(resource) ?? setting.backdoor.addTenant();
    tenants.set(resource, tenant);
    return tenant;
  };

  /** Sends requests to an operation. Objects are reused until a request has changed them. */
  const open = async (operation: DocumentedOperation) => {
    const tenant = await tenantOf(operation);
    const own = new Map<string, Promise<string>>();
    const createOwn = (path: string) => {
      const created =
        own.get(path) ?? makeFixture(path, { ...tenant, receiverUrl: CLOSED, db: setting.backdoor.db });
      own.set(path, created);
      return created;
    };
    return async (request: FuzzedRequest): Promise<void> => {
      const response = await sendFuzzed(setting, tenant, operation, request, createOwn);
      if (response.status < 400 && operation.method !== 'GET') own.clear();
      requireDocumented(operation, response, response.status < 500 ? '' : await setting.service.logs());
    };
  };

  describe('every operation', () => {
    it.each(cases)('%s always returns a documented response, never 500', async (_, operation) => {
      const request = await open(operation);
      await fc.assert(fc.asyncProperty(requestsTo(operation), request), { seed, numRuns: runs });
    });

    it.each(cases.filter(([, { body }]) => body !== null))(
      '%s handles hostile values in its fields',
      async (_, operation) => {
        const request = await open(operation);
        const least = { param: { own: true } as const, query: '', idempotencyKey: null };
        for (const body of nastyBodies(operation, stride)) {
          await expect(request({ ...least, body }), body).resolves.toBeUndefined();
        }
      },
    );
  });
}

async function sendFuzzed(
  { service }: Setting,
  { apiKey: key }: Tenant,
  { method, path, isFile }: DocumentedOperation,
  { param, query, body, idempotencyKey }: FuzzedRequest,
  createOwn: (path: string) => Promise<string>,
): Promise<OutsideResponse> {
  const own = param.own && fixturePath(path) !== null ? await createOwn(path) : '';
  const filled = param.own ? fillPath(path, own) : fillEach(path, param.text);
  return send(service, {
    method,
    path: `${filled}${query}`,
    key,
    body: await withOwnMonitor(body, () => createOwn('/monitors/{id}')),
    headers: {
      ...(isFile ? SAMPLE_FILE.headers : {}),
      ...(method === 'POST' && idempotencyKey !== null ? { 'Idempotency-Key': idempotencyKey } : {}),
    },
  });
}
