import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ApiClient } from '@/e2e/support/api-client';
import { type BorrowedService, borrowService } from '@/e2e/support/borrow-service';
import { type Receiver, startReceiver } from '@/lib/testing/receiver';
import { type Backdoor, openBackdoor } from './testing/tenants';

const TOKEN = 't0ken-of-somebody';
const SHOP = {
  name: 'Shop',
  url: 'http://127.0.0.1:9/health',
  method: 'POST',
  headers: { Authorization: `Bearer ${TOKEN}`, Accept: 'text/plain', 'X-Key': TOKEN },
  body: `{"password": "${TOKEN}"}`,
  enabled: false,
};
const HIDDEN = '[hidden]';

let service: BorrowedService;
let backdoor: Backdoor;
let receiver: Receiver;
let api: ApiClient;
/** A key that may only read. */
let read: ApiClient;

beforeAll(async () => {
  receiver = await startReceiver();
  service = await borrowService();
  backdoor = await openBackdoor(service);
  const tenant = await backdoor.addTenant();
  api = tenant.api;
  read = await tenant.addReader();
});
afterAll(async () => {
  await backdoor?.close();
  await receiver?.close();
});

describe('a monitor', () => {
  const create = async () => (await api('POST', '/monitors', SHOP)).body.id as string;

  it('shows a read key no body, and no header values except those on a short list', async () => {
    const id = await create();
    for (const [path, pick] of [
      [`/monitors/${id}`, (body: unknown) => body],
      ['/monitors', (body: unknown) => (body as { id: string }[]).find((each) => each.id === id)],
    ] as const) {
      const { body } = await read('GET', path);
      expect(pick(body)).toMatchObject({
        headers: { Authorization: HIDDEN, Accept: 'text/plain', 'X-Key': HIDDEN },
        body: HIDDEN,
      });
      expect(JSON.stringify(body)).not.toContain(TOKEN);
      expect(pick((await api('GET', path)).body)).toMatchObject({ headers: SHOP.headers, body: SHOP.body });
    }
    const plain = (await api('POST', '/monitors', { name: 'Plain', url: SHOP.url, enabled: false })).body;
    expect((await read('GET', `/monitors/${plain.id}`)).body).toMatchObject({ headers: {}, body: null });
  });

  it('hides how requests are authenticated from a read key, and keeps it', async () => {
    const password = 'pa55word-of-ann';
    const authentication = { method: 'basic', username: 'ann', password };
    const sent = { name: 'Shop', url: SHOP.url, enabled: false, authentication };
    const { id } = (await api('POST', '/monitors', sent)).body;
    const { body: masked } = await read('GET', `/monitors/${id}`);
    expect(masked.authentication).toEqual({ ...authentication, password: HIDDEN });
    const kept = await api('PUT', `/monitors/${id}`, { ...masked, name: 'Again' });
    expect(kept).toMatchObject({ status: 200, body: { name: 'Again', authentication } });
    const moved = await api('PUT', `/monitors/${id}`, {
      authentication: masked.authentication,
      url: 'https://evil.test/',
    });
    expect(moved).toMatchObject({
      status: 400,
      body: { error: { details: [{ path: 'authentication.password' }] } },
    });
    const { body: audit } = await api('GET', '/audit');
    expect(JSON.stringify(audit)).not.toContain(password);
  });

  it('can be read, changed and sent back by a write key, and keeps values that a read key sees as hidden', async () => {
    const id = await create();
    const { body: whole } = await api('GET', `/monitors/${id}`);
    const renamed = await api('PUT', `/monitors/${id}`, { ...whole, name: 'Renamed' });
    expect(renamed).toMatchObject({ status: 200, body: { name: 'Renamed', headers: SHOP.headers } });

    const { body: masked } = await read('GET', `/monitors/${id}`);
    const kept = await api('PUT', `/monitors/${id}`, { ...masked, name: 'Again' });
    expect(kept).toMatchObject({
      status: 200,
      body: { name: 'Again', headers: SHOP.headers, body: SHOP.body },
    });
    expect(await read('PUT', `/monitors/${id}`, masked)).toMatchObject({ status: 403 });
  });

  it('rejects a hidden value without a stored one, or for another target', async () => {
    const id = await create();
    const codes = async (method: string, path: string, body: object) => {
      const response = await api(method, path, body);
      const details: { path: string; code: string }[] = response.body.error?.details ?? [];
      return [response.status, ...details.map((detail) => `${detail.path} ${detail.code}`)];
    };
    const masked = { headers: { Authorization: HIDDEN }, body: HIDDEN };
    expect(await codes('PUT', `/monitors/${id}`, { headers: { 'X-New': HIDDEN } })).toEqual([
      400,
      'headers.X-New nothing_stored',
    ]);
    expect(await codes('PUT', `/monitors/${id}`, { ...masked, url: 'http://127.0.0.1:10/health' })).toEqual([
      400,
      'headers.Authorization origin_changed',
      'body origin_changed',
    ]);
    const invalid = [400, 'headers.Authorization invalid', 'body invalid'];
    expect(await codes('POST', '/monitors', { ...SHOP, ...masked })).toEqual(invalid);
    expect(await codes('POST', '/monitors/test', { ...SHOP, ...masked })).toEqual(invalid);
    expect((await api('GET', `/monitors/${id}`)).body).toMatchObject({
      headers: SHOP.headers,
      url: SHOP.url,
    });
  });
});

