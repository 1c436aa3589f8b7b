import { createOrganizationIn } from '../support/own-organization';
import { expect, test } from '../support/shared-service';
import { writeHistory } from '../support/write-history';

const MONITORS = 40;
const SIZES = [
  { width: 1440, height: 900 },
  { width: 390, height: 844 },
];

test('what is below the screen is laid out when it is seen, and hardly anything moves then', async ({
  page,
  service,
}) => {
  const { api, ctx } = await createOrganizationIn(service, { plan: 'enterprise' });
  const monitors: string[] = [];
  for (let n = 1; n <= MONITORS; n++) {
    const monitor = { name: `Service ${n}`, url: 'https://example.com/', enabled: false };
    monitors.push((await api('POST', '/monitors', monitor)).body.id);
  }
  await writeHistory(ctx);
  const slug = 'long-page';
  await api('POST', '/status-pages', { name: 'Acme', slug, published: true, monitors });

  for (const size of SIZES) {
    await page.setViewportSize(size);
    await page.goto(`${service.url}/status/${slug}`);
    const rows = page.locator('#systems > ul > li');
    await expect(rows).toHaveCount(MONITORS);
    const isLaidOut = () =>
      rows.last().evaluate((row) => row.firstElementChild?.checkVisibility({ contentVisibilityAuto: true }));
    const height = () => page.evaluate(() => document.documentElement.scrollHeight);
    expect(await isLaidOut()).toBe(false);
    const before = await height();
    await rows.last().scrollIntoViewIfNeeded();
    await expect.poll(isLaidOut).toBe(true);
    for (const row of await rows.all()) await row.scrollIntoViewIfNeeded();
    expect(Math.abs((await height()) - before)).toBeLessThan(0.02 * before);
  }
});
