import AxeBuilder from '@axe-core/playwright';
import { expect, type Page, test } from '@playwright/test';
import { type Service, startService } from './support/start-service';

let service: Service;

test.use({ permissions: ['clipboard-read', 'clipboard-write'] });

test.beforeAll(async () => {
  test.setTimeout(120_000);
  service = await startService();
});

test.afterAll(() => service?.stop());

test('a stranger finds an operation and copies how it is called', async ({ page }) => {
  // The whole page is long, and looked through twice.
  test.setTimeout(240_000);
  const faults = watchFaults(page);
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

test('it reads well on a telephone, and without a script', async ({ browser }) => {
  const context = await browser.newContext({
    viewport: { width: 390, height: 844 },
    javaScriptEnabled: false,
  });
  const page = await context.newPage();
  await page.goto(`${service.url}/docs#verifying-webhooks`);
  await page.getByRole('radio', { name: 'Go', exact: true }).check();
  await expect(page.getByText('hmac.Equal')).toBeVisible();
  await expect(page.getByText('timingSafeEqual(given')).toBeHidden();
  const { width } = (await page.locator('html').boundingBox()) ?? { width: 0 };
  expect(width).toBe(390);
  await context.close();
});

function watchFaults(page: Page): string[] {
  const faults: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error') faults.push(`console: ${message.text()}`);
  });
  page.on('pageerror', (error) => faults.push(`page: ${error.message}`));
  page.on('request', (request) => {
    if (!request.url().startsWith(service.url)) faults.push(`asked another: ${request.url()}`);
  });
  return faults;
}

/** Holds the page, or a part of it, in light and in dark against WCAG 2.2 AA. */
async function expectAccessible(page: Page, part = 'html'): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    const { violations } = await new AxeBuilder({ page })
      .include(part)
      .withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'])
      .analyze();
    const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(' | ')}`);
    expect(found, colorScheme).toEqual([]);
  }
}
