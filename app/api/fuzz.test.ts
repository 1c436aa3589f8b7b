import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Service, startService } from '@/e2e/support/start-service';
import { CLOSED, fillEach, fillPath, fixturePath, makeFixture, withOwnMonitor } from './testing/fixtures';
import { type DocumentedOperation, listDocumentedOperations } from './testing/operations';
import {
  type FuzzedRequest,
  leastBody,
  leastQuery,
  nastyBodies,
  requestsTo,
} from './testing/request-arbitrary';
import { requireDocumented } from './testing/require-documented';
import { type OutsideResponse, send as sendRequest } from './testing/send';
import { type Backdoor, openBackdoor, type Tenant } from './testing/tenants';

/**
 * `VITE_FUZZ_SEED=… VITE_FUZZ_RUNS=… npx vitest run app/api/fuzz.test.ts` uses another seed, or more runs; `VITE_FUZZ_STRIDE=1` every
 * hostile value in every field. In CI there are twice as many of both (bin/testing/steps.mjs).
 */
const {
  VITE_FUZZ_SEED = '20270131',
  VITE_FUZZ_RUNS = '4',
  VITE_FUZZ_STRIDE = '6',
} = (import.meta as ImportMeta & { env?: Record<string, string | undefined> }).env ?? {};

const cases = (await listDocumentedOperations()).map((operation) => [operation.name, operation] as const);

let service: Service;
let backdoor: Backdoor;

beforeAll(async () => {
  // Do not query DNS for random domains.
  service = await startService({ env: { DNS_SERVERS: '127.0.0.1:9' } });
  backdoor = await openBackdoor(service);
});
afterAll(async () => {
  await backdoor?.close();
  await service?.stop();
});

const makeOwn = (tenant: Tenant, path: string) =>
  makeFixture(path, { ...tenant, receiverUrl: CLOSED, db: backdoor.db });

async function send(
  tenant: Tenant,
  { method, path }: DocumentedOperation,
  { param, query, body, idempotencyKey }: FuzzedRequest,
  createOwn = (own: string) => makeOwn(tenant, own),
): Promise<OutsideResponse> {
  const hasFixture = fixturePath(path) !== null;
  const filled = !hasFixture
    ? path
    : param.own
      ? fillPath(path, await createOwn(path))
      : fillEach(path, param.text);
  return sendRequest(service, {
    method,
    path: `${filled}${query}`,
    key: tenant.apiKey,
    body: await withOwnMonitor(body, () => createOwn('/monitors/{id}')),
    headers: method === 'POST' && idempotencyKey !== null ? { 'Idempotency-Key': idempotencyKey } : {},
  });
}

/** Creates an object once, and another only after `reset`: a request that is refused, or only reads, leaves it as it is. */
function reuseOwn(tenant: Tenant) {
  const created = new Map<string, Promise<string>>();
  const createOwn = (path: string) => {
    const own = created.get(path) ?? makeOwn(tenant, path);
    created.set(path, own);
    return own;
  };
  return { createOwn, reset: () => created.clear() };
}

describe('every operation', () => {
  it.each(cases)('%s succeeds with a minimal request', async (_, operation) => {
    const { path, body, query } = operation;
    const tenant = await backdoor.addTenant();
    const slug = query.required?.includes('slug') ? await makeOwn(tenant, '/status-pages/{slug}') : '';
    const response = await send(tenant, operation, {
      param: { own: true },
      query: leastQuery(query, { slug }),
      body: body === null ? null : JSON.stringify(leastBody({ path, body })),
      idempotencyKey: null,
    });
    requireDocumented(operation, response, service.logs());
    expect(response.status).toBe(operation.success);
  });

  it.each(cases)('%s always returns a documented response, never 500', async (_, operation) => {
    // A new organization, to stay below the rate limit.
    const tenant = await backdoor.addTenant();
    const { createOwn, reset } = reuseOwn(tenant);
    const property = fc.asyncProperty(requestsTo(operation), async (request) => {
      const response = await send(tenant, operation, request, createOwn);
      if (response.status < 400 && operation.method !== 'GET') reset();
      requireDocumented(operation, response, service.logs());
    });
    await fc.assert(property, { seed: Number(VITE_FUZZ_SEED), numRuns: Number(VITE_FUZZ_RUNS) });
  });

  it.each(cases.filter(([, { body }]) => body !== null))(
    '%s handles hostile values in its fields',
    async (_, operation) => {
      const tenant = await backdoor.addTenant();
      const least = { param: { own: true } as const, query: '', idempotencyKey: null };
      const { createOwn, reset } = reuseOwn(tenant);
      for (const body of nastyBodies(operation, Number(VITE_FUZZ_STRIDE))) {
        const response = await send(tenant, operation, { ...least, body }, createOwn);
        if (response.status < 400) reset();
        expect(() => requireDocumented(operation, response, service.logs()), body).not.toThrow();
      }
    },
  );
});
