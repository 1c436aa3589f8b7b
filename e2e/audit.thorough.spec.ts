import { readFile } from 'node:fs/promises';
import { updateMonitor } from '@/lib/domain/monitors/update-monitor';
import { expectAccessible, expectToFit, watchFaults } from './support/page-checks';
import { expect, test } from './support/shared-service';

test('the audit log shows who changed what, can be filtered and downloaded; members cannot see it', async ({
  page,
  service,
  organization,
}) => {
  const { api, ctx } = organization;
  const faults = watchFaults(page, { origin: service.url });
  await organization.signIn(page.context());
  const log = page.getByRole('table');

  await test.step('empty at first', async () => {
    await page.goto(`${service.url}/settings`);
    await page.waitForURL(/\/settings\/\w+/);
    await page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name: 'Audit' }).click();
    await expect(page.getByText('No entries yet.')).toBeVisible();
    await expect(
      page.getByText(/^Pharos \d+\.\d+\.\d+/),
      'admins also see what to upgrade from',
    ).toBeVisible();
    await expect(page.getByRole('link', { name: 'Download CSV' })).toHaveCount(0);
    await expectAccessible(page);
  });

  const creation = await api('POST', '/monitors', {
    name: '=Shop',
    url: 'http://127.0.0.1:9/',
    headers: { Authorization: 'Bearer hunter2' },
    enabled: false,
  });
  const shop = creation.body.id;
  const requestId = creation.headers.get('x-request-id') ?? '';
  await updateMonitor(ctx, shop, { name: '=Store', interval: 300, tags: ['eu', 'shop'] });
  await api('POST', '/incidents', { title: 'Something is wrong' });

  await test.step('before and after, a person and a key, with an address and without a secret', async () => {
    await page.reload();
    await expect(log.getByRole('row')).toHaveCount(4);
    const changed = log.getByRole('row').filter({ hasText: 'monitor.update' });
    await expect(changed).toContainText(organization.owner.email);
    await expect(changed.getByRole('definition').first()).toHaveText('=Shop→changed to=Store');
    await expect(changed).toContainText('eu, shop');
    const created = log.getByRole('row').filter({ hasText: 'monitor.create' });
    await expect(created).toContainText('API key from 127.0.0.1');
    await created.getByText(/^Initial values \(\d+\)$/).click();
    await expect(created).toContainText('{"Authorization":"(hidden)"}');
    expect(await page.content()).not.toContain('hunter2');
    await expectAccessible(page);
    await page.setViewportSize({ width: 390, height: 844 });
    await expectToFit(page);
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.emulateMedia({ colorScheme: 'light' });
  });

  await test.step('filtered by subject, action and day, in the URL', async () => {
    await log.getByRole('link', { name: '=Store' }).click();
    await expect(log.getByRole('row')).toHaveCount(3);
    await expect(page).toHaveURL(new RegExp(`subject=${shop}`));
    await page.getByLabel('Action').selectOption('monitor.create');
    await expect(log.getByRole('row')).toHaveCount(2);
    await expect(page).toHaveURL(`${service.url}/settings/audit?action=monitor.create&subject=${shop}`);
    await expect(page.getByRole('button', { name: 'Apply' })).toHaveCount(0);
    await expectAccessible(page);
    await page.getByLabel('From').pressSequentially('01012098');
    await expect(page.getByText('No entries match these filters.')).toBeVisible();
    await expect(page.getByLabel('From')).toBeFocused();
    await expect(page.getByLabel('From')).toHaveValue('2098-01-01');
    await page.goBack();
    await expect(log.getByRole('row')).toHaveCount(2);
    await expect(page.getByLabel('From')).toHaveValue('');
    await expect(page.getByLabel('Action')).toHaveValue('monitor.create');
    await page.getByRole('link', { name: 'Clear filters' }).click();
    await expect(log.getByRole('row')).toHaveCount(4);
    await expect(page.getByLabel('Action')).toHaveValue('');
    await log.getByRole('link', { name: requestId }).click();
    await expect(log.getByRole('row')).toHaveCount(2);
    await expect(page).toHaveURL(`${service.url}/settings/audit?requestId=${requestId}`);
    await page.getByRole('link', { name: 'Clear filters' }).click();
    await expect(log.getByRole('row')).toHaveCount(4);
  });

  await test.step('the filtered entries as CSV, with no formulas in it', async () => {
    await log.getByRole('link', { name: '=Store' }).click();
    await expect(log.getByRole('row')).toHaveCount(3);
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Download CSV' }).click(),
    ]);
    expect(download.suggestedFilename()).toMatch(/^audit-\d{4}-\d\d-\d\d\.csv$/);
    const lines = (await readFile(await download.path(), 'utf8')).trimEnd().split('\r\n');
    expect(lines.map((line) => line.split(',')[6])).toEqual(['subject', "'=Store", "'=Shop"]);
  });

  expect(faults).toEqual([]);

  await test.step('a member sees no link and has no access', async () => {
    await organization.setRole('member');
    await page.goto(`${service.url}/settings/audit`);
    await expect(page.getByRole('heading', { name: 'Page not found' })).toBeVisible();
    await expect(page.getByRole('link', { name: 'Audit' })).toHaveCount(0);
    const response = await page.request.get(`${service.url}/settings/audit/export`);
    expect(response.status()).toBe(403);
  });
});