describe('a webhook endpoint', () => {
  const url = () => `${receiver.url}/services/${TOKEN}?key=${TOKEN}`;
  const shown = () => `${new URL(receiver.url).origin}/${HIDDEN}`;
  const create = async () => (await api('POST', '/webhooks', { url: url() })).body.id as string;

  it('shows a read key its URL up to the host', async () => {
    const id = await create();
    expect((await read('GET', `/webhooks/${id}`)).body.url).toBe(shown());
    expect(JSON.stringify((await read('GET', '/webhooks')).body)).not.toContain(TOKEN);
    expect((await read('GET', `/webhooks?q=${TOKEN}`)).body).toEqual([]);
    expect((await api('GET', `/webhooks/${id}`)).body.url).toBe(url());
  });

  it('keeps its URL for exactly the text that a read key sees', async () => {
    const id = await create();
    const put = async (changed: string) => (await api('PUT', `/webhooks/${id}`, { url: changed })).status;
    const { body: masked } = await read('GET', `/webhooks/${id}`);
    const kept = await api('PUT', `/webhooks/${id}`, { ...masked, description: 'Chat' });
    expect(kept).toMatchObject({ status: 200, body: { description: 'Chat', url: url() } });
    expect(await put(`${shown()}/more`)).toBe(400);
    expect(await put(`https://evil.test/${HIDDEN}`)).toBe(400);
    expect(await put(`${receiver.url}/services/${HIDDEN}`)).toBe(400);
    expect((await api('POST', '/webhooks', { url: shown() })).status).toBe(400);
    expect((await api('GET', `/webhooks/${id}`)).body.url).toBe(url());
  });

  it('hides its URL and signatures in deliveries from a read key, even if the receiver repeats them', async () => {
    receiver.respondWith(404, `Cannot POST ${new URL(url()).pathname}: ${TOKEN} is not known`);
    const id = await create();
    const { body: sent } = await api('POST', `/webhooks/${id}/test`);
    const path = `/deliveries/${sent.id}`;
    await expect.poll(async () => (await api('GET', path)).body.status).toBe('failed');

    const { body: whole } = await api('GET', path);
    expect(whole.payload.webhook.url).toBe(url());
    expect(whole.tries[0].request.url).toBe(url());
    const { body: masked } = await read('GET', path);
    expect(JSON.stringify(masked)).not.toContain(TOKEN);
    expect(masked.payload.webhook.url).toBe(shown());
    expect(masked.payloadText).toBe(JSON.stringify(masked.payload));
    const [{ request, response }] = masked.tries;
    expect(request).toMatchObject({ url: shown(), body: masked.payloadText });
    expect(request.headers['X-Service-Signature']).toBe(HIDDEN);
    expect(request.headers['Content-Type']).toBe('application/json');
    expect(response.body).toBe(`Cannot POST ${HIDDEN}: ${HIDDEN} is not known`);
    expect(JSON.stringify((await read('GET', `/webhooks/${id}/deliveries`)).body)).not.toContain(TOKEN);
  });
});

describe('addresses of subscribers', () => {
  it('are in the list for a write key, and neither it nor the export is for a read key', async () => {
    const slug = 'with-subscribers';
    await api('POST', '/status-pages', { name: 'Acme', slug, monitors: [], published: true });
    const { id: pageId } = await backdoor.db.statusPage.findUniqueOrThrow({ where: { slug } });
    const [email, at] = ['reader@example.com', new Date()];
    const fixed = { id: 'sub_1', language: 'en', tokenHash: new Uint8Array(32) };
    await backdoor.db.pageSubscriber.create({
      data: { ...fixed, pageId, email, requestedAt: at, createdAt: at },
    });
    const path = `/status-pages/${slug}/subscribers`;
    expect(JSON.stringify((await api('GET', path)).body)).toContain(email);
    for (const refused of [await read('GET', path), await read('GET', `${path}/export`)])
      expect(refused).toMatchObject({ status: 403, body: { error: { code: 'FORBIDDEN' } } });
  });
});
