import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ApiClient } from '@/e2e/support/api-client';
import { type BorrowedService, borrowService } from '@/e2e/support/borrow-service';
import { type Receiver, startReceiver } from '@/lib/testing/receiver';
import { type Backdoor, openBackdoor } from './testing/tenants';

let service: BorrowedService;
let backdoor: Backdoor;
let receiver: Receiver;
let api: ApiClient;
let foreign: ApiClient;

beforeAll(async () => {
  receiver = await startReceiver();
  service = await borrowService();
  backdoor = await openBackdoor(service);
  const tenant = await backdoor.addTenant();
  api = tenant.api;
  foreign = (await backdoor.addTenant()).api;
});
afterAll(async () => {
  await backdoor?.close();
  await receiver?.close();
});

/** Reads a delivery until its attempts have finished. */
async function settled(id: string) {
  return expect
    .poll(async () => (await api('GET', `/deliveries/${id}`)).body)
    .toMatchObject({ status: expect.stringMatching(/delivered|failed/), manualAttemptAt: null });
}

describe('a webhook endpoint, over the API', () => {
  it('is tested by the worker, replayed, and its log shows both', async () => {
    const { body: endpoint } = await api('POST', '/webhooks', { url: `${receiver.url}/test` });
    const test = await api('POST', `/webhooks/${endpoint.id}/test`);
    expect(test).toMatchObject({ status: 202, body: { event: 'webhook.test', status: 'pending' } });
    const { id } = test.body;
    await settled(id);
    const replay = await api('POST', `/deliveries/${id}/replay`);
    expect(replay).toMatchObject({ status: 202, body: { id, manualAttemptAt: expect.any(String) } });
    await settled(id);
    const sent = receiver.requests.filter(({ path }) => path === '/test');
    expect(sent.map(({ body }) => body)).toEqual([test.body.payloadText, test.body.payloadText]);
    const { body: log } = await api('GET', `/webhooks/${endpoint.id}/deliveries?status=delivered`);
    expect(log).toMatchObject([{ id, attempts: 2, lastStatusCode: 200 }]);
    expect((await api('GET', `/deliveries?webhook=${endpoint.id}&event=webhook.test`)).body).toEqual(log);
    expect((await api('GET', '/deliveries?event=nope')).status).toBe(400);
    expect((await api('GET', `/webhooks/${endpoint.id}/deliveries?webhook=x`)).status).toBe(400);
  });

  it('has a format for later events', async () => {
    const url = `${receiver.url}/chat`;
    expect((await api('POST', '/webhooks', { url })).body.format).toBe('standard');
    const wrong = await api('POST', '/webhooks', { url, format: 'irc' });
    expect(wrong).toMatchObject({ status: 400, body: { error: { details: [{ path: 'format' }] } } });
    const { body: endpoint } = await api('POST', '/webhooks', { url, format: 'slack' });
    expect(endpoint).toMatchObject({ format: 'slack', secret: expect.stringMatching(/^whsec_/) });
    const changed = await api('PUT', `/webhooks/${endpoint.id}`, { format: 'discord' });
    expect(changed).toMatchObject({ status: 200, body: { format: 'discord' } });
    expect((await api('GET', `/webhooks/${endpoint.id}`)).body.format).toBe('discord');
    const reset = await api('PUT', `/webhooks/${endpoint.id}`, { format: 'alertmanager', events: null });
    expect(reset.body.events).toEqual(['monitor.down', 'monitor.up', 'monitor.degraded']);
    await api('PUT', `/webhooks/${endpoint.id}`, { format: 'discord' });

    const { body: test } = await api('POST', `/webhooks/${endpoint.id}/test`);
    await settled(test.id);
    // The response names the message, which later events edit.
    const { body, headers } = await receiver.waitFor(({ path }) => path === '/chat?wait=true');
    expect(JSON.parse(body)).toMatchObject({ embeds: [{}], allowed_mentions: { parse: [] } });
    expect(headers['x-service-signature']).toMatch(/^sha256=/);
    const { body: detail } = await api('GET', `/deliveries/${test.id}`);
    expect(detail.tries).toMatchObject([
      { request: { url: `${url}?wait=true`, body }, response: { status: 200, body: '' } },
    ]);
  });

  it('has credentials that are never returned, and are part of what is sent', async () => {
    const url = `${receiver.url}/pager`;
    const routingKey = 'a-routing-key';
    const wrong = await api('POST', '/webhooks', { url, format: 'pagerduty' });
    expect(wrong).toMatchObject({
      status: 400,
      body: { error: { details: [{ path: 'credentials.routingKey' }] } },
    });
    const { body: endpoint } = await api('POST', '/webhooks', {
      url,
      format: 'pagerduty',
      credentials: { routingKey },
    });
    expect(endpoint.credentials).toEqual({ routingKey: '[hidden]' });
    const fetched = await api('GET', `/webhooks/${endpoint.id}`);
    expect(await api('PUT', `/webhooks/${endpoint.id}`, fetched.body)).toMatchObject({
      status: 200,
      body: { ...fetched.body, updatedAt: expect.any(String) },
    });

    const { body: test } = await api('POST', `/webhooks/${endpoint.id}/test`);
    await settled(test.id);
    const { body } = await receiver.waitFor(({ path }) => path === '/pager');
    expect(JSON.parse(body)).toMatchObject({ routing_key: routingKey, event_action: 'trigger' });
    const { body: detail } = await api('GET', `/deliveries/${test.id}`);
    expect(detail).toMatchObject({ status: 'delivered', payload: { event_action: 'trigger' } });
    expect(JSON.stringify(detail)).not.toContain(routingKey);
  });

  it('rotates its secret without a body, and shows the new one once', async () => {
    const { body: made } = await api('POST', '/webhooks', { url: `${receiver.url}/rotated` });
    const rotated = await api('POST', `/webhooks/${made.id}/rotate-secret`);
    expect(rotated).toMatchObject({ status: 200, body: { rotationEndsAt: expect.any(String) } });
    expect(rotated.body.secret).not.toBe(made.secret);
    await api('POST', `/webhooks/${made.id}/test`);
    const { headers } = await receiver.waitFor(({ path }) => path === '/rotated');
    expect(headers['x-service-signature-next']).toMatch(/^sha256=/);
    const finished = await api('POST', `/webhooks/${made.id}/rotate-secret/finish`);
    expect(finished).toMatchObject({ status: 200, body: { rotationEndsAt: null } });
    expect(finished.body).not.toHaveProperty('secret');
    const leaked = await api('POST', `/webhooks/${made.id}/rotate-secret`, { immediate: true });
    expect(leaked.body).toMatchObject({ rotationEndsAt: null, secret: expect.stringMatching(/^whsec_/) });
  });

  it('recovers failures since a given time', async () => {
    const { body: endpoint } = await api('POST', '/webhooks', { url: `${receiver.url}/recovered` });
    const recover = (body: object) => api('POST', `/webhooks/${endpoint.id}/recover`, body);
    expect(await recover({ since: '2026-01-01T00:00:00Z' })).toMatchObject({
      status: 202,
      body: { queued: 0 },
    });
    expect((await recover({})).body.error.details[0].path).toBe('since');
    await api('PUT', `/webhooks/${endpoint.id}`, { enabled: false });
    expect((await recover({ since: '2026-01-01T00:00:00Z' })).status).toBe(409);
  });

  it("does not exist for another organization's key", async () => {
    const { body: endpoint } = await api('POST', '/webhooks', { url: `${receiver.url}/ours` });
    const { body: delivery } = await api('POST', `/webhooks/${endpoint.id}/test`);
    for (const [method, path, body] of [
      ['GET', `/webhooks/${endpoint.id}/deliveries`, undefined],
      ['POST', `/webhooks/${endpoint.id}/test`, undefined],
      ['POST', `/webhooks/${endpoint.id}/rotate-secret`, undefined],
      ['POST', `/webhooks/${endpoint.id}/rotate-secret/finish`, undefined],
      ['POST', `/webhooks/${endpoint.id}/recover`, { since: '2026-01-01T00:00:00Z' }],
      ['GET', `/deliveries/${delivery.id}`, undefined],
      ['POST', `/deliveries/${delivery.id}/replay`, undefined],
    ] as const) {
      const response = await foreign(method, path, body);
      expect([path, response.status, response.body.error.code]).toEqual([path, 404, 'NOT_FOUND']);
    }
  });
});
