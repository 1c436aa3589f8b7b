import { expect, it } from 'vitest';
import { borrowTenant } from '@/app/api/testing/borrow-tenant';
import { openServices } from '@/e2e/support/service-access';
import { acknowledgeUrl } from '@/lib/domain/incidents/acknowledge/acknowledge-link';
import { addAcknowledgeLink, hiddenAcknowledgeUrl } from '@/lib/notify/acknowledge-link';

const setting = borrowTenant();

/** An open incident, the link in the owner's alert, and who has acknowledged it. */
async function openIncident() {
  const { service, backdoor, tenant } = setting;
  const { organizationId, api } = tenant;
  const { body: incident } = await api('POST', '/incidents', { title: 'Shop is slow' });
  const { userId } = await backdoor.db.membership.findFirstOrThrow({ where: { organizationId } });
  const { services, close } = await openServices(service.dataDir);
  const now = new Date();
  const link = acknowledgeUrl(services.keyring, service.url, { incidentIds: [incident.id], userId, now });
  await close();
  const readBy = async () => (await api('GET', `/incidents/${incident.id}`)).body.acknowledgedBy;
  return { link, readBy };
}

/** An open incident, the link in the message about it, and who has acknowledged it. */
async function openInChat() {
  const { service, backdoor, tenant } = setting;
  const { api } = tenant;
  const events = ['incident.created'];
  const endpoint = { url: 'https://hooks.example.com/x', format: 'slack', description: '#ops', events };
  const { body: webhook } = await api('POST', '/webhooks', endpoint);
  const { body: incident } = await api('POST', '/incidents', { title: 'Shop is slow' });
  const { id } = await backdoor.db.delivery.findFirstOrThrow({ where: { endpointId: webhook.id } });
  const { services, close } = await openServices(service.dataDir);
  const stored = hiddenAcknowledgeUrl(service.url, id) ?? '';
  const { body: link } = addAcknowledgeLink(services.keyring, { id, occurredAt: new Date() }, stored);
  await close();
  const readBy = async () => (await api('GET', `/incidents/${incident.id}`)).body.acknowledgedBy;
  return { link, readBy };
}

it('a visit shows a button and changes nothing; the button acknowledges, without a session or scripts', async () => {
  const { link, readBy } = await openIncident();
  for (const method of ['HEAD', 'GET']) await fetch(link, { method });
  const page = await fetch(link);
  const html = await page.text();
  expect(html).toContain('Acknowledge this incident?');
  expect(html).toContain('Shop is slow');
  expect(page.headers.get('cache-control')).toContain('no-store');
  expect(await readBy()).toBeNull();

  const pressed = await press(link, html);
  expect(await pressed.text()).toContain('Acknowledged by');
  expect(await readBy()).toMatch(/@example.com$/);
});

it('neither does a visit of the link in a message; its button acknowledges once, without a session or scripts', async () => {
  const { link, readBy } = await openInChat();
  for (const method of ['HEAD', 'GET']) await fetch(link, { method });
  // A POST that is not of the form does nothing either.
  await fetch(link, { method: 'POST', body: new FormData() });
  const html = await (await fetch(link)).text();
  expect(html).toContain('someone in Slack (#ops)');
  expect(await readBy()).toBeNull();

  const pressed = await press(link, html);
  expect(await pressed.text()).toContain('Acknowledged by someone in Slack (#ops)');
  expect(await readBy()).toBe('someone in Slack (#ops)');
  expect(await (await press(link, html)).text()).toContain('already used');
  expect(await (await fetch(link)).text()).not.toContain('<form');
});

/** Presses the button of a page as a browser without scripts does. */
function press(link: string, html: string): Promise<Response> {
  const inputs = [...html.matchAll(/<input type="hidden" name="([^"]+)"(?: value="([^"]*)")?\/>/g)];
  const form = new FormData();
  for (const [, name = '', value = ''] of inputs) form.set(name, value.replaceAll('&quot;', '"'));
  const { origin } = new URL(link);
  return fetch(link, { method: 'POST', body: form, headers: { origin } });
}

it('a changed link shows nothing of the incident', async () => {
  const { link } = await openIncident();
  for (const url of [`${link}0`, link.replace(/\?.*/, ''), link.replace('token=', 'token=0')]) {
    const html = await (await fetch(url)).text();
    expect(html).toContain('This link is not valid');
    expect(html).not.toContain('Shop is slow');
  }
});
