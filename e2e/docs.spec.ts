import { expectAccessible, expectToFit, watchFaults } from './support/page-checks';
import { expect, test } from './support/shared-service';

test.use({ permissions: ['clipboard-read', 'clipboard-write'] });

test('a stranger finds an operation and copies how it is called', async ({ page, service }) => {
  // The whole page is long, and looked through in light and in dark.
  test.setTimeout(240_000);
  const faults = watchFaults(page, { origin: service.url });
  await page.goto(`${service.url}/docs`);
  await expectAccessible(page);

  await page.keyboard.press('/');
  await page.keyboard.type('deliveries');
  const results = page.getByRole('listbox', { name: 'Results' });
  await expect(results.getByRole('option').first()).toContainText('List the deliveries');
  await expectAccessible(page, 'header');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/#get-deliveries$/);
  const operation = page.getByRole('region', { name: 'List the deliveries', exact: true });
  await expect(operation.getByRole('heading')).toBeInViewport();

  await operation.getByRole('radio', { name: 'Python' }).check();
  await operation.getByRole('button', { name: 'Copy the Python sample: List the deliveries' }).click();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  expect(copied).toContain(`"${service.url}/api/deliveries"`);
  expect(copied).toContain('urllib.request');

  await page.goto(`${service.url}/docs#post-monitors`);
  await page.reload();
  const other = page.getByRole('region', { name: 'Create a monitor', exact: true });
  await expect(other.getByRole('radio', { name: 'Python' })).toBeChecked();
  await expect(other.getByText('urllib.request.Request(')).toBeVisible();
  expect(faults).toEqual([]);
});

test('it reads well on a telephone, and without a script', async ({ browser, service }) => {
  const context = await browser.newContext({
    viewport: { width: 390, height: 844 },
    javaScriptEnabled: false,
  });
  const page = await context.newPage();
  await page.goto(`${service.url}/docs#verifying-webhooks`);
  await page.getByRole('radio', { name: 'Go', exact: true }).check();
  await expect(page.getByText('hmac.Equal')).toBeVisible();
  await expect(page.getByText('timingSafeEqual(given')).toBeHidden();
  await expectToFit(page);
  await context.close();
});
