import { readFile } from 'node:fs/promises';
import { findFreePort } from '@/lib/core/ports';
import { createOrganizationIn } from './support/own-organization';
import { ATTEMPT_MS, expectAccessible, expectToFit, watchFaults } from './support/page-checks';
import { openServices } from './support/service-access';
import { expect, test } from './support/shared-service';
import { startService } from './support/start-service';
import { writeHistory } from './support/write-history';

test('a report shows uptime, error budget and outages of any days, and can be downloaded', async ({
  page,
  service,
  organization,
}) => {
  const { api, ctx } = organization;
  const faults = watchFaults(page, { origin: service.url });
  await organization.signIn(page.context());
  const monitors = page.getByRole('table', { name: 'Monitors' });
  const outages = page.getByRole('table', { name: 'Outages' });

  await test.step('empty at first', async () => {
    await page.goto(`${service.url}/reports`);
    await expect(page.getByText('No monitors yet.')).toBeVisible();
    await expect(page.getByRole('link', { name: 'Monitors CSV' })).toHaveCount(0);
    await expectAccessible(page);
  });

  for (const [name, tags] of [
    ['Shop', ['eu', 'shop']],
    ['Blog', ['eu']],
  ] as const) {
    await api('POST', '/monitors', { name, url: 'http://127.0.0.1:9/', tags, enabled: false });
  }
  await writeHistory(ctx);
  const report = (await api('GET', '/reports/uptime')).body;

  await test.step('the last month, like the API', async () => {
    await page.reload();
    await expect(monitors.getByRole('row')).toHaveCount(3);
    for (const { name, uptimePercentage } of report.monitors) {
      const row = monitors.getByRole('row').filter({ hasText: name });
      await expect(row).toContainText(`${uptimePercentage.toFixed(3)}%`);
    }
    await expect(outages.getByRole('row')).toHaveCount(report.total.outages + 1);
    await expect(page.getByRole('table', { name: 'Tags' }).getByRole('row')).toHaveCount(3);
    await expectAccessible(page);
  });

  await test.step('other monitors, another target, another time zone', async () => {
    await page.getByLabel('Tag', { exact: true }).selectOption('shop');
    await expect(monitors.getByRole('row')).toHaveCount(2);
    await page.getByLabel('Target').fill('50');
    await expect(page.getByText('Met by all 1')).toBeVisible();
    await page.getByLabel('Time zone').selectOption('America/New_York');
    await expect(page.getByText('America/New_York. Maintenance')).toBeVisible();
    await expect(page).toHaveURL(/tag=shop/);
  });

  await test.step('any days, with what is wrong with them', async () => {
    await page.goto(`${service.url}/reports?month=days`);
    await expect(page.getByLabel('First day')).not.toHaveValue('');
    // What is typed before the page has its scripts is replaced by what the URL says.
    await expect(async () => {
      await page.getByLabel('First day').fill('2020-01-01');
      await expect(page.getByText('must be within the last 400 days')).toBeVisible({ timeout: ATTEMPT_MS });
    }).toPass();
    await page.getByRole('link', { name: 'Clear filters' }).click();
    await expect(monitors.getByRole('row')).toHaveCount(3);
  });

  await test.step('as CSV', async () => {
    const download = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Outages CSV' }).click();
    const lines = (await readFile(await (await download).path(), 'utf8')).trimEnd().split('\r\n');
    expect(lines).toHaveLength(report.outages.length + 1);
  });

  await test.step('on a phone and on paper', async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    await expectToFit(page);
    await expectAccessible(page);
    await page.setViewportSize({ width: 794, height: 1123 });
    await page.emulateMedia({ media: 'print' });
    await expect(page.getByRole('navigation', { name: 'Main' })).toBeHidden();
    await expect(page.getByLabel('Period')).toBeHidden();
  });
  expect(faults).toEqual([]);
});

test('members receive a report by email each month, until they stop it', async ({ page }) => {
  // Nothing listens for mail: the page only has to offer it.
  const PORT = String(await findFreePort());
  const mail = { SMTP_URL: 'smtp://127.0.0.1:9', APP_URL: `http://127.0.0.1:${PORT}` };
  const service = await startService({ env: { PORT, ...mail } });
  const access = await openServices(service.dataDir);
  try {
    const organization = await createOrganizationIn({ url: service.url, access }, { plan: 'free' });
    await organization.signIn(page.context());
    await page.goto(`${service.url}/reports?timeZone=Europe/Berlin&target=99.95`);
    const list = page.getByRole('region', { name: 'Monthly email' });
    await expect(list).toContainText(organization.owner.email);
    await list.getByRole('button', { name: 'Email me monthly' }).click();
    await expect(list.getByRole('listitem')).toHaveText(/^All monitors, Europe\/Berlin, target 99.95%/);
    await expect(list.getByRole('button', { name: 'Email me monthly' })).toHaveCount(0);
    await expectAccessible(page);
    await list.getByRole('button', { name: 'Stop' }).click();
    await expect(list.getByRole('listitem')).toHaveCount(0);
    await expect(list.getByRole('button', { name: 'Email me monthly' })).toBeVisible();
  } finally {
    await access.close();
    await service.stop();
  }
});
