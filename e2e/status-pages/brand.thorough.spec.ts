import { expectAccessible, expectToFit, watchFaults } from '../support/page-checks';
import { expect, test } from '../support/shared-service';

const SQUARE = '<svg xmlns="http://www.w3.org/2000/svg" width="64" height="64"/>';

test('a page gets a brand in the editor, with a preview, and visitors see it', async ({
  page,
  browser,
  service,
  organization,
}) => {
  const { api } = organization;
  const faults = watchFaults(page, { origin: service.url });
  await organization.signIn(page.context());
  await page.route('https://brand.test/**', (route) =>
    route.fulfill({
      body: route.request().url().endsWith('/broken.svg') ? 'Not an image' : SQUARE,
      contentType: 'image/svg+xml',
    }),
  );
  const slug = `brand-${organization.id.slice(-6)}`;
  const monitor = { name: 'Shop', url: 'http://127.0.0.1:9/', enabled: false };
  const { id } = (await api('POST', '/monitors', monitor)).body;
  const theme = { primaryColor: '#15803d', backgroundColor: '#ffffff', textColor: '#18181b' };
  await api('POST', '/status-pages', { name: 'Acme', slug, monitors: [id], published: true, theme });
  await api('POST', '/incidents', {
    title: 'Slow',
    affectedMonitors: [id],
    startedAt: '2026-01-15T12:00:00.000Z',
  });
  const preview = page.frameLocator('iframe').last();
  const fold = (title: string) => page.locator('summary', { hasText: title });
  const save = page.getByRole('button', { name: 'Save changes' });

  await test.step('the preview follows what is typed', async () => {
    await page.goto(`${service.url}/status-pages/${slug}`);
    await page.getByLabel('Logo', { exact: true }).fill('https://brand.test/logo.svg');
    await page.getByRole('textbox', { name: 'Logo on dark backgrounds' }).fill('https://brand.test/dark.svg');
    await page.getByRole('textbox', { name: 'Favicon' }).fill('https://brand.test/icon.svg');
    await page.getByLabel('Font').selectOption('Serif');
    await fold('Links').click();
    await page.getByRole('button', { name: 'Add link' }).click();
    await expect(page.getByLabel('Label')).toBeFocused();
    await page.getByLabel('Label').fill('Support');
    await page.getByLabel('URL', { exact: true }).fill('mailto:help@brand.test');
    await page.getByRole('button', { name: 'Add link' }).click();
    await page.getByLabel('Label').last().fill('Brand');
    await page.getByLabel('URL', { exact: true }).last().fill('https://brand.test/');
    await page.getByLabel('Place of Brand').selectOption('Header');
    await page.getByRole('button', { name: 'Move Brand up' }).press('Enter');
    await expect(page.getByRole('button', { name: 'Move Brand up' })).toBeFocused();
    await fold('Announcement').click();
    await page.getByLabel('Message').fill('We are moving.');
    await expect(page.getByLabel('Ends')).not.toHaveValue('');
    await page.getByLabel('Time zone', { exact: true }).selectOption('Asia/Tokyo');
    await page.getByLabel('Ends').fill('2098-07-01T09:30');
    await fold('Custom CSS').click();
    await page.getByRole('textbox', { name: 'Custom CSS' }).fill('.banner {\n  border-radius: 0;\n}');
    await page.getByLabel('Show “Powered by”').uncheck();
    await page.getByLabel('Hide from search engines').check();
    await expect(preview.locator('header nav')).toContainText('Brand');
    await expect(preview.locator('#announcement')).toHaveText('We are moving.');
    await expect(preview.locator('.banner')).toHaveCSS('border-radius', '0px');
    await expect(preview.locator('#open time').first()).toHaveText('Jan 15, 2026, 21:00 GMT+9');
    await expectAccessible(page);
  });

  await test.step('the checklist names what is wrong with the logo, as the preview loads it', async () => {
    const checklist = page.getByRole('region', { name: 'Worth a look' });
    const logo = page.getByLabel('Logo', { exact: true });
    const darkLogo = page.getByRole('textbox', { name: 'Logo on dark backgrounds' });
    await expect(checklist).toContainText('Paused: Shop');
    await expect(checklist.getByRole('link', { name: 'Monitors' })).toHaveAttribute('href', '/monitors');
    await logo.fill('https://brand.test/broken.svg');
    await darkLogo.fill('');
    await expect(checklist).toContainText('The logo could not be loaded.');
    await expect(checklist).toContainText('No logo for dark backgrounds.');
    await logo.fill('https://brand.test/logo.svg');
    await darkLogo.fill('https://brand.test/dark.svg');
    await expect(checklist).not.toContainText('The logo could not be loaded.');
    await expect(checklist).not.toContainText('No logo for dark backgrounds.');
    const scheme = page.getByRole('group', { name: 'Visitor’s color scheme' });
    const shown = () =>
      preview.locator('.logo img').evaluate((image) => 'currentSrc' in image && image.currentSrc);
    await expect.poll(shown).toBe('https://brand.test/logo.svg');
    await scheme.getByRole('button', { name: 'Dark' }).click();
    await expect.poll(shown).toBe('https://brand.test/dark.svg');
    await scheme.getByRole('button', { name: 'Light' }).click();
  });

  await test.step('errors open the fold of their field', async () => {
    await page.getByRole('textbox', { name: 'Custom CSS' }).fill('a {\n  background: url(x);\n}');
    await fold('Custom CSS').click();
    await save.click();
    await expect(
      page.getByText('Custom CSS has url() in line 2, column 15: nothing can be loaded.'),
    ).toBeVisible();
    await page.getByRole('textbox', { name: 'Custom CSS' }).fill('.banner {\n  border-radius: 0;\n}');
    await save.click();
    await expect(page.getByText('Saved Acme')).toBeVisible();
    await page.setViewportSize({ width: 390, height: 844 });
    await expectToFit(page);
    expect((await api('GET', `/status-pages/${slug}`)).body).toMatchObject({
      links: [
        { label: 'Brand', url: 'https://brand.test/', place: 'header' },
        { label: 'Support', url: 'mailto:help@brand.test', place: 'footer' },
      ],
      announcement: { text: 'We are moving.', url: null, endsAt: '2098-07-01T00:30:00.000Z' },
      font: 'serif',
      timeZone: 'Asia/Tokyo',
      noindex: true,
      poweredBy: false,
    });
    expect(faults.filter(isFault)).toEqual([]);
  });

  await test.step('visitors see it, in the time zone of the page with their own as a tooltip', async () => {
    for (const [colorScheme, logo] of [
      ['light', 'logo'],
      ['dark', 'dark'],
    ] as const) {
      const context = await browser.newContext({ colorScheme, timezoneId: 'America/New_York' });
      const visit = await context.newPage();
      const seen = watchFaults(visit, { origin: service.url });
      await context.route('https://brand.test/**', (route) =>
        route.fulfill({ body: SQUARE, contentType: 'image/svg+xml' }),
      );
      await visit.goto(`${service.url}/status/${slug}`);
      const shown = () =>
        visit.locator('.logo img').evaluate((image) => 'currentSrc' in image && image.currentSrc);
      await expect.poll(shown).toBe(`https://brand.test/${logo}.svg`);
      await expect(visit.locator('#open time').first()).toHaveText('Jan 15, 2026, 21:00 GMT+9');
      await expect(visit.locator('#open time').first()).toHaveAttribute(
        'title',
        'Jan 15, 2026, 07:00 EST · Jan 15, 2026, 12:00 UTC',
      );
      await expect(visit.locator('body')).toHaveCSS('font-family', /serif/);
      await expect(visit.locator('.banner')).toHaveCSS('border-radius', '0px');
      await expect(visit.locator('.by')).toHaveCount(0);
      await expectAccessible(visit);
      expect(seen.filter(isFault)).toEqual([]);
      await context.close();
    }
  });

  await test.step('an open page loses an announcement that ends', async () => {
    await page.goto(`${service.url}/status/${slug}`);
    await expect(page.locator('#announcement')).toBeVisible();
    await page
      .locator('#announcement')
      .evaluate((bar) => bar.setAttribute('data-ends', '2026-01-01T00:00:00Z'));
    await expect(page.locator('#announcement')).toHaveCount(0);
  });
});

/** The images of the brand are from another origin. */
function isFault(fault: string): boolean {
  return !fault.startsWith('other origin: https://brand.test/');
}
