import { expect, it } from 'vitest';
import { borrowTenant } from '@/app/api/testing/borrow-tenant';
import { openServices } from '@/e2e/support/service-access';
import { memberUnsubscribeUrl } from '@/lib/domain/people/unsubscribe-link';

const setting = borrowTenant();

/** A new owner, the link in their alerts, and whether they receive them. */
async function addOwner(list: 'alerts' | 'digest' = 'alerts') {
  const { service, backdoor } = setting;
  const { organizationId } = await backdoor.addTenant();
  const { userId } = await backdoor.db.membership.findFirstOrThrow({ where: { organizationId } });
  const { services, close } = await openServices(service.dataDir);
  const link = memberUnsubscribeUrl(services.keyring, service.url, {
    organizationId,
    userId,
    list,
  });
  await close();
  const isOn = async () => {
    const membership = await backdoor.db.membership.findFirstOrThrow({ where: { organizationId } });
    return membership.alertMail;
  };
  return { organizationId, link, isOn };
}

const oneClick = (url: string) =>
  fetch(url, { method: 'POST', body: new URLSearchParams({ 'List-Unsubscribe': 'One-Click' }) });

it('a mail client turns alerts off with one click, without a session or a redirect', async () => {
  const { backdoor } = setting;
  const { organizationId, link, isOn } = await addOwner();
  const response = await oneClick(link);
  expect([response.status, response.redirected, await response.text()]).toEqual([
    200,
    false,
    'Alert emails are off.\n',
  ]);
  expect(response.headers.get('cache-control')).toBe('no-store');
  expect(await isOn()).toBe(false);
  const entry = await backdoor.db.auditEntry.findFirstOrThrow({
    where: { organizationId, action: 'member.change-email' },
  });
  expect(entry).toMatchObject({ before: { alertMail: true }, after: { alertMail: false } });
});

it('a visit shows a button and changes nothing; the button turns alerts off', async () => {
  const { link, isOn } = await addOwner();
  for (const method of ['HEAD', 'GET']) await fetch(link, { method });
  const page = await fetch(link);
  const html = await page.text();
  expect(html).toContain('Turn off alert emails?');
  expect(await isOn()).toBe(true);

  // As a browser without scripts submits it.
  const inputs = [...html.matchAll(/<input type="hidden" name="([^"]+)"(?: value="([^"]*)")?\/>/g)];
  const form = new FormData();
  for (const [, name = '', value = ''] of inputs) form.set(name, value.replaceAll('&quot;', '"'));
  const pressed = await fetch(page.url, {
    method: 'POST',
    body: form,
    headers: { origin: setting.service.url },
  });
  expect(await pressed.text()).toContain('Alert emails are off');
  expect(await isOn()).toBe(false);
});

it('the link in an alert to an address without an account stops it with one click', async () => {
  const { service, backdoor } = setting;
  const { organizationId } = await backdoor.addTenant();
  const now = new Date();
  const id = `eml_${organizationId}`;
  const recipient = { id, organizationId, email: 'oncall@agency.example', description: '', rules: [] };
  const at = { confirmedAt: now, createdAt: now, updatedAt: now };
  await backdoor.db.emailRecipient.create({ data: { ...recipient, enabled: true, ...at } });
  const { services, close } = await openServices(service.dataDir);
  const own = { organizationId, userId: id, list: 'alerts' as const };
  const link = memberUnsubscribeUrl(services.keyring, service.url, own);
  await close();
  const isOn = async () =>
    (await backdoor.db.emailRecipient.findUniqueOrThrow({ where: { id } })).unsubscribedAt === null;
  expect(await (await fetch(link)).text()).toContain('Stop these alerts?');
  expect(await isOn()).toBe(true);
  expect((await oneClick(link)).status).toBe(200);
  expect(await isOn()).toBe(false);
  expect(await (await fetch(link)).text()).toContain('no longer sends alerts to this address');
});

it('a changed link turns nothing off', async () => {
  const [mine, other] = [await addOwner(), await addOwner()];
  const forged = new URL(mine.link);
  forged.searchParams.set('token', new URL(other.link).searchParams.get('token') ?? '');
  const { url } = setting.service;
  for (const address of [forged.href, `${url}/unsubscribe`, `${url}/unsubscribe?token=x`]) {
    expect((await oneClick(address)).status).toBe(404);
    expect(await (await fetch(address)).text()).toContain('This link is not valid');
  }
  expect(await mine.isOn()).toBe(true);
});

it('the link of a digest turns off the digest only', async () => {
  const { backdoor } = setting;
  const { organizationId, link, isOn } = await addOwner('digest');
  const { userId } = await backdoor.db.membership.findFirstOrThrow({ where: { organizationId } });
  const nextAt = new Date('2100-01-04T08:00:00.000Z');
  await backdoor.db.digestMail.create({ data: { organizationId, userId, timeZone: 'UTC', nextAt } });
  expect(await (await fetch(link)).text()).toContain('Turn off the weekly digest?');
  expect(await (await oneClick(link)).text()).toBe('The weekly digest is off.\n');
  expect(await backdoor.db.digestMail.findMany({ where: { organizationId } })).toMatchObject([
    { nextAt: null },
  ]);
  expect(await isOn()).toBe(true);
  expect(await (await fetch(link)).text()).toContain('The weekly digest is off');
});
