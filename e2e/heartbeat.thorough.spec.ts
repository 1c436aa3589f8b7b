import { expectAccessible, expectToFit, watchFaults } from './support/page-checks';
import { expect, test } from './support/shared-service';

const PHONE = { width: 390, height: 844 };

test('a heartbeat is created, called, reported as failed, and gets another URL', async ({
  page,
  service,
  organization,
}) => {
  const faults = watchFaults(page, { origin: service.url });
  await organization.signIn(page.context());
  const main = page.getByRole('main');
  const readUrl = async () => (await main.getByText(/^http\S+\/heartbeat\/[\w-]{32}$/).textContent()) ?? '';

  await test.step('the form has a schedule, shows its next runs, and no target', async () => {
    await page.goto(`${service.url}/monitors/new`);
    await page.getByText('Heartbeat', { exact: true }).click();
    await expect(page.getByLabel('URL', { exact: true })).toHaveCount(0);
    await expect(page.getByRole('button', { name: 'Test now' })).toHaveCount(0);
    await expect(page.getByLabel('Alert after')).toHaveValue('1');
    await page.getByLabel('Name').fill('Nightly backup');
    await page.getByLabel('Period', { exact: true }).fill('2');
    await page.getByLabel('Unit of period').selectOption('hours');
    await expect(page.getByText(/^If the job calls now, next expected: .* · .* · .*$/)).toBeVisible();
    await page.getByText('On a schedule').click();
    await page.getByLabel('Cron expression').fill('61 3 * * *');
    await expect(page.getByText(/^Cron expression must be a valid cron expression/)).toBeVisible();
    await page.getByLabel('Cron expression').fill('30 3 * * *');
    await page.getByLabel('Time zone').selectOption('Europe/Berlin');
    await expect(
      page.getByText(/^Next expected: .*03:30 · .*03:30 · .*03:30 \(Europe\/Berlin\)$/),
    ).toBeVisible();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Create monitor' }).click();
  });

  await test.step('its page shows the URL and how to call it', async () => {
    await expect(page.getByRole('heading', { name: 'Nightly backup' })).toBeVisible();
    await expect(main.getByText('30 3 * * *, Europe/Berlin').first()).toBeVisible();
    const url = await readUrl();
    expect(url.startsWith(`${service.url}/heartbeat/`)).toBe(true);
    await expect(
      main.getByText(`curl -fsS -m 10 --retry 5 -o /dev/null ${url}`, { exact: true }),
    ).toBeVisible();
    await expectAccessible(page);
  });

  await test.step('a call makes it operational, and a reported failure takes it down', async () => {
    const url = await readUrl();
    expect(await (await fetch(url, { method: 'HEAD' })).status).toBe(200);
    await page.reload();
    await expect(main.getByText('Operational').first()).toBeVisible();
    await expect(main.getByText('Next expected by')).toBeVisible();
    await fetch(`${url}/start`);
    expect(await (await fetch(`${url}/3`, { method: 'POST', body: 'no space left on device' })).text()).toBe(
      'OK\n',
    );
    await page.reload();
    await expect(main.getByText('Failed: the job ended with exit code 3').first()).toBeVisible();
    await expect(main.getByRole('region', { name: 'Regions' })).toHaveCount(0);
  });

  await test.step('it shows the output of the last failure and of the last success, as text', async () => {
    const url = await readUrl();
    const output = main.getByRole('region', { name: 'Output', exact: true });
    await expect(output.getByText('The job ended with exit code 3.', { exact: true })).toBeVisible();
    await expect(output.getByText('no space left on device')).toBeVisible();
    const log = `<b>copied</b> 1,204 files\n${'one more line\n'.repeat(2000)}`;
    await fetch(url, { method: 'PUT', body: log });
    await page.reload();
    await page.locator('#evidence').scrollIntoViewIfNeeded();
    await expect(output.getByText('<b>copied</b> 1,204 files')).toBeVisible();
    await expect(output.getByText('Truncated: the rest of 28,026 or more bytes was not kept.')).toBeVisible();
    await expect(output.getByText('no space left on device')).toBeVisible();
    await expectAccessible(page);
  });

  await test.step('a replaced URL is unknown', async () => {
    const old = await readUrl();
    await main.getByRole('button', { name: 'Replace URL' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Replace URL' }).click();
    await expect(main.getByText(old, { exact: true })).toHaveCount(0);
    expect((await fetch(old)).status).toBe(404);
    expect((await fetch(await readUrl())).status).toBe(200);
  });

  await test.step('it fits on a phone', async () => {
    await page.setViewportSize(PHONE);
    await page.reload();
    await expectToFit(page);
    await page.goto(`${service.url}/monitors`);
    await expect(main.getByRole('row', { name: /Nightly backup/ })).toBeVisible();
    await expectToFit(page);
  });
  expect(faults).toEqual([]);
});
