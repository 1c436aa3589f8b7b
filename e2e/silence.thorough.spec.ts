import { expectAccessible, watchFaults } from './support/page-checks';
import { expect, test } from './support/shared-service';
import { addSilentMonitor } from './support/silent-monitor';

test('a monitor without data is marked in the list, on its page, and on the status page', async ({
  page,
  service,
  organization,
}) => {
  const faults = watchFaults(page, { origin: service.url });
  await organization.signIn(page.context());
  const id = await addSilentMonitor(organization, 'Shop');
  const { api } = organization;
  const slug = `silent-${id.slice(-8)}`;
  await api('POST', '/status-pages', { name: 'Acme', slug, monitors: [id], published: true });
  const main = page.getByRole('main');

  await test.step('its row shows since when, and it can be filtered', async () => {
    await page.goto(`${service.url}/monitors`);
    await expect(main.getByRole('row', { name: /Shop/ })).toContainText(/No data\s*since .*\d\d:\d\d/);
    await expect(main.getByText('1 monitor · 1 without data')).toBeVisible();
    await page.goto(`${service.url}/monitors?status=operational`);
    await expect(main.getByRole('row', { name: /Shop/ })).toHaveCount(0);
    await expectAccessible(page);
  });

  await test.step('its page names the regions and the last known status', async () => {
    await page.goto(`${service.url}/monitors/${id}`);
    await expect(main.getByText(/^No data since .*\d\d:\d\d.*\.$/)).toBeVisible();
    await expect(
      main.getByText(/Results from this machine are overdue\. The last known status is operational\./),
    ).toBeVisible();
    await expectAccessible(page);
  });

  await test.step('the status page does not present the last known status as current', async () => {
    await page.goto(`${service.url}/status/${slug}`);
    await expect(page.getByRole('heading', { name: 'Current status unknown' })).toBeVisible();
    await expect(page.getByRole('listitem').filter({ hasText: 'Shop' })).toContainText('No data since');
    await expect(page.getByText('All systems operational')).toHaveCount(0);
    await expectAccessible(page);
  });
  expect(faults).toEqual([]);
});
