import { beforeAll, expect, it } from 'vitest';
import { borrowTenant } from '@/app/api/testing/borrow-tenant';
import type { SentMail } from '@/e2e/support/borrow-service';

const setting = borrowTenant();
let pageId: string;

beforeAll(async () => {
  const body = { name: 'Acme', slug: 'hook-acme', monitors: [], published: true };
  pageId = (await setting.tenant.api('POST', '/status-pages', body)).body.id;
});

/** Attempts are limited for each address. */
const visitor = { 'x-forwarded-for': '198.51.105.1' };
const at = (path: string, init: RequestInit = {}) =>
  fetch(`${setting.service.url}/status/${path}`, { headers: visitor, ...init });
const post = (path: string, fields: Record<string, string> = {}) =>
  at(path, { method: 'POST', body: new URLSearchParams(fields) });
const mailTo = (address: string, subject: RegExp) => setting.service.waitForMail(address, subject);

/** The path below /status/ of a link in an email. */
function linkIn({ text }: SentMail, step: string): string {
  const [, path = ''] = new RegExp(`${setting.service.url}/status/(\\S+/${step}\\?\\S+)`).exec(text) ?? [];
  expect(path).not.toBe('');
  return path;
}

it('a webhook is confirmed by its owner, and its secret is shown only then and when it is rotated', async () => {
  const email = 'hook-owner@example.com';
  const url = 'https://receiver.example/hook';
  for (const [channel, refused] of [
    ['webhook', 'http://127.0.0.1/'],
    ['webhook', 'http://[::1]/'],
    ['webhook', ''],
    ['slack', url],
  ] as const) {
    const response = await post('hook-acme/subscribe', { email, channel, url: refused });
    expect([response.status, await response.text()]).toEqual([400, expect.stringContaining('role="alert"')]);
  }
  await post('hook-acme/subscribe', { email, channel: 'webhook', url });
  const confirm = linkIn(await mailTo(email, /^Confirm/), 'confirm');
  expect(await (await at(confirm)).text()).toContain('receiver.example will be notified');
  const confirmed = await (await post(confirm)).text();
  const [secret] = /whsec_[^<]+/.exec(confirmed) ?? [];
  expect(secret).toBeDefined();
  expect(await (await post(confirm)).text()).not.toContain('whsec_');
  const manage = linkIn(await mailTo(email, /notifies/), 'unsubscribe');
  const shown = await (await at(manage)).text();
  expect(shown).toContain('Rotate signing secret');
  expect(shown).not.toContain('whsec_');
  const rotate = manage.replace('/unsubscribe?', '/subscription?');
  expect((await post(rotate.replace(/token=..../, 'token=0000'), { act: 'rotate' })).status).toBe(404);
  // The last request of this minute: nothing may refuse it after the rotation.
  const { db } = setting.backdoor;
  const counted = { where: { key: `api:visitor ${visitor['x-forwarded-for']}` } };
  await db.rateLimit.updateMany({ ...counted, data: { points: 299 } });
  const rotated = await (await post(rotate, { act: 'rotate' })).text();
  expect(rotated).toContain('whsec_');
  await db.rateLimit.deleteMany(counted);
  expect(/whsec_[^<]+/.exec(rotated)?.[0]).not.toBe(secret);
  const stopped = { stoppedAt: new Date(), failingSince: new Date(), failedDeliveries: 3 };
  await db.endpointSubscriber.updateMany({ where: { pageId }, data: stopped });
  expect(await (await at(manage)).text()).toContain('value="restart"');
  expect(await (await post(rotate, { act: 'restart' })).text()).not.toContain('value="restart"');
  const started = { stoppedAt: null, failingSince: null, failedDeliveries: 0 };
  expect(await db.endpointSubscriber.findFirst({ where: { pageId } })).toMatchObject(started);
  const listed = await setting.tenant.api('GET', '/status-pages/hook-acme/subscribers');
  expect(listed.body).toMatchObject([{ channel: 'webhook', host: 'receiver.example', email }]);
  expect(await (await post(manage)).text()).toContain('You are unsubscribed');
  expect(await db.endpointSubscriber.count({ where: { pageId } })).toBe(0);
});
