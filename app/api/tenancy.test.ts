import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WAIT_MS } from '@/bin/testing/patience.mjs';
import { type Receiver, startReceiver } from '@/lib/testing/receiver';
import { borrowTenant } from './testing/borrow-tenant';
import { fillPath, fixturePath, makeAllFixtures, unknownLike, withOwnMonitor } from './testing/fixtures';
import { type DocumentedOperation, listDocumentedOperations } from './testing/operations';
import { readOwnedRows } from './testing/owned-rows';
import { leastBody, leastQuery } from './testing/request-arbitrary';
import { SAMPLE_FILE } from './testing/sample-file';
import { type OutsideResponse, send } from './testing/send';
import type { Tenant } from './testing/tenants';

const operations = await listDocumentedOperations();
const cases = operations.map((operation) => [operation.name, operation] as const);

const HOUR_IN_2098 = { startsAt: '2098-01-01T10:00:00Z', endsAt: '2098-01-01T11:00:00Z' };

const setting = borrowTenant({ inProcess: true });
let receiver: Receiver;
let owner: Tenant;
let stranger: Tenant;
/** Keys of the owner with restrictions: read-only, revoked and expired. */
let keys: { read: string; revoked: string; expired: string };
/** The owner's objects, by the path whose parameter they fill. */
let fixtures: Map<string, string>;
let before: Record<string, string[]>;

beforeAll(async () => {
  receiver = await startReceiver();
  owner = setting.tenant;
  stranger = await setting.backdoor.addTenant();
  keys = await makeKeys();
  fixtures = await makeAllFixtures(
    operations.map(({ path }) => path),
    { ...owner, receiverUrl: receiver.url, db: setting.backdoor.db },
  );
  before = await readSettled();
});
afterAll(() => receiver?.close());

async function makeKeys() {
  const make = async (scope: string) =>
    (await owner.api('POST', '/api-keys', { name: `A key that is ${scope}`, scope })).body;
  const [read, revoked, expired] = [await make('read'), await make('write'), await make('write')];
  await owner.api('DELETE', `/api-keys/${revoked.id}`);
  const past = new Date(Date.now() - 60_000);
  await setting.backdoor.db.apiKey.update({ where: { id: expired.id }, data: { expiresAt: past } });
  return { read: read.apiKey, revoked: revoked.apiKey, expired: expired.apiKey };
}

/** The owner's rows once the worker has processed the fixtures, which would look like a write. */
async function readSettled(): Promise<Record<string, string[]>> {
  let earlier = await readOwned();
  for (const deadline = Date.now() + WAIT_MS; Date.now() < deadline; ) {
    await sleep(500);
    const { body: pending } = await owner.api('GET', '/deliveries?status=pending');
    const now = await readOwned();
    if (pending.length === 0 && isDeepStrictEqual(now, earlier)) return now;
    earlier = now;
  }
  throw new Error(`the worker is still at the fixtures:\n${await setting.service.logs()}`);
}

const readOwned = () => readOwnedRows(setting.backdoor.db, [owner.organizationId, ...fixtures.values()]);

/** A minimal request that would succeed for an authorized caller. */
async function call(
  { method, path, body, isFile, query }: DocumentedOperation,
  { key, value = fixtures.get(fixturePath(path) ?? '') ?? '' }: { key: string | null; value?: string },
): Promise<OutsideResponse> {
  const slug = fixtures.get('/status-pages/{slug}') ?? '';
  const search = leastQuery(query, { slug });
  const least = body === null ? null : JSON.stringify(leastBody({ path, body }));
  return send(setting.service, {
    method,
    path: `${fillPath(path, value)}${search}`,
    key,
    ...(isFile
      ? SAMPLE_FILE
      : { body: await withOwnMonitor(least, async () => fixtures.get('/monitors/{id}') ?? '') }),
  });
}

const codeOf = ({ status, json }: OutsideResponse) => [
  status,
  (json as { error?: { code?: string } } | null)?.error?.code,
];

/** A response without the parts that differ per request. */
const withoutRequestId = ({ status, text, json }: OutsideResponse) => {
  const { requestId = '' } = (json as { error?: { requestId?: string } } | null)?.error ?? {};
  return { status, text: text.replace(requestId, '') };
};

