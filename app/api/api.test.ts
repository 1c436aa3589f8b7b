import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ApiClient } from '@/e2e/support/api-client';
import { type BorrowedService, borrowService } from '@/e2e/support/borrow-service';
import { healthSchema } from '@/lib/schemas/health';
import { type Backdoor, openBackdoor } from './testing/tenants';

let service: BorrowedService;
let backdoor: Backdoor;
let api: ApiClient;
let foreign: ApiClient;
let readOnly: ApiClient;

beforeAll(async () => {
  service = await borrowService();
  backdoor = await openBackdoor(service);
  ({ api, readOnly, foreign } = await backdoor.addCallers());
});
afterAll(() => backdoor?.close());

const SHOP = { name: 'Shop', url: 'http://127.0.0.1:9/' };

describe('authentication', () => {
  it.each([
    ['no key', undefined],
    ['a malformed key', 'Bearer nonsense'],
    ['a key with a wrong checksum', `Bearer ph_live_${'A'.repeat(38)}`],
    ['another scheme', 'Basic dXNlcjpwdw=='],
    ['nothing after Bearer', 'Bearer'],
    ['two keys', `Bearer ph_live_${'A'.repeat(38)} ph_live_${'B'.repeat(38)}`],
    ['a key without Bearer', `ph_live_${'A'.repeat(38)}`],
    ['a key of 8 KiB', `Bearer ph_live_${'A'.repeat(8192)}`],
    ['a letter beyond ASCII', `Bearer ph_live_${'\xe9'.repeat(38)}`],
  ])('returns 401 for %s', async (_, authorization) => {
    const headers = new Headers(authorization ? { Authorization: authorization } : {});
    const response = await fetch(`${service.url}/api/monitors`, { headers });
    expect(response.status).toBe(401);
    expect((await response.json()).error.code).toBe('UNAUTHORIZED');
  });

  it("returns 404 for another organization's monitor and endpoint, as for missing ones, and changes nothing", async () => {
    const { body: monitor } = await api('POST', '/monitors', { ...SHOP, enabled: false });
    const { body: endpoint } = await api('POST', '/webhooks', { url: 'http://127.0.0.1:9/hook' });
    for (const path of [`/monitors/${monitor.id}`, `/webhooks/${endpoint.id}`]) {
      const unknown = path.replace(/.$/, (last) => (last === '0' ? '1' : '0'));
      for (const [method, body] of [['GET'], ['PUT', { name: 'Mine' }], ['PUT', {}], ['DELETE']] as const) {
        if (path.startsWith('/webhooks') && body && 'name' in body) continue;
        const theirs = await foreign(method, path, body);
        const unknowns = await foreign(method, unknown, body);
        expect([method, theirs.status, theirs.body.error.code]).toEqual([method, 404, 'NOT_FOUND']);
        expect(theirs.body.error.message).toBe(unknowns.body.error.message);
      }
      expect((await api('GET', path)).status).toBe(200);
    }
    expect((await api('GET', `/monitors/${monitor.id}`)).body).toEqual(monitor);
  });

  it('allows reads and rejects writes of a read key with 403', async () => {
    expect((await readOnly('GET', '/monitors')).status).toBe(200);
    const { status, body } = await readOnly('POST', '/monitors', SHOP);
    expect([status, body.error.code]).toEqual([403, 'FORBIDDEN']);
  });
});

describe('webhook endpoints', () => {
  it('shows the secret only when it is created', async () => {
    const created = await api('POST', '/webhooks', {
      url: 'https://receiver.test/hook',
      events: ['monitor.down'],
    });
    expect(created).toMatchObject({
      status: 201,
      body: { secret: expect.stringMatching(/^whsec_/), status: 'active' },
    });
    const { secret, ...endpoint } = created.body;
    expect((await api('GET', `/webhooks/${endpoint.id}`)).body).toEqual(endpoint);
    expect((await api('GET', '/webhooks')).body).toContainEqual(endpoint);
    expect(JSON.stringify((await api('GET', '/webhooks')).body)).not.toContain(secret);
  });

  it('can be changed, disabled and deleted', async () => {
    const { body: created } = await api('POST', '/webhooks', { url: 'https://receiver.test/hook' });
    const changed = await api('PUT', `/webhooks/${created.id}`, { enabled: false, description: 'old' });
    expect(changed.body).toMatchObject({ enabled: false, status: 'disabled', description: 'old' });
    expect((await api('DELETE', `/webhooks/${created.id}`)).body).toEqual({ message: expect.any(String) });
    expect((await api('GET', `/webhooks/${created.id}`)).status).toBe(404);
  });

  it.each([
    ['no url', {}, ['url']],
    ['another scheme', { url: 'ftp://receiver.test/' }, ['url']],
    ['credentials', { url: 'https://user:pw@receiver.test/' }, ['url']],
    ['an unknown event', { url: 'https://receiver.test/', events: ['monitor.sideways'] }, ['events.0']],
    ['an unknown key', { url: 'https://receiver.test/', secret: 'mine' }, ['secret']],
  ])('rejects %s with 400', async (_, sent, fields) => {
    const { status, body } = await api('POST', '/webhooks', sent);
    expect(status).toBe(400);
    expect(body.error.details.map((detail: { path: string }) => detail.path)).toEqual(fields);
  });
});

describe('every path below /api', () => {
  it('returns 404 in JSON if unknown', async () => {
    const { status, body } = await api('GET', '/nope/nothing');
    expect([status, body.error.code]).toEqual([404, 'NOT_FOUND']);
  });

  it.each(['/monitors/%00', '/monitors/mon_%00', '/monitors/%E0%A4%A', '/%'])(
    'returns 404 in JSON for %s',
    async (path) => {
      const { status, body } = await api('GET', path);
      expect([status, body.error.code]).toEqual([404, 'NOT_FOUND']);
    },
  );

  it('returns 405 with the supported methods for others', async () => {
    const { status, headers, body } = await api('PATCH', '/monitors', {});
    expect([status, body.error.code]).toEqual([405, 'METHOD_NOT_ALLOWED']);
    expect(headers.get('allow')).toBe('GET, HEAD, POST');
  });

  it('returns live and health without a key', async () => {
    const live = await fetch(`${service.url}/api/live`);
    expect([live.status, await live.json()]).toEqual([200, { status: 'ok' }]);
    const readHealth = async () => {
      const response = await fetch(`${service.url}/api/health`);
      return { code: response.status, ...healthSchema.parse(await response.json()) };
    };
    // A machine that is busy with other tests may be late for a moment, which health reports.
    await expect.poll(readHealth).toMatchObject({ code: 200, status: 'ok' });
    const { parts } = await readHealth();
    const names = 'database recording schedule heartbeats deliveries mail upkeep'.split(' ');
    expect(parts.map(({ name }) => name)).toEqual(expect.arrayContaining(names));
  });
});
