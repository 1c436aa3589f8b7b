import { getMonitor } from '@/lib/domain/monitors/find-monitor';
import { expectAccessible, expectToFit, watchFaults } from '../support/page-checks';
import { expect, test } from '../support/shared-service';

const ASSERTIONS = [
  { source: 'json', property: '$.queue.depth', comparison: 'lessThan', target: 50 },
  { source: 'responseTime', property: null, comparison: 'lessThan', target: 800 },
];

test('another type keeps what it lacks until the monitor is saved', async ({
  page,
  service,
  organization,
}) => {
  const faults = watchFaults(page, { origin: service.url });
  const { body } = await organization.api('POST', '/monitors', {
    name: 'Queue',
    url: 'http://127.0.0.1:9/',
    enabled: false,
    keyword: 'depth',
    alertThreshold: 5,
    assertions: ASSERTIONS,
  });
  await organization.signIn(page.context());
  await page.goto(`${service.url}/monitors/${body.id}/edit`);
  const select = (type: string) => page.getByText(type, { exact: true }).click();
  const path = page.getByLabel('JSON path of assertion 1');
  await path.fill('$.depth');
  await page.getByLabel('Keyword').fill('queue');

  await test.step('and shows what does not apply', async () => {
    await select('TCP');
    await expect(
      page.getByText(
        '1 assertion does not apply to TCP monitors and will be removed. Ignored for TCP monitors: Keyword.',
      ),
    ).toBeVisible();
    await expect(page.getByLabel('Source of assertion 1')).toHaveValue('responseTime');
    await expect(page.getByLabel('Source of assertion 2')).toHaveCount(0);
    await expectAccessible(page);
  });

  await test.step('also past a type without assertions, and back', async () => {
    await select('Heartbeat');
    await expect(page.getByText('2 assertions do not apply to Heartbeat monitors')).toBeVisible();
    await expect(page.getByLabel('Alert after')).toHaveValue('1');
    await page.getByLabel('Grace').fill('120');
    await select('HTTP');
    await expect(page.getByText('do not apply')).toHaveCount(0);
    await expect(path).toHaveValue('$.depth');
    await expect(page.getByLabel('Keyword')).toHaveValue('queue');
    await expect(page.getByLabel('Alert after')).toHaveValue('5');
  });

  await test.step('and after the service rejected it', async () => {
    await select('TCP');
    await page.getByLabel('Host and port').fill('nowhere');
    await page.getByRole('button', { name: 'Save changes' }).click();
    await expect(page.getByLabel('Host and port')).toHaveAttribute('aria-invalid', 'true');
    await page.getByLabel('Host and port').fill('127.0.0.1:9');
    await select('HTTP');
    await expect(path).toHaveValue('$.depth');
    await expect(page.getByLabel('Keyword')).toHaveValue('queue');
    await select('TCP');
  });

  await test.step('fits on a phone', async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    await expectToFit(page);
  });

  await test.step('and is saved without it', async () => {
    await page.getByRole('button', { name: 'Save changes' }).click();
    await expect(page).toHaveURL(`${service.url}/monitors/${body.id}`);
    expect(await getMonitor(organization.ctx, body.id)).toMatchObject({
      type: 'tcp',
      url: '127.0.0.1:9',
      alertThreshold: 5,
      assertions: ASSERTIONS.slice(1),
    });
  });

  await test.step('as a heartbeat, without any', async () => {
    await page.goto(`${service.url}/monitors/${body.id}/edit`);
    await select('Heartbeat');
    await page.getByLabel('Period').fill('3600');
    await page.getByRole('button', { name: 'Save changes' }).click();
    await expect(page).toHaveURL(`${service.url}/monitors/${body.id}`);
    const saved = await getMonitor(organization.ctx, body.id);
    expect(saved).toMatchObject({ type: 'heartbeat', period: 3600, assertions: [] });
  });
  expect(faults).toEqual([]);
});
