import { pngChunk, pngImage } from '@/lib/core/images/testing/samples';
import { expectAccessible, expectToFit, watchFaults } from '../support/page-checks';
import { expect, test } from '../support/shared-service';

const LOGO = pngImage({ width: 240, height: 64, color: [21, 128, 61] });
const DARK = pngImage({ width: 120, height: 32, color: [125, 211, 252] });
const ICON = pngImage({ width: 32, height: 32, color: [21, 128, 61] });
const file = (name: string, buffer: Buffer) => ({ name, mimeType: 'image/png', buffer });

test('images are uploaded in the editor, and visitors see them without anything moving', async ({
  page,
  browser,
  service,
  organization,
}) => {
  const { api } = organization;
  const faults = watchFaults(page, { origin: service.url });
  await organization.signIn(page.context());
  await page.setViewportSize({ width: 1440, height: 900 });
  const slug = `images-${organization.id.slice(-6)}`;
  const preview = page.frameLocator('iframe').last();
  const logo = page.getByLabel('Upload logo', { exact: true });
  const save = page.getByRole('button', { name: /^(Create page|Save changes)$/ });

  await test.step('what is no image says what to do, and a chosen file is in the preview before it is saved', async () => {
    await page.goto(`${service.url}/status-pages/new`);
    await page.getByLabel('Name', { exact: true }).fill('Acme');
    await page.getByLabel('Slug').fill(slug);
    await logo.setInputFiles(file('logo.png', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')));
    await expect(
      page.getByText('Logo is an SVG, which can only be shown by its URL: enter that'),
    ).toBeVisible();
    await logo.setInputFiles(file('logo.png', pngImage({ width: 2, height: 2 }, [pngChunk('acTL')])));
    await expect(page.getByText('Logo is animated: upload a single image.')).toBeVisible();
    await expectAccessible(page);
    await logo.setInputFiles(file('logo.png', LOGO));
    await expect(page.getByText('240 × 64 pixels. Uploaded when you save.')).toBeVisible();
    await expect(page.getByText('Logo is animated')).toHaveCount(0);
    await expect(page.getByLabel('Replace logo', { exact: true })).toBeFocused();
    await expect(preview.locator('.logo img')).toHaveAttribute('src', /^data:image\/png/);
    await page.getByLabel('Upload favicon').setInputFiles(file('icon.png', ICON));
    await expectAccessible(page);
  });

  await test.step('it is uploaded with the page, and members see it before it is published', async () => {
    await save.click();
    await expect(page).toHaveURL(`${service.url}/status-pages/${slug}`);
    await expect(page.getByText('240 × 64 pixels. Uploaded.')).toBeVisible();
    const shown = page.getByRole('img', { name: 'Logo of the page', exact: true });
    await expect
      .poll(() => shown.evaluate((image) => 'naturalWidth' in image && image.naturalWidth))
      .toBe(240);
    const drawn = preview.locator('.logo img');
    await expect(drawn).toHaveAttribute('src', new RegExp(`^/status-pages/${slug}/images/`));
    await expect
      .poll(() => drawn.evaluate((image) => 'naturalWidth' in image && image.naturalWidth))
      .toBe(240);
    expect((await api('GET', `/status-pages/${slug}`)).body).toMatchObject({
      logoUrl: expect.stringMatching(/-240x64\.png$/),
      faviconUrl: expect.stringMatching(/-32x32\.png$/),
    });
  });

  await test.step('it is replaced and removed, by keyboard', async () => {
    await page.getByLabel('Upload logo on dark backgrounds').setInputFiles(file('dark.png', DARK));
    await page.getByLabel('Remove favicon').focus();
    await page.keyboard.press('Enter');
    await expect(page.getByRole('textbox', { name: 'Favicon' })).toBeFocused();
    await page.getByLabel('Publish', { exact: false }).first().check();
    await save.click();
    await expect(page.getByText('Published Acme')).toBeVisible();
    const { body } = await api('GET', `/status-pages/${slug}`);
    expect(body).toMatchObject({ faviconUrl: null, darkLogoUrl: expect.stringMatching(/-120x32\.png$/) });
    await page.setViewportSize({ width: 360, height: 740 });
    await expectToFit(page);
    await expectAccessible(page);
  });

  for (const [colorScheme, width] of [
    ['light', 240],
    ['dark', 120],
  ] as const) {
    await test.step(`visitors who prefer ${colorScheme} see theirs, and nothing moves when it arrives late`, async () => {
      const context = await browser.newContext({ colorScheme, viewport: { width: 360, height: 740 } });
      const visit = await context.newPage();
      const seen = watchFaults(visit, { origin: service.url });
      await context.route('**/images/**', async (route) => {
        await visit.waitForTimeout(500);
        await route.continue();
      });
      await visit.addInitScript(() => {
        const shifts: number[] = [];
        Object.assign(window, { shifts });
        new PerformanceObserver((list) => {
          for (const entry of list.getEntries()) if ('value' in entry) shifts.push(Number(entry.value));
        }).observe({ type: 'layout-shift', buffered: true });
      });
      await visit.goto(`${service.url}/status/${slug}`);
      const image = visit.locator('.logo img');
      await expect.poll(() => image.evaluate((img) => 'naturalWidth' in img && img.naturalWidth)).toBe(width);
      expect(await visit.evaluate(() => 'shifts' in window && window.shifts)).toEqual([]);
      await context.unrouteAll({ behavior: 'wait' });
      await expectAccessible(visit);
      await expectToFit(visit);
      expect(seen.filter(isFault)).toEqual([]);
      await context.close();
    });
  }
  expect(faults.filter(isFault)).toEqual([]);
});

/** The icon that shows the status is in the page itself, as is a file that is not uploaded yet. */
function isFault(fault: string): boolean {
  return !fault.startsWith('other origin: data:image/');
}
