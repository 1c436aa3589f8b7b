import { createServer } from 'node:http';
import { listenLocally } from '@/lib/testing/http-listener';
import { checkNow } from '../support/check-now';
import { expect, test } from '../support/shared-service';

test('the tab shows how many monitors are down, on every page, until they are up', async ({
  page,
  service,
  organization,
}) => {
  let statusCode = 503;
  const target = await listenLocally(createServer((_, response) => response.writeHead(statusCode).end()));
  await organization.signIn(page.context());
  const { api } = organization;
  const fields = { name: 'Shop', url: target.url, interval: 300, alertThreshold: 1 };
  const { id } = (await api('POST', '/monitors', fields)).body;
  const icon = page.locator('link[rel="icon"]').first();

  await page.goto(`${service.url}/settings/members`);
  await expect.poll(async () => (await api('GET', `/monitors/${id}`)).body.status).toBe('down');
  await expect(page).toHaveTitle(/^\(1 down\) Members · /);
  await expect(icon).toHaveAttribute('href', '/icon-down.svg');

  await page.getByRole('link', { name: 'Incidents' }).click();
  await expect(page).toHaveTitle(/^\(1 down\) Incidents · /);
  await expect(icon).toHaveAttribute('href', '/icon-down.svg');

  statusCode = 200;
  await checkNow(service.access.services);
  await expect(page).toHaveTitle(/^Incidents · /);
  await expect(icon).toHaveAttribute('href', /\/icon\.svg/);
  await target.close();
});
