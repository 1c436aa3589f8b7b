import { beforeAll, describe, expect, it } from 'vitest';
import { borrowTenant } from './testing/borrow-tenant';
import { CLOSED } from './testing/fixtures';
import { type DocumentedOperation, listDocumentedOperations } from './testing/operations';
import { rejectionOf } from './testing/rejections';
import { leastBody, leastQuery } from './testing/request-arbitrary';
import { type OutsideResponse, send } from './testing/send';
import type { Tenant } from './testing/tenants';

const REF = 'eu/shop 50% ref:ä';
const setting = borrowTenant({ inProcess: true });
let stranger: Tenant;
beforeAll(async () => {
  stranger = await setting.backdoor.addTenant();
});

const KINDS = [
  ['/monitors', { name: 'Shop', url: CLOSED, interval: 300, enabled: false }],
  ['/webhooks', { url: CLOSED, enabled: false }],
] as const;

// The object itself is deleted last.
const operations = (await listDocumentedOperations()).sort((a, b) => rank(a) - rank(b));

function rank({ method, path }: DocumentedOperation): number {
  return method === 'DELETE' ? (path.endsWith('{id}') ? 2 : 1) : 0;
}

function call(operation: DocumentedOperation, id: string, { apiKey }: Tenant) {
  const { method, body, query } = operation;
  const path = operation.path
    .replace('{id}', id)
    .replace(/\{\w+\}/, 'cor_01kxk1j7c2e5x8q3n6w4r9t0zb')
    .concat(leastQuery(query, {}));
  const sent = body === null ? null : JSON.stringify(leastBody({ path: operation.path, body }));
  return send(setting.service, { method, path, key: apiKey, body: sent, headers: {} });
}

const outcomeOf = ({ status, json }: OutsideResponse) => [
  status,
  (json as { error?: { code: string } } | null)?.error?.code,
];

describe.each(KINDS)('%s/ref:…', (list, creation) => {
  const ref = `ref:${encodeURIComponent(REF)}`;
  const cases = operations.filter(({ path }) => path.startsWith(`${list}/{id}`));
  let id: string;
  beforeAll(async () => {
    id = (await setting.tenant.api('POST', list, creation)).body.id;
    await setting.tenant.api('POST', list, { ...creation, ref: REF });
  });

  it.each(cases.map((operation) => [operation.name, operation] as const))(
    'takes the place of the ID in %s, for its organization only',
    async (_, operation) => {
      expect(rejectionOf(await call(operation, ref, stranger))).toEqual([404, 'NOT_FOUND']);
      expect(rejectionOf(await call(operation, 'ref:', setting.tenant))).toEqual([404, 'NOT_FOUND']);
      const [byRef, byId] = [
        await call(operation, ref, setting.tenant),
        await call(operation, id, setting.tenant),
      ];
      expect(outcomeOf(byRef)).toEqual(outcomeOf(byId));
      if (operation.path === `${list}/{id}` && operation.method !== 'DELETE') {
        expect(byRef.json).toMatchObject({ ref: REF });
      }
    },
  );

  it('names what a precondition is about', async () => {
    const { api, apiKey: key } = setting.tenant;
    const quiet = list === '/monitors' ? { enabled: false } : {};
    const { body } = await api('POST', list, { ...creation, ...quiet, ref: 'precise' });
    const request = { path: `${list}/ref:precise`, key, body: null };
    const stale = await send(setting.service, {
      ...request,
      method: 'DELETE',
      headers: { 'If-Match': '"stale"' },
    });
    expect(rejectionOf(stale)).toEqual([412, 'PRECONDITION_FAILED']);
    const deleted = await send(setting.service, {
      ...request,
      method: 'DELETE',
      headers: { 'If-Match': '*' },
    });
    expect([deleted.status, (await api('GET', `${list}/${body.id}`)).status]).toEqual([200, 404]);
  });

  it('lets a repeated request get the first response once the ref no longer exists', async () => {
    const { api, apiKey: key } = setting.tenant;
    const { body } = await api('POST', list, { ...creation, ref: 'once' });
    const path = `${list}/ref:once/${list === '/monitors' ? 'check' : 'test'}`;
    const headers = { 'Idempotency-Key': 'once' };
    const post = () => send(setting.service, { method: 'POST', path, key, body: null, headers });
    const first = await post();
    expect((await api('DELETE', `${list}/${body.id}`)).status).toBe(200);
    expect(outcomeOf(await post())).toEqual(outcomeOf(first));
  });
});
