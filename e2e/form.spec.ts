import { createServer } from 'node:http';
import { getMonitor } from '@/lib/domain/monitors/find-monitor';
import { ensureResultPartitions } from '@/lib/engine/upkeep/retention';
import { HIDDEN } from '@/lib/schemas/hidden';
import { listenLocally } from '@/lib/testing/http-listener';
import { startTarget, type Target } from '@/lib/testing/target';
import { createOrganizationIn, type OwnOrganization } from './support/own-organization';
import { expectToFit, watchFaults } from './support/page-checks';
import { expect, test } from './support/shared-service';
import { expectAccessibleIfThorough, THOROUGH } from './support/thorough';

const PHONE = { width: 390, height: 844 };
const DESKTOP = { width: 1440, height: 900 };

let target: Target;

test.beforeAll(async () => {
  target = await startTarget();
});
test.afterAll(() => target?.close());

/** A monitor that failed every tenth check of the last two hours, and once for half an hour. */
async function addFlappingMonitor({ ctx, api }: OwnOrganization): Promise<string> {
  const { body } = await api('POST', '/monitors', {
    name: 'Checkout API',
    url: target.url,
    enabled: false,
    alertThreshold: 1,
    headers: { Authorization: 'Bearer abc' },
    ref: 'shop-1',
  });
  await ensureResultPartitions(ctx.db, ctx.clock.now());
  await ctx.db.$executeRaw`
    UPDATE status_period SET state = 'operational', from_at = now() - interval '1 day' WHERE monitor_id = ${body.id}`;
  await ctx.db.$executeRaw`
    INSERT INTO raw.check_result (checked_at, monitor, region, outcome, response_time, error_code, error)
    SELECT now() - make_interval(mins => 120 - n), number, 1, is_bad::int, CASE WHEN NOT is_bad THEN 50 END,
           CASE WHEN is_bad THEN 'connect' END, CASE WHEN is_bad THEN 'connection refused' END
      FROM monitor, generate_series(1, 115) AS n, LATERAL (SELECT n % 10 = 5 OR n > 80 AND n < 110 AS is_bad) AS seen
     WHERE id = ${body.id}`;
  return body.id;
}

test('a monitor is tested before it is created, and an invalid form keeps its input', async ({
  page,
  service,
  organization,
}) => {
  const faults = watchFaults(page, { origin: service.url });
  await organization.signIn(page.context());
  await page.goto(`${service.url}/monitors/new`);
  await page.getByLabel('Name', { exact: true }).fill('Shop');
  await page.getByLabel('URL').fill('example.com:8443/health');
  await page.keyboard.press('Tab');
  await expect(page.getByText('https:// was added.')).toBeVisible();
  await expect(page.getByLabel('URL')).toHaveValue('https://example.com:8443/health');
  await page.getByLabel('URL').fill(target.url);
  await expect(page.getByText('Checked from this machine.')).toBeVisible();

  const help = page.getByRole('button', { name: 'Help: Thresholds' });
  await help.click();
  await expect(page.getByRole('dialog', { name: 'Thresholds' })).toContainText(
    'A monitor is down after this many failures',
  );
  await expect(help).toHaveAttribute('aria-expanded', 'true');
  await page.keyboard.press('Escape');
  await expect(help).toBeFocused();
  await expect(help).toHaveAttribute('aria-expanded', 'false');
  await page.getByLabel('Expected status').fill('201');
  await expect(page.getByText(/^Down after 3 failed checks in a row\. /)).toBeVisible();

  await page.getByRole('button', { name: 'Test now' }).focus();
  await page.keyboard.press('Enter');
  const found = page.getByRole('status', { name: 'Test results' });
  await expect(found.getByText('Responded with 200, expected 201.')).toHaveCount(1);
  await page.getByLabel('Expected status').fill('200');
  await expect(found).toContainText('The form has changed since this test.');
  await page.getByRole('button', { name: 'Test now' }).click();
  await expect(found.getByText('OK')).toHaveCount(1);
  await expect(found).toContainText(/This machine.*status 200.*11 bytes.*Connect \d+ ms/);

  await page.getByText('As curl').click();
  const command = page.locator('pre').filter({ hasText: 'curl' });
  await expect(command).toContainText(`{"name":"Shop","url":"${target.url}"}`);

  await page.getByText('Request and response').click();
  await page.getByLabel('Headers').fill('no colon');
  await page.getByText('Request and response').click();
  await page.getByLabel('Timeout').fill('900');
  await page.getByRole('button', { name: 'Create monitor' }).click();
  await expect(page.getByText(/^Headers .*is not a valid header name/)).toBeVisible();
  await expect(page.getByLabel('Timeout')).toBeFocused();
  await expect(page.getByLabel('Headers')).toHaveValue('no colon');
  await expectAccessibleIfThorough(page);
  await page.setViewportSize(PHONE);
  await expectToFit(page);

  const summary = page.getByText('Fix the highlighted fields.');
  await page.getByLabel('Timeout').fill('90');
  await expect(page.getByLabel('Timeout')).toHaveAttribute('aria-invalid', 'true');
  await page.getByLabel('Timeout').fill('30');
  await expect(page.getByLabel('Timeout')).not.toHaveAttribute('aria-invalid');
  await expect(summary).toBeVisible();
  await page.getByLabel('Headers').fill('X-Shop: 1');
  await expect(page.getByText(/is not a valid header name/)).toHaveCount(0);
  await expect(summary).toHaveCount(0);
  await page.getByRole('button', { name: 'Create monitor' }).click();
  await expect(page.getByRole('heading', { name: 'Shop' })).toBeVisible();
  const [created] = (await organization.api('GET', '/monitors')).body;
  expect(created).toMatchObject({
    regions: ['us-east'],
    headers: { 'X-Shop': '1' },
    url: target.url,
  });
  expect(faults).toEqual([]);
});

