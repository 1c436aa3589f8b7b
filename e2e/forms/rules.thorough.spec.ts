import { expectAccessible, expectToFit, watchFaults } from '../support/page-checks';
import { expect, test } from '../support/shared-service';

test.use({ plan: 'free', viewport: { width: 390, height: 900 } });

test('rules of an endpoint are edited, and a preview says who is notified', async ({
  page,
  service,
  organization,
}) => {
  const faults = watchFaults(page, { origin: service.url });
  await organization.signIn(page.context());

  const monitors = ['Shop', 'Blog'].map((name) => ({
    name,
    url: 'http://shop.test/',
    enabled: false,
    tags: [name.toLowerCase()],
  }));
  for (const monitor of monitors) await organization.api('POST', '/monitors', monitor);

  await page.goto(`${service.url}/notifications/new/standard`);
  await page.getByLabel('URL').fill('http://receiver.test/');
  await page.getByLabel('Description').fill('Night shift');
  await page.getByText('Events and rules').click();
  await expect(page.getByText('Matches 2 of 2 monitors.')).toBeVisible();
  await page.getByRole('button', { name: 'Add rule' }).click();
  await page.getByRole('button', { name: 'Save channel' }).click();
  await expect(page.getByText('must have a condition')).toBeVisible();
  await page.getByLabel('Tags').fill('shop, db');
  await expect(page.getByText('Matches 1 of 2 monitors.')).toBeVisible();
  await page.getByText('Only at certain times').click();
  await page.getByLabel('From').fill('20:00');
  await page.getByLabel('To', { exact: true }).fill('06:00');
  await page.getByLabel('Time zone').selectOption('UTC');
  await expect(page.getByText('Ends on the next day.')).toBeVisible();
  await expectAccessible(page);
  await expectToFit(page);
  await page.getByRole('button', { name: 'Save channel' }).click();
  await page.getByRole('link', { name: 'Go to the channel' }).click();

  await page.goto(`${service.url}/notifications`);
  const preview = page.getByRole('region', { name: 'Preview' });
  const listener = preview.getByRole('listitem').filter({ hasText: 'Night shift' });
  await page.getByLabel('Monitor').selectOption('Shop');
  await page.getByLabel('Time', { exact: true }).fill('2027-01-31T23:00');
  await expect(listener).toContainText('Rule 1: tags shop or db · daily 20:00–06:00 (UTC)');
  await page.getByLabel('Monitor').selectOption('Blog');
  await expect(listener).toContainText('No rule matches');
  await expectAccessible(page);
  await expectToFit(page);
  expect(faults).toEqual([]);
});
