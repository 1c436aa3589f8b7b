import { expect, it } from 'vitest';
import { borrowTenant } from '@/app/api/testing/borrow-tenant';
import { openServices } from '@/e2e/support/service-access';
import { acknowledgeUrl } from '@/lib/domain/incidents/acknowledge/acknowledge-link';

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

it('a visit shows a button and changes nothing; the button acknowledges, without a session or scripts', async () => {
  const { link, readBy } = await openIncident();
  for (const method of ['HEAD', 'GET']) await fetch(link, { method });
  const page = await fetch(link);
  const html = await page.text();
  expect(html).toContain('Acknowledge this incident?');
  expect(html).toContain('Shop is slow');
  expect(page.headers.get('cache-control')).toContain('no-store');
  expect(await readBy()).toBeNull();

  // As a browser without scripts submits it.
  const inputs = [...html.matchAll(/<input type="hidden" name="([^"]+)"(?: value="([^"]*)")?\/>/g)];
  const form = new FormData();
  for (const [, name = '', value = ''] of inputs) form.set(name, value.replaceAll('&quot;', '"'));
  const { origin } = new URL(link);
  const pressed = await fetch(link, { method: 'POST', body: form, headers: { origin } });
  expect(await pressed.text()).toContain('Acknowledged by');
  expect(await readBy()).toMatch(/@example.com$/);
});

it('a changed link shows nothing of the incident', async () => {
  const { link } = await openIncident();
  for (const url of [`${link}0`, link.replace(/\?.*/, ''), link.replace('token=', 'token=0')]) {
    const html = await (await fetch(url)).text();
    expect(html).toContain('This link is not valid');
    expect(html).not.toContain('Shop is slow');
  }
});