test('the edit form replays the last days with other settings', async ({ page, service, organization }) => {
  const faults = watchFaults(page, { origin: service.url });
  await organization.signIn(page.context());
  const id = await addFlappingMonitor(organization);
  await page.goto(`${service.url}/monitors/${id}/edit`);
  const backtest = page.getByRole('status', { name: 'Backtest' });
  await expect(backtest).toContainText(/In the last 1h \d+m, these settings caused 10 alerts\./);
  await page.getByLabel('Alert after').fill('x');
  await expect(backtest).toContainText('Fill in these numbers');
  await page.getByLabel('Alert after').fill('3');
  await expect(backtest).toContainText(/you would have known .+ later, and had 9 alerts fewer\./);
  await expect(backtest).toContainText(/Avoided alerts.*Down .* for 1m: connection refused/);

  await expect(page.getByLabel('Headers')).toHaveValue(`Authorization: ${HIDDEN}`);
  await expect(page.getByText('resets the monitor to pending')).toHaveCount(0);
  await page.getByLabel('Keyword').fill('status');
  await expect(page.getByText('resets the monitor to pending')).toBeVisible();
  await page.getByText('As curl').click();
  await expect(page.locator('pre').filter({ hasText: 'curl' })).toContainText(
    '{"alertThreshold":3,"keyword":"status"}',
  );
  await page.getByRole('button', { name: 'Test now' }).click();
  await expect(page.getByRole('status', { name: 'Test results' })).toContainText('OK');
  await expectAccessibleIfThorough(page);
  await page.setViewportSize(PHONE);
  await expectToFit(page);
  await page.setViewportSize(DESKTOP);

  // Another person changes another field while this form is open.
  await organization.api('PUT', `/monitors/${id}`, { interval: 300 });
  await page.getByRole('button', { name: 'Save changes' }).click();
  await expect(page).toHaveURL(`${service.url}/monitors/${id}`);
  expect(await getMonitor(organization.ctx, id)).toMatchObject({
    alertThreshold: 3,
    keyword: 'status',
    interval: 300,
    headers: { Authorization: 'Bearer abc' },
  });

  await page.goto(`${service.url}/monitors/new?from=${id}`);
  await expect(page.getByLabel('Name', { exact: true })).toHaveValue('Checkout API (copy)');
  await page.getByRole('button', { name: 'Create monitor' }).click();
  await expect(page.getByRole('heading', { name: 'Checkout API (copy)' })).toBeVisible();
  const [copy] = (await organization.api('GET', '/monitors')).body;
  expect(copy).toMatchObject({ headers: { Authorization: 'Bearer abc' }, alertThreshold: 3, ref: null });

  await organization.setRole('viewer');
  await page.goto(`${service.url}/monitors/${id}/edit`);
  await expect(page.getByText('Your role is viewer, which is read-only.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Save changes' })).toHaveCount(0);
  expect(faults).toEqual([]);
});

test('leaving with unsaved text needs confirmation, and saving does not', async ({
  page,
  service,
  organization,
}) => {
  await organization.signIn(page.context());
  await page.goto(`${service.url}/monitors`);
  await page.getByRole('link', { name: 'Monitor a URL' }).click();
  const name = page.getByLabel('Name', { exact: true });
  await name.fill('Shop');
  const dialog = page.getByRole('alertdialog');
  const stay = async () => {
    await expect(dialog).toContainText('Leave without saving?');
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await expect(dialog).toHaveCount(0);
    await expect(name).toHaveValue('Shop');
  };

  await test.step('by a link, a key, the palette or the back button', async () => {
    await page.getByRole('link', { name: 'Incidents' }).click();
    await expectAccessibleIfThorough(page);
    await stay();
    await page.getByRole('heading', { level: 1 }).click();
    await page.keyboard.press('g');
    await page.keyboard.press('i');
    await stay();
    await page.keyboard.press('ControlOrMeta+k');
    await page.getByPlaceholder('Search monitors, pages, and actions').fill('schedule maintenance');
    await page.keyboard.press('Enter');
    await stay();
    await page.evaluate(() => history.back());
    await stay();
  });

  await test.step('also after the service refused it', async () => {
    await page.getByLabel('URL').fill('no where');
    await page.getByRole('button', { name: 'Create monitor' }).click();
    await expect(page.getByLabel('URL')).toHaveAttribute('aria-invalid', 'true');
    await page.getByRole('link', { name: 'Incidents' }).click();
    await stay();
  });

  await test.step('but not once it is saved', async () => {
    await page.getByLabel('URL').fill(target.url);
    await page.getByRole('button', { name: 'Create monitor' }).click();
    await expect(page.getByRole('heading', { name: 'Shop' })).toBeVisible();
    await page.getByRole('link', { name: 'Incidents' }).click();
    await expect(page).toHaveURL(`${service.url}/incidents`);
  });

  await test.step('and after confirmation the page is left', async () => {
    await page.getByRole('link', { name: 'Open an incident' }).click();
    await page.getByLabel('Title').fill('Checkout fails');
    await page.getByRole('link', { name: 'Cancel' }).click();
    await dialog.getByRole('button', { name: 'Leave' }).click();
    await expect(page).toHaveURL(`${service.url}/incidents`);
  });
});

