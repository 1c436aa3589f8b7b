import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Backdoor, openBackdoor, type Tenant } from '@/app/api/testing/tenants';
import { type Service, startService } from '@/e2e/support/start-service';
import { findFreePort } from '@/lib/core/ports';
import { type MailServer, type ReceivedMail, startMailServer } from '@/lib/testing/mailbox';

let mail: MailServer;
let service: Service;
let backdoor: Backdoor;
let tenant: Tenant;

beforeAll(async () => {
  mail = await startMailServer();
  const port = String(await findFreePort());
  const own = { PORT: port, APP_URL: `http://127.0.0.1:${port}` };
  service = await startService({ env: { ...own, SMTP_URL: mail.url, MAIL_FROM: 'pharos@example.com' } });
  backdoor = await openBackdoor(service);
  tenant = await backdoor.addTenant();
  const body = { name: 'Acme', slug: 'acme', monitors: [], published: true };
  await tenant.api('POST', '/status-pages', body);
});
afterAll(async () => {
  await backdoor?.close();
  await service?.stop();
  await mail?.close();
});

const at = (path: string, init: RequestInit = {}) => fetch(`${service.url}/status/${path}`, init);
const post = (path: string, fields: Record<string, string> = {}) =>
  at(path, { method: 'POST', body: new URLSearchParams(fields) });
const mailTo = (address: string, subject: RegExp) =>
  mail.waitFor(({ to, parsed }) => to.includes(address) && subject.test(parsed.subject ?? ''));

/** The path below /status/ of a link in an email. */
function linkIn({ parsed }: ReceivedMail, step: string): string {
  const [, path = ''] =
    new RegExp(`${service.url}/status/(\\S+/${step}\\?\\S+)`).exec(parsed.text ?? '') ?? [];
  expect(path).not.toBe('');
  return path;
}

it('a webhook is confirmed by its owner, and its secret is shown only then and when it is rotated', async () => {
  const email = 'owner@example.com';
  const url = 'https://receiver.example/hook';
  for (const [channel, refused] of [
    ['webhook', 'http://127.0.0.1/'],
    ['webhook', 'http://[::1]/'],
    ['webhook', ''],
    ['slack', url],
  ] as const) {
    const response = await post('acme/subscribe', { email, channel, url: refused });
    expect([response.status, await response.text()]).toEqual([400, expect.stringContaining('role="alert"')]);
  }
  await post('acme/subscribe', { email, channel: 'webhook', url });
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
  await backdoor.db.rateLimit.updateMany({
    where: { key: { startsWith: 'api:visitor ' } },
    data: { points: 299 },
  });
  const rotated = await (await post(rotate, { act: 'rotate' })).text();
  expect(rotated).toContain('whsec_');
  await backdoor.db.rateLimit.deleteMany();
  expect(/whsec_[^<]+/.exec(rotated)?.[0]).not.toBe(secret);
  const stopped = { stoppedAt: new Date(), failingSince: new Date(), failedDeliveries: 3 };
  await backdoor.db.endpointSubscriber.updateMany({ data: stopped });
  expect(await (await at(manage)).text()).toContain('value="restart"');
  expect(await (await post(rotate, { act: 'restart' })).text()).not.toContain('value="restart"');
  const started = { stoppedAt: null, failingSince: null, failedDeliveries: 0 };
  expect(await backdoor.db.endpointSubscriber.findFirst()).toMatchObject(started);
  const listed = await tenant.api('GET', '/status-pages/acme/subscribers');
  expect(listed.body).toMatchObject([{ channel: 'webhook', host: 'receiver.example', email }]);
  expect(await (await post(manage)).text()).toContain('You are unsubscribed');
  expect(await backdoor.db.endpointSubscriber.count()).toBe(0);
});
