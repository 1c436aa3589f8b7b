import type { OwnOrganization } from './support/own-organization';
import { expectAccessible, expectToFit } from './support/page-checks';
import { expect, test } from './support/shared-service';

const REGIONS = ['us-east', 'eu-west', 'ap-southeast'];

async function addMonitor({ api }: OwnOrganization): Promise<string> {
  const shop = { name: 'Shop', url: 'http://127.0.0.1:9/', enabled: false, regions: REGIONS };
  return (await api('POST', '/monitors', shop)).body.id;
}

test('this machine is one place, in the form and on the page', async ({ page, service, organization }) => {
  await organization.signIn(page.context());
  const id = await addMonitor(organization);
  const main = page.getByRole('main');
  await page.goto(`${service.url}/monitors/${id}`);
  await expect(main.getByText(/^Every .* from this machine$/)).toBeVisible();
  await page.goto(`${service.url}/monitors/${id}/edit`);
  await expect(main.getByText(/^Checked from this machine, with 3 checks each time/)).toBeVisible();
  await expectAccessible(page);
  await page.setViewportSize({ width: 390, height: 844 });
  await expectToFit(page);
});

test('a monitor is created with an own region, which the form and the pages show by its name', async ({
  page,
  service,
  organization,
}) => {
  await organization.signIn(page.context());
  const office = { name: 'Hamburg office', place: 'hamburg' };
  const { id: region } = (await organization.api('POST', '/regions', office)).body;
  const main = page.getByRole('main');
  await page.goto(`${service.url}/monitors/new`);
  await expect(main.getByText('Hamburg, Germany. Probed by no worker yet.')).toBeVisible();
  await expectAccessible(page);
  await page.setViewportSize({ width: 390, height: 844 });
  await expectToFit(page);
  await page.setViewportSize({ width: 1280, height: 900 });
  await main.getByLabel('Name', { exact: true }).fill('Intranet');
  await main.getByLabel('URL').fill('http://127.0.0.1:9/');
  await main.getByRole('checkbox', { name: 'Hamburg office' }).check();
  await main.getByRole('checkbox', { name: /This machine/ }).uncheck();
  await main.getByRole('button', { name: 'Create monitor' }).click();
  await expect(page.getByRole('heading', { name: 'Intranet' })).toBeVisible();
  await expect(main.getByText(/from Hamburg office · no worker yet/)).toBeVisible();
  await expect(main.getByText(region)).toBeHidden();
  const [monitor] = (await organization.api('GET', '/monitors')).body;
  expect(monitor.regions).toEqual([region]);
  await page.goto(`${service.url}/monitors`);
  await expect(main.getByText('Hamburg office').first()).toBeVisible();
});