test('the form’s requests are limited to our own pages, one’s own monitors, and the role', async ({
  service,
  organization,
}) => {
  const id = await addFlappingMonitor(organization);
  const other = await createOrganizationIn(service, { plan: 'free' });
  const foreign = await addFlappingMonitor(other);
  const headers = `Authorization: ${HIDDEN}`;
  const typed = { type: 'http', url: target.url, method: 'GET', timeout: '5', interval: '60', headers };
  const session: Record<string, string> = {};
  const post = async (path: string, data: object, more: Record<string, string> = {}) => {
    const response = await fetch(`${service.url}/monitors/${path}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...session, ...more },
      body: JSON.stringify(data),
    });
    return (await response.json()).message;
  };
  const signedOut = expect.stringContaining('You are signed out');
  expect(await post(`${id}/backtest`, {})).toEqual(signedOut);
  expect(await post('test', { typed, region: 'us-east', source: id })).toEqual(signedOut);

  session.Cookie = await organization.createCookie();
  expect(await post(`${id}/backtest`, {})).toBeUndefined();
  const elsewhere = { 'Sec-Fetch-Site': 'cross-site' };
  expect(await post(`${id}/backtest`, {}, elsewhere)).toBe('This request comes from a page of another site.');
  expect(await post(`${foreign}/backtest`, {})).toBe('Monitor not found.');
  expect(await post('test', { typed, region: 'us-east', source: foreign })).toBe('Monitor not found.');

  await organization.setRole('viewer');
  expect(await post(`${id}/backtest`, {})).toBeUndefined();
  const plain = { ...typed, headers: '', expectedStatusCode: '200', alertThreshold: '1' };
  const whole = { ...plain, recoveryThreshold: '1', degradedThreshold: '5000' };
  expect(await post('test', { typed: whole, region: 'us-east', source: null })).toContain(
    'Your role is viewer',
  );
});

test('a test is canceled when its page is left', THOROUGH, async ({ page, service, organization }) => {
  const { db } = service.access.services;
  const silent = await listenLocally(createServer(() => {}));
  await organization.signIn(page.context());
  await page.goto(`${service.url}/monitors/new?url=${silent.url}`);
  await page.getByRole('button', { name: 'Test now' }).click();
  await expect(page.getByText('Checking from this machine…')).toBeVisible();
  await expect.poll(() => db.dryRun.count()).toBe(1);
  await page.getByRole('link', { name: 'Cancel' }).click();
  await expect.poll(() => db.dryRun.count()).toBe(0);
  await silent.close();
});

test.describe('on a plan', () => {
  test.use({ plan: 'free' });

  test(
    'a type with several inputs marks the one that is wrong',
    THOROUGH,
    async ({ page, service, organization }) => {
      await organization.signIn(page.context());
      await page.goto(`${service.url}/monitors/new`);
      await page.getByText('DNS', { exact: true }).click();
      await page.getByLabel('Name', { exact: true }).fill('Mail');
      await page.getByLabel('Host name').fill('example.com');
      await page.getByLabel('Record').selectOption('MX');
      await page.getByLabel('Resolver', { exact: true }).fill('no resolver');
      await page.getByRole('button', { name: 'Create monitor' }).click();
      await expect(page.getByText(/^Resolver must be a host name or an IP address/)).toBeVisible();
      await expect(page.getByLabel('Resolver', { exact: true })).toBeFocused();
      await page.getByLabel('Resolver', { exact: true }).fill('127.0.0.1:9');
      await page.getByRole('button', { name: 'Create monitor' }).click();
      await expect(page.getByRole('heading', { name: 'Mail' })).toBeVisible();
      const [created] = (await organization.api('GET', '/monitors')).body;
      expect(created).toMatchObject({ type: 'dns', url: 'dns://127.0.0.1:9/example.com?type=MX' });
    },
  );
});
