import { createServer } from 'node:http';
import { patience } from '@/bin/testing/patience.mjs';
import { listenLocally } from '@/lib/testing/http-listener';
import { startTarget, type Target } from '@/lib/testing/target';
import type { OwnOrganization } from './support/own-organization';
import { expectToFit, seeAll, watchFaults } from './support/page-checks';
import { expect, test } from './support/shared-service';
import { expectAccessibleIfThorough, THOROUGH } from './support/thorough';

let target: Target;

test.beforeAll(async () => {
  target = await startTarget();
});
test.afterAll(() => target?.close());

const REGIONS = ['us-east', 'eu-west', 'ap-southeast'];

async function addMonitor({ api }: OwnOrganization, fields: object = {}): Promise<string> {
  const shop = { name: 'Shop', url: target.url, interval: 300, regions: REGIONS, ...fields };
  return (await api('POST', '/monitors', shop)).body.id;
}

test('Check now shows the result of each region, lists them as manual, and changes no status', async ({
  page,
  service,
  organization,
}) => {
  const faults = watchFaults(page, { origin: service.url });
  await organization.signIn(page.context());
  const id = await addMonitor(organization);
  const isChecked = async () => (await organization.api('GET', `/monitors/${id}`)).body.status;
  await expect.poll(isChecked).toBe('operational');
  await page.goto(`${service.url}/monitors/${id}`);
  const main = page.getByRole('main');
  await expect(main.getByText('Operational', { exact: true })).toBeVisible();

  target.respondWith(503);
  await main.getByRole('button', { name: 'Check now' }).click();
  const panel = page.getByRole('dialog', { name: 'Check now' });
  await expect(
    panel.getByRole('listitem').filter({ hasText: 'Responded with 503, expected 200.' }),
  ).toHaveCount(3);
  for (const number of [1, 2, 3]) {
    await expect(panel.getByText(`This machine (${number} of 3)`, { exact: true })).toBeVisible();
  }
  await expectAccessibleIfThorough(page);
  await page.keyboard.press('Escape');
  await expect(panel).toBeHidden();
  await expect(main.getByRole('button', { name: 'Check now' })).toBeFocused();
  target.respondWith(200);

  await seeAll(page);
  await expect(main.getByText('manual', { exact: true })).toHaveCount(3);
  await expect(main.getByText('Operational', { exact: true })).toBeVisible();
  expect((await organization.api('GET', `/monitors/${id}`)).body).toMatchObject({
    status: 'operational',
    uptimePercentage: 100,
  });

  await test.step('again within 10 seconds, by its key on a narrow screen: it shows how long to wait', async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    const refused = panel.getByText(/^This monitor was just checked\. Retry in \d+s\.$/);
    // On a slow machine the ten seconds are over: then the first of two is not refused.
    await expect(async () => {
      await page.keyboard.press('Escape');
      await expect(panel).toBeHidden();
      await page.keyboard.press('c');
      await expect(refused).toBeVisible({ timeout: patience(4000) });
    }).toPass();
    await expectToFit(page);
  });
  expect(faults, 'only of the refused check').toEqual([
    expect.stringMatching(/^429 .*\/check$/),
    expect.stringContaining('429'),
  ]);
});

test(
  'Check now shows regions as they report, and that a paused monitor must be resumed first',
  THOROUGH,
  async ({ page, service, organization }) => {
    const silent = await listenLocally(createServer(() => {}));
    await organization.signIn(page.context());
    const slow = await addMonitor(organization, {
      url: silent.url,
      timeout: 4,
      regions: ['us-east', 'eu-west'],
    });
    await page.goto(`${service.url}/monitors/${slow}`);
    await page.getByRole('button', { name: 'Check now' }).click();
    const panel = page.getByRole('dialog', { name: 'Check now' });
    await expect(panel.getByText('Checking from this machine…').first()).toBeVisible();
    await expect(panel.getByText('Failed')).toHaveCount(2);
    await silent.close();

    const paused = await addMonitor(organization, { enabled: false });
    await page.goto(`${service.url}/monitors/${paused}`);
    await page.getByRole('button', { name: 'Check now' }).click();
    await expect(panel.getByText('This monitor is paused. Resume it to check it.')).toBeVisible();
  },
);
