import { writePeriods } from '@/lib/domain/monitors/testing/history';
import { startTarget, type Target } from '@/lib/testing/target';
import { expectAccessible, expectToFit, watchFaults } from '../support/page-checks';
import { expect, test } from '../support/shared-service';

const HOUR = 3_600_000;

let target: Target;
test.beforeAll(async () => {
  target = await startTarget();
  target.respondWith(503);
});
test.afterAll(() => target?.close());

test('a correction shows both figures, and an incident that waits is published by hand', async ({
  page,
  service,
  organization,
}) => {
  const { api, ctx } = organization;
  const faults = watchFaults(page, { origin: service.url });
  await organization.signIn(page.context());
  const shop = { name: 'Shop', url: target.url, alertThreshold: 1, regions: ['us-east'] };
  const office = { name: 'Office', url: target.url, enabled: false };
  const down = (await api('POST', '/monitors', shop)).body.id;
  const wrong = (await api('POST', '/monitors', office)).body.id;
  const now = Math.floor(Date.now() / 1000) * 1000;
  const ago = (hours: number) => new Date(now - hours * HOUR);
  await ctx.db.monitor.update({ where: { id: wrong }, data: { createdAt: ago(80 * 24) } });
  await writePeriods(ctx.db, wrong, [
    { state: 'operational', from: ago(80 * 24) },
    { state: 'down', from: ago(30) },
    { state: 'operational', from: ago(29) },
  ]);
  const slug = `corrected-${organization.id.slice(-12)}`;
  const automaticIncidents = { show: 'manually', afterMinutes: null };
  const body = { name: 'Acme', slug, monitors: [down, wrong], published: true, automaticIncidents };
  await api('POST', '/status-pages', body);
  const publicPage = `${service.url}/status/${slug}`;
  const main = page.getByRole('main');

  await test.step('a correction is entered, and the monitor and its status page show both figures', async () => {
    await page.goto(`${service.url}/monitors/${wrong}/corrections`);
    await expect(main.getByText('No corrections.')).toBeVisible();
    const typed = (at: Date) => at.toISOString().slice(0, 19);
    await page.getByLabel('From (UTC)').fill(typed(ago(30)));
    await page.getByLabel('To (UTC)').fill(typed(ago(29)));
    await page.getByLabel('Reason').fill('The probe had lost its network');
    await page.getByRole('button', { name: 'Add correction' }).click();
    await expect(main.getByRole('cell', { name: /^The probe had lost its network/ })).toBeVisible();
    await expectAccessible(page);
    await page.goto(`${service.url}/monitors/${wrong}`);
    await expect(main.getByText('corrected; 99.86% measured')).toBeVisible();
    await page.goto(publicPage);
    await expect(main.getByText(/corrected, 99\.\d+% measured/).first()).toBeVisible();
    await expectAccessible(page);
    await page.setViewportSize({ width: 390, height: 844 });
    await expectToFit(page);
    await page.setViewportSize({ width: 1440, height: 900 });
  });

  await test.step('an automatic incident waits until it is published', async () => {
    const open = async () => (await api('GET', '/incidents?open=true')).body;
    await expect.poll(async () => (await open()).length).toBe(1);
    const [{ id, title }] = await open();
    await page.goto(publicPage);
    await expect(main.getByText(title)).toHaveCount(0);
    await page.goto(`${service.url}/incidents/${id}`);
    await expect(main.getByText('Not shown')).toBeVisible();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Publish on Acme' }).click();
    await expect(page.getByRole('button', { name: 'Hide on Acme' })).toBeVisible();
    await page.setViewportSize({ width: 390, height: 844 });
    await expectToFit(page);
    await page.goto(publicPage);
    await expect(main.getByRole('link', { name: title }).first()).toBeVisible();
    await expectToFit(page);
  });

  expect(faults).toEqual([]);
});
