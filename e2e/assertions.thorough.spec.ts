import { createServer } from 'node:http';
import type { Locator } from '@playwright/test';
import { listenLocally } from '@/lib/testing/http-listener';
import { expectAccessible, expectToFit, watchFaults } from './support/page-checks';
import { expect, test } from './support/shared-service';

test('assertions are edited, judged live by the last response, and rejected at their row', async ({
  page,
  service,
  organization,
}) => {
  const faults = watchFaults(page, { origin: service.url });
  const target = await listenLocally(
    createServer((_request, response) => response.end('{"queue":{"depth":73}}')),
  );
  await organization.signIn(page.context());
  await page.goto(`${service.url}/monitors/new`);
  await page.getByLabel('Name', { exact: true }).fill('Queue');
  await page.getByLabel('URL').fill(target.url);
  await page.getByText('Assertions', { exact: true }).first().click();

  await page.getByRole('button', { name: 'Add assertion' }).focus();
  await page.keyboard.press('Enter');
  const source = page.getByLabel('Source of assertion 1');
  await expect(source).toBeFocused();
  const before = await page.getByRole('button', { name: 'Add assertion' }).boundingBox();
  await source.selectOption('JSON path');
  await page.getByLabel('JSON path of assertion 1').fill('$.queue.depth');
  await page.getByLabel('Comparison of assertion 1').selectOption('is less than');
  await page.getByLabel('Target of assertion 1').fill('50');
  expect(await page.getByRole('button', { name: 'Add assertion' }).boundingBox()).toEqual(before);

  const middleOf = async (locator: Locator) => {
    const box = await locator.boundingBox();
    return box && Math.round(box.y + box.height / 2);
  };
  const remove = page.getByRole('button', { name: 'Remove assertion 1' });
  expect(await middleOf(remove), 'in one line').toBe(await middleOf(source));

  await page.getByRole('button', { name: 'Test now' }).click();
  const found = page.getByRole('status', { name: 'Test results' });
  await expect(found).toContainText('$.queue.depth is 73, expected less than 50.');
  const row = page.getByRole('listitem').filter({ has: source });
  await expect(row).toContainText('$.queue.depth is 73, expected less than 50.');
  await page.getByLabel('Target of assertion 1').fill('100');
  await expect(row.getByLabel('Passes')).toBeVisible();
  await page.getByLabel('Comparison of assertion 1').selectOption('matches');
  await page.getByLabel('Target of assertion 1').fill('(');
  await expect(row).toContainText('The target is not valid');

  await page.getByRole('button', { name: 'Create monitor' }).click();
  await expect(row.getByText(/^Target is not valid/)).toBeVisible();
  await expect(page.getByLabel('Target of assertion 1')).toBeFocused();
  await expectAccessible(page);
  await page.setViewportSize({ width: 390, height: 844 });
  await expectToFit(page);

  await page.getByLabel('Target of assertion 1').fill('^7');
  await page.getByRole('button', { name: 'Add assertion' }).click();
  await page.getByRole('button', { name: 'Remove assertion 2' }).click();
  await page.getByRole('button', { name: 'Create monitor' }).click();
  await expect(page.getByRole('heading', { name: 'Queue' })).toBeVisible();
  const [created] = (await organization.api('GET', '/monitors')).body;
  expect(created.assertions).toEqual([
    { source: 'json', property: '$.queue.depth', comparison: 'matches', target: '^7' },
  ]);
  expect(faults).toEqual([]);
});
