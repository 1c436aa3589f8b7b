import { holdRequests } from './support/hold-requests';
import { expectToFit, watchFaults } from './support/page-checks';
import { expect, test } from './support/shared-service';
import { expectAccessibleIfThorough, THOROUGH, thoroughStep } from './support/thorough';

/** Maximum size of the first page, uncompressed. The others contain tables of hundreds of fields: three times as much. */
const MAX_BYTES = 170_000;

test.use({ permissions: ['clipboard-read', 'clipboard-write'] });

test('a visitor finds an operation and copies its sample', async ({ page, service }) => {
  const faults = watchFaults(page, { origin: service.url });
  const search = page.getByRole('combobox', { name: 'Search the documentation' });
  const results = page.getByRole('listbox', { name: 'Results' });
  const release = await holdRequests(page, '**/_next/static/**/*.js');
  await page.goto(`${service.url}/docs`, { waitUntil: 'commit' });
  await search.pressSequentially('liveries');
  release();
  await expect(results.getByRole('option').first(), 'typed before scripts load').toBeVisible();
  await expectAccessibleIfThorough(page);

  await search.blur();
  await page.keyboard.press('/');
  await page.keyboard.type('deliveries');
  await expect(search, 'the key selects the previous search').toHaveValue('deliveries');
  await expect(results.getByRole('option').first()).toContainText('List deliveries');
  await expectAccessibleIfThorough(page, 'header');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/docs\/deliveries#get-deliveries$/);
  const operation = page.getByRole('region', { name: 'List deliveries', exact: true });
  await expect(operation.getByRole('heading')).toBeInViewport();
  await expectAccessibleIfThorough(page);

  await operation.getByRole('radio', { name: 'Python' }).check();
  await operation.getByRole('button', { name: 'Copy the Python sample: List deliveries' }).click();
  const copied = () => page.evaluate(() => navigator.clipboard.readText());
  await expect.poll(copied).toContain(`"${service.url}/api/deliveries"`);
  expect(await copied()).toContain('urllib.request');

  await thoroughStep('an old anchor leads to the new page, in the chosen language', async () => {
    await page.goto(`${service.url}/docs#post-monitors`);
    await expect(page).toHaveURL(/\/docs\/monitors#post-monitors$/);
    const other = page.getByRole('region', { name: 'Create a monitor', exact: true });
    await expect(other.getByRole('heading')).toBeInViewport();
    await expect(other.getByRole('radio', { name: 'Python' })).toBeChecked();
    await expect(other.getByText('urllib.request.Request(')).toBeVisible();
  });
  expect(faults).toEqual([]);
});

test(
  'the contents list every operation, event and object, on small pages',
  THOROUGH,
  async ({ page, service }) => {
    const faults = watchFaults(page, { origin: service.url });
    await page.goto(`${service.url}/docs`);
    const links = page.getByRole('navigation', { name: 'Contents' }).locator('a[href*="#"]');
    const hrefs = await links.evaluateAll((all) => all.map((link) => link.getAttribute('href') ?? ''));

    const document = await (await page.request.get(`${service.url}/api/openapi.json`)).json();
    const operations = Object.values<object>(document.paths).flatMap((path) => Object.keys(path));
    const ofOperations = hrefs.filter((href) => /#(get|post|put|patch|delete)-/.test(href));
    expect(new Set(ofOperations).size).toBe(operations.length);
    expect(hrefs.filter((href) => href.startsWith('/docs/events#'))).toHaveLength(
      Object.keys(document.webhooks).length,
    );

    await page.goto(`${service.url}/docs/events`);
    await expectAccessibleIfThorough(page, 'main');

    const paths = new Set(hrefs.map((href) => href.split('#')[0] ?? ''));
    for (const path of paths) {
      const response = await page.request.get(`${service.url}${path}`);
      const html = await response.text();
      // The page of all objects is that of the fewest readers.
      const size = path === '/docs' ? 1.5 : path === '/docs/objects' ? 6 : 4.5;
      expect((await response.body()).byteLength, path).toBeLessThan(size * MAX_BYTES);
      for (const href of hrefs.filter((each) => each.startsWith(`${path}#`))) {
        expect(html, href).toContain(` id="${href.split('#')[1]}"`);
      }
    }
    expect(faults).toEqual([]);
  },
);

test(
  'a search that fails to load shows an error, and works on the next attempt',
  THOROUGH,
  async ({ page, service }) => {
    await page.route('**/docs/search.json', (route) => route.abort());
    await page.goto(`${service.url}/docs`);
    const search = page.getByRole('combobox', { name: 'Search the documentation' });
    await search.pressSequentially('deliver');
    await expect(page.getByText('Search could not be loaded.')).toBeVisible();
    await page.unroute('**/docs/search.json');
    await search.pressSequentially('ies');
    await expect(page.getByRole('option').first()).toContainText('List deliveries');
    await search.fill('zebra');
    await expect(page.getByText('No results for “zebra”.')).toBeVisible();
  },
);

test('it is readable on a phone and without JavaScript', THOROUGH, async ({ browser, service }) => {
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

  const open = page.getByRole('button', { name: 'Contents' });
  await expect(open, 'wherever the page is scrolled to').toBeInViewport();
  await open.click();
  const contents = page.getByRole('navigation', { name: 'Contents' });
  await contents.getByRole('link', { name: 'Incidents', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'Incidents', level: 1 })).toBeVisible();
  await expectToFit(page);
  for (const topic of ['monitors', 'events', 'objects']) {
    await page.goto(`${service.url}/docs/${topic}`);
    await expectToFit(page);
  }
  await context.close();
});
