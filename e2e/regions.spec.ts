import type { OwnOrganization } from './support/own-organization';
import { expectAccessible, expectToFit } from './support/page-checks';
import { expect, test } from './support/shared-service';

const REGIONS = ['us-east', 'eu-west', 'ap-southeast'];

async function addMonitor({ api }: OwnOrganization): Promise<string> {
  const shop = { name: 'Shop', url: 'http://127.0.0.1:9/', enabled: false, regions: REGIONS };
  return (await api('POST', '/monitors', shop)).body.id;
}

test('regions that one machine probes are shown as one location, in the form and on the page', async ({
  page,
  service,
  organization,
}) => {
  await organization.signIn(page.context());
  const id = await addMonitor(organization);
  const main = page.getByRole('main');
  await page.goto(`${service.url}/monitors/${id}`);
  await expect(main.getByText('1 location, 3 labels · this machine')).toBeVisible();

  await page.goto(`${service.url}/monitors/${id}/edit`);
  await expect(main.getByText('Frankfurt, Germany. Probed by this machine.')).toBeVisible();
  const note = main.getByText(/These regions are probed from the same place and fail together/);
  await expect(note).toContainText('1 location, 3 labels.');
  await main.getByRole('checkbox', { name: /ap-southeast/ }).uncheck();
  await expect(note).toContainText('1 location, 2 labels.');
  await expectAccessible(page);
  await page.setViewportSize({ width: 390, height: 844 });
  await expectToFit(page);
  await main.getByRole('checkbox', { name: /eu-west/ }).uncheck();
  await expect(note).toBeHidden();
});
