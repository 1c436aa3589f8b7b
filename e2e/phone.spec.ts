import type { Locator } from '@playwright/test';
import { expectToFit } from './support/page-checks';
import { addSamples } from './support/sample-objects';
import { expect, test } from './support/shared-service';

test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });

const edgesOf = (part: Locator) =>
  part.evaluate((element) => {
    const { top, bottom } = element.getBoundingClientRect();
    return { top, bottom };
  });

test('a phone has its places at the bottom, status before buttons, filters in a sheet, and the preview one tap away', async ({
  page,
  context,
  service,
  organization,
}) => {
  const { monitor, slug } = await addSamples(organization, 'phone');
  await organization.signIn(context);
  const bar = page.getByRole('navigation', { name: 'Main' });
  const open = (path: string) => page.goto(service.url + path);

  await test.step('four places and More, above which the page ends', async () => {
    await open('/monitors');
    await expect(bar.getByRole('link')).toHaveText([
      'Monitors',
      'Incidents',
      'Status pages',
      'Notifications',
    ]);
    await expect(bar.getByRole('link', { name: 'Monitors' })).toHaveAttribute('aria-current', 'page');
    await bar.getByRole('button', { name: 'More' }).tap();
    await bar.getByRole('link', { name: 'Reports' }).tap();
    await expect(page.getByRole('heading', { name: 'Reports', level: 1 })).toBeVisible();
    await expect(bar.getByRole('link')).toHaveCount(4);
    await expect(bar.getByRole('button', { name: 'More' })).toHaveAttribute('aria-current', 'true');
    await open('/settings/audit');
    const hidden = async () => {
      await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight));
      const last = await edgesOf(page.getByRole('main').locator('> :last-child'));
      return last.bottom - (await edgesOf(bar)).top;
    };
    await expect.poll(hidden).toBeLessThanOrEqual(0);
  });

  await test.step('toasts are above the bar, which makes room for the keyboard', async () => {
    await open('/monitors');
    await page.getByRole('checkbox', { name: 'Select Shop' }).tap();
    const actions = page.getByRole('region', { name: 'Selected monitors' });
    await expect(actions).toBeInViewport();
    expect((await edgesOf(actions)).bottom).toBeLessThanOrEqual((await edgesOf(bar)).top);
    await actions.getByRole('button', { name: 'Resume' }).tap();
    const toast = page.getByText('Resumed 1 monitor');
    await expect(toast).toBeInViewport();
    await expect.poll(async () => (await edgesOf(toast)).bottom).toBeLessThan((await edgesOf(bar)).top);
    await page.getByRole('searchbox', { name: 'Search monitors' }).tap();
    await expect(bar).toBeHidden();
    await page.getByRole('searchbox', { name: 'Search monitors' }).blur();
    await expect(bar).toBeVisible();
  });

  await test.step('status before buttons', async () => {
    await open(`/monitors/${monitor}`);
    const status = page.getByText('Pending').first();
    const first = page.getByRole('button', { name: /^(Pause|Resume)$/ });
    await expect(status).toBeVisible();
    expect((await edgesOf(status)).bottom).toBeLessThanOrEqual((await edgesOf(first)).top);
  });

  await test.step('filters open in a sheet, which counts what is set', async () => {
    await open('/incidents');
    const filters = page.getByRole('button', { name: /^Filters/ });
    await expect(page.getByLabel('Severity')).toBeHidden();
    await filters.tap();
    await page.getByLabel('Status').selectOption('resolved');
    await expect(page).toHaveURL(/status=resolved/);
    await page.getByRole('button', { name: 'Close' }).tap();
    await expect(filters).toHaveText('Filters1');
    await expect(page.getByText('Checkout fails')).toHaveCount(0);
    await expectToFit(page);
  });

  await test.step('the preview of a status page is one tap away', async () => {
    await open(`/status-pages/${slug}`);
    await expect(page.locator('iframe')).toHaveCount(0);
    await page.getByRole('button', { name: 'Preview' }).tap();
    const frame = page.frameLocator('iframe[aria-hidden=false]');
    await expect(frame.getByRole('heading', { name: 'Acme' })).toBeVisible();
    await page.getByRole('button', { name: 'Close' }).tap();
    await expect(page.getByLabel('Name', { exact: true })).toBeVisible();
  });
});
