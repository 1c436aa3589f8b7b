import { expect, test } from '../support/shared-service';

test('the dashboard can be installed as an app, and pages of visitors cannot', async ({
  page,
  service,
  organization,
}) => {
  await organization.signIn(page.context());
  const browser = await page.context().newCDPSession(page);
  await page.goto(`${service.url}/incidents`);
  const { url, errors, manifest } = await browser.send('Page.getAppManifest');
  expect([new URL(url).pathname, errors]).toEqual(['/manifest.webmanifest', []]);
  expect((await browser.send('Page.getInstallabilityErrors')).installabilityErrors).toEqual([]);
  expect(manifest).toMatchObject({
    name: 'Pharos',
    startUrl: `${service.url}/monitors`,
    scope: `${service.url}/`,
    display: 'kStandalone',
  });

  const icons = manifest?.icons ?? [];
  expect(icons.map(({ sizes }) => sizes)).toEqual(['192x192', '512x512', '512x512']);
  const apple = await page.locator('link[rel="apple-touch-icon"]').getAttribute('href');
  for (const src of [...icons.map((icon) => icon.url), apple ?? '']) {
    const response = await page.request.get(new URL(src, service.url).href);
    expect(response.headers()['content-type']).toBe('image/png');
    const size = (await response.body()).readUInt32BE(16);
    expect(src).toMatch(src === apple ? /apple-touch-icon/ : new RegExp(`-${size}\\.png$`));
  }
  // The icon that shows outages is still there.
  await expect(page.locator('link[rel="icon"]').first()).toHaveAttribute('href', /icon/);

  await page.context().clearCookies();
  await page.goto(`${service.url}/sign-in`);
  await expect(page.locator('link[rel="manifest"], link[rel="apple-touch-icon"]')).toHaveCount(0);
});