describe('every operation of the document', () => {
  it.each(cases.filter(([, operation]) => operation.scope !== 'public'))(
    '%s returns the same 401 without a valid key',
    async (_, operation) => {
      // One of the invalid keys in turn.
      const invalid = ['nonsense', `ph_live_${'A'.repeat(38)}`, keys.revoked, keys.expired];
      const responses = [
        await call(operation, { key: null }),
        await call(operation, {
          key: invalid[cases.findIndex(([name]) => name === operation.name) % 4] ?? '',
        }),
      ];
      for (const response of responses) {
        expect(codeOf(response)).toEqual([401, 'UNAUTHORIZED']);
        expect(withoutRequestId(response)).toEqual(withoutRequestId(responses[0] ?? response));
      }
    },
  );

  it.each(cases.filter(([, operation]) => operation.scope !== 'public'))(
    '%s allows reads and rejects writes of a read key with 403',
    async (_, operation) => {
      const response = await call(operation, { key: keys.read });
      if (operation.scope === 'read') expect(response.status).toBe(operation.success);
      else expect(codeOf(response)).toEqual([403, 'FORBIDDEN']);
    },
  );

  it.each(cases.filter(([, operation]) => fixturePath(operation.path) !== null))(
    "%s responds to another organization's key as if the object did not exist",
    async (_, operation) => {
      const value = fixtures.get(fixturePath(operation.path) ?? '') ?? '';
      const theirs = await call(operation, { key: stranger.apiKey });
      const missing = await call(operation, { key: stranger.apiKey, value: unknownLike(value) });
      // An upsert by ref would create one, for which the minimal request is not enough.
      const isCreated = operation.createdOutput !== null && operation.path.includes('by-ref');
      expect(codeOf(theirs)).toEqual(isCreated ? [400, 'VALIDATION_ERROR'] : [404, 'NOT_FOUND']);
      expect(withoutRequestId(theirs)).toEqual(withoutRequestId(missing));
    },
  );

  it.each(cases.filter(([, operation]) => fixturePath(operation.path) === null))(
    "%s shows another organization's key nothing that is not its own, and changes nothing",
    async (_, operation) => {
      const response = await call(operation, { key: stranger.apiKey });
      // The minimal request to the public page shows one of the owner's pages, which is public.
      if (operation.scope === 'public') expect(response.status).toBe(operation.success);
      else {
        for (const id of [owner.organizationId, ...fixtures.values()])
          expect(response.text).not.toContain(id);
      }
      expect(response.status).toBeLessThan(500);
    },
  );

  it.each(cases.filter(([, operation]) => operation.scope === 'public'))(
    '%s returns the same with and without a key',
    async (_, operation) => {
      const [none, bad, good] = [null, 'nonsense', stranger.apiKey];
      const statuses = [];
      for (const key of [none, bad, good]) statuses.push((await call(operation, { key })).status);
      expect(statuses).toEqual([operation.success, operation.success, operation.success]);
    },
  );
});

describe('IDs of another organization in bodies and queries', () => {
  const own = (path: string) => fixtures.get(path) ?? '';

  it.each([
    ['POST', '/status-pages', (id: string) => ({ name: 'Mine', slug: 'mine', monitors: [id] })],
    [
      'POST',
      '/email-recipients',
      (id: string) => ({ email: 'alerts@example.com', rules: [{ monitors: [id] }] }),
    ],
    ['POST', '/incident-templates', (id: string) => ({ name: 'Mine', affectedMonitors: [id] })],
    ['POST', '/incidents', (id: string) => ({ title: 'Mine', affectedMonitors: [id] })],
    ['POST', '/events', (id: string) => ({ title: 'Mine', monitors: [id] })],
    ['POST', '/maintenance', (id: string) => ({ title: 'Mine', monitors: [id], ...HOUR_IN_2098 })],
  ])('%s %s rejects their monitor like a missing one', async (method, path, bodyOf) => {
    const monitor = own('/monitors/{id}');
    const readMonitor = async (id: string) => {
      const body = JSON.stringify(bodyOf(id));
      const response = await send(setting.service, { method, path, key: stranger.apiKey, body });
      return { ...withoutRequestId(response), code: codeOf(response) };
    };
    const theirs = await readMonitor(monitor);
    const missing = await readMonitor(unknownLike(monitor));
    expect(theirs.code).toEqual([400, 'UNKNOWN_MONITOR']);
    expect(theirs.text.replaceAll(monitor, '')).toBe(missing.text.replaceAll(unknownLike(monitor), ''));
  });

  it.each([
    ['/deliveries?webhook=', '/webhooks/{id}'],
    ['/deliveries?monitor=', '/monitors/{id}'],
    ['/incidents?monitor=', '/monitors/{id}'],
    ['/events?monitor=', '/monitors/{id}'],
    ['/maintenance?monitor=', '/monitors/{id}'],
  ])('GET %s returns nothing of theirs', async (query, fixture) => {
    const path = `${query}${own(fixture)}`;
    const { status, json } = await send(setting.service, { method: 'GET', path, key: stranger.apiKey });
    expect([status, json]).toEqual([200, []]);
  });

  it('does not replay responses to another organization by Idempotency-Key', async () => {
    const headers = { 'Idempotency-Key': 'the same' };
    const body = JSON.stringify({ url: receiver.url });
    const request = { method: 'POST', path: '/webhooks', body, headers };
    const theirs = await send(setting.service, {
      ...request,
      key: (await setting.backdoor.addTenant()).apiKey,
    });
    const mine = await send(setting.service, {
      ...request,
      key: (await setting.backdoor.addTenant()).apiKey,
    });
    expect([theirs.status, mine.status]).toEqual([201, 201]);
    expect((mine.json as { secret: string }).secret).not.toBe((theirs.json as { secret: string }).secret);
  });
});

it('does not replay responses to another key of the organization by Idempotency-Key', async () => {
  const { api, apiKey: first } = await setting.backdoor.addTenant();
  const { apiKey: second } = (await api('POST', '/api-keys', { name: 'Another key' })).body;
  const request = { method: 'POST', path: '/api-keys', body: JSON.stringify({ name: 'New' }) };
  const headers = { 'Idempotency-Key': 'the same' };
  const secretFor = async (key: string) =>
    ((await send(setting.service, { ...request, key, headers })).json as { apiKey: string }).apiKey;
  const secret = await secretFor(first);
  expect(await secretFor(second)).not.toBe(secret);
  expect(await secretFor(first)).toBe(secret);
});

it('none of this changed anything of the owner', async () => {
  expect(await readOwned()).toEqual(before);
});
