import type { Page } from '@playwright/test';
import { createMonitor } from '@/lib/domain/monitors/create-monitor';
import { copyMonitor, storeChecks } from '@/lib/domain/monitors/testing/history';
import { createMonitorSchema } from '@/lib/schemas/monitor';
import { startTarget } from '@/lib/testing/target';
import { holdRequests } from './support/hold-requests';
import type { OwnOrganization } from './support/own-organization';
import { ATTEMPT_MS, expectToFit, watchFaults } from './support/page-checks';
import { expect, test } from './support/shared-service';
import { expectAccessibleIfThorough, THOROUGH, thoroughStep } from './support/thorough';

const MINUTE = 60_000;

/** Creates a monitor that is never checked, with the given status and stored checks. */
async function addMonitor(
  { ctx }: OwnOrganization,
  fields: { name: string; status?: string; tags?: string[] },
) {
  const { status = 'operational', ...input } = fields;
  const url = `http://${input.name.toLowerCase().replaceAll(' ', '-')}.test/`;
  // Paused at first: a worker begins the first check of others at once.
  const paused = createMonitorSchema.parse({ url, enabled: false, ...input });
  const { id } = await createMonitor(ctx, paused);
  const now = ctx.clock.now();
  await ctx.db.monitor.update({ where: { id }, data: { enabled: true } });
  await ctx.db.statusPeriod.updateMany({ where: { monitorId: id }, data: { state: 'operational' } });
  await ctx.db.$executeRaw`
    UPDATE monitor_state SET status = ${status}::monitor_status, last_checked_at = ${now} WHERE monitor_id = ${id}`;
  const since = new Date(now.getTime() - 20 * MINUTE);
  await storeChecks(ctx.db, [id], { since, now, everySeconds: 60, regions: 1 });
  return id;
}

/** Waits until the page handles keys; earlier ones are lost. */
async function untilAlive(page: Page) {
  await expect(async () => {
    await page.keyboard.press('/');
    await expect(page.getByRole('searchbox')).toBeFocused({ timeout: ATTEMPT_MS });
  }).toPass();
}

test('monitors are found, browsed by keyboard, changed in bulk, and deleted with undo', async ({
  page,
  service,
  organization,
}) => {
  const faults = watchFaults(page, { origin: service.url });
  await organization.signIn(page.context());
  await addMonitor(organization, { name: 'Shop', tags: ['shop', 'production'] });
  await addMonitor(organization, { name: 'Shop search', status: 'degraded', tags: ['shop'] });
  await addMonitor(organization, { name: 'Mail', status: 'down' });
  await addMonitor(organization, { name: 'Wiki' });
  const rows = page.getByRole('row').filter({ has: page.getByRole('rowheader') });
  const names = () => rows.getByRole('link').allTextContents();
  const bar = page.getByRole('region', { name: 'Selected monitors' });

  await test.step('problems come first, each count is a filter, and the URL holds the filters', async () => {
    const release = await holdRequests(page, '**/_next/static/**/*.js');
    await page.goto(`${service.url}/monitors`, { waitUntil: 'commit' });
    await page.getByRole('searchbox').pressSequentially('shop');
    await page.getByLabel('Tag').selectOption('production');
    release();
    await expect(page, 'typed and chosen before scripts load').toHaveURL(/q=shop&tag=production/);
    await expect.poll(names).toEqual(['Shop']);
    await expect(page.getByRole('searchbox')).toHaveValue('shop');
    await expect(page.getByLabel('Tag')).toHaveValue('production');
    await page.unrouteAll();

    await page.goto(`${service.url}/monitors`);
    // Before hydration, each filter button requests the whole page.
    await untilAlive(page);
    await expect.poll(names).toEqual(['Mail', 'Shop search', 'Shop', 'Wiki']);
    await expect(rows.filter({ hasText: 'Wiki' }).getByRole('img')).toHaveAccessibleName(
      'Last 21 checks: 21 ok',
    );
    await expectAccessibleIfThorough(page);
    await rows.filter({ hasText: 'Shop search' }).hover();
    const [outline, ground] = await rows
      .filter({ hasText: 'Shop search' })
      .getByText('shop', { exact: true })
      .evaluate((tag) => [
        getComputedStyle(tag).borderTopColor,
        getComputedStyle(tag.closest('tr') ?? tag).backgroundColor,
      ]);
    expect(outline, 'a tag stays visible in the row under the pointer').not.toBe(ground);
    await page.getByRole('button', { name: '1 down' }).click();
    await page.getByRole('button', { name: '1 degraded' }).click();
    await expect.poll(names).toEqual(['Mail', 'Shop search']);
    await expect(page).toHaveURL(/\?status=down%2Cdegraded$/);
    await page.goBack();
    await expect.poll(names).toEqual(['Mail']);
    await page.goto(`${service.url}/monitors?tag=shop&sort=-name`);
    await untilAlive(page);
    await expect.poll(names).toEqual(['Shop search', 'Shop']);
    await page.getByRole('button', { name: 'Monitor', exact: true }).click();
    await expect.poll(names).toEqual(['Shop', 'Shop search']);
    await expect(page.getByRole('columnheader', { name: 'Monitor', exact: true })).toHaveAttribute(
      'aria-sort',
      'ascending',
    );
  });

  await test.step('no matches are explained, and cleared with one click', async () => {
    await page.keyboard.press('/');
    await page.keyboard.type('kjx');
    await expect(page.getByRole('heading', { name: 'No matching monitors' })).toBeVisible();
    await expect(page).toHaveURL(/q=kjx/);
    await page.getByRole('main').getByRole('button', { name: 'Clear filters' }).last().click();
    await expect(rows).toHaveCount(4);
    await expect(page.getByRole('searchbox')).toHaveValue('');
  });

  await test.step('the keyboard moves through rows, selects them, and opens one', async () => {
    await page.goto(`${service.url}/monitors`);
    const first = rows.getByRole('link', { name: 'Mail' });
    await untilAlive(page);
    await first.focus();
    for (const key of ['j', 'x', 'j', 'k', 'k']) await page.keyboard.press(key);
    await expect(first).toBeFocused();
    await expect(page.getByRole('checkbox', { name: 'Select Shop search' })).toBeChecked();
    await expect(bar).toContainText('1 selected');
    await page.keyboard.press('Escape');
    await expect(bar).toHaveCount(0);
    await page.keyboard.press('Enter');
    await expect(page.getByRole('heading', { name: 'Mail' })).toBeVisible();
    await page.goBack();
  });

  await test.step('going back to the list changes neither its filters nor its order', async () => {
    const address = `${service.url}/monitors?tag=shop&sort=-name`;
    await page.goto(address);
    await rows.getByRole('link', { name: 'Shop search' }).click();
    await expect(page.getByRole('heading', { name: 'Shop search' })).toBeVisible();
    await page.goBack();
    await expect.poll(names).toEqual(['Shop search', 'Shop']);
    await expect(page).toHaveURL(address);
    await page.goForward();
    await expect(page.getByRole('heading', { name: 'Shop search' })).toBeVisible();
    await page.goto(`${service.url}/monitors`);
  });

  await test.step('several are tagged and paused in bulk', async () => {
    await page.getByRole('checkbox', { name: 'Select Shop', exact: true }).check();
    await page.getByRole('checkbox', { name: 'Select Wiki' }).click({ modifiers: ['Shift'] });
    await bar.getByRole('button', { name: 'Tags' }).click();
    const menu = page.getByRole('dialog', { name: 'Tags on selected monitors' });
    await expect(menu.getByRole('listitem').filter({ hasText: 'production' })).toContainText('1 of 2');
    await expectAccessibleIfThorough(page);
    await menu.getByLabel('Tag to add').fill('eu');
    await page.keyboard.press('Enter');
    await expect(rows.filter({ hasText: 'Wiki' })).toContainText('eu');
    await expect(bar).toHaveCount(0);

    await page.getByRole('combobox', { name: 'Tag' }).selectOption('eu');
    // Until the filtered list arrives, the monitors shown are all of them.
    await expect(rows.filter({ hasText: 'Mail' })).toHaveCount(0);
    await page.getByRole('checkbox', { name: 'Select all monitors shown' }).check();
    await bar.getByRole('button', { name: 'Pause' }).click();
    await expect(page.getByRole('button', { name: '2 paused' })).toBeVisible();
    const paused = await organization.api('GET', '/monitors?enabled=false');
    expect(paused.body.map(({ name }: { name: string }) => name).toSorted()).toEqual(['Shop', 'Wiki']);
  });

  await test.step('deleted monitors disappear right away, and come back with undo', async () => {
    await page.getByRole('checkbox', { name: 'Select all monitors shown' }).check();
    await bar.getByRole('button', { name: 'Delete' }).click();
    await expect(page.getByRole('heading', { name: 'No matching monitors' })).toBeVisible();
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect(rows).toHaveCount(2);
    await page.getByRole('checkbox', { name: 'Select Wiki' }).check();
    await bar.getByRole('button', { name: 'Delete' }).click();
    await expect(page.getByText('Deleted Wiki')).toBeVisible();
    const fontOf = (selector: string) =>
      page
        .locator(selector)
        .first()
        .evaluate((element) => getComputedStyle(element).fontFamily);
    expect(await fontOf('[data-sonner-toast]')).toBe(await fontOf('body'));
    const count = async () => (await organization.api('GET', '/monitors')).body.length;
    await expect.poll(count).toBe(3);
    await expect(page.getByText('Deleted Wiki')).toHaveCount(0);
    await expect.poll(names).toEqual(['Shop']);
  });

  await thoroughStep('on a phone, rows are cards; viewers cannot select', async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto(`${service.url}/monitors`);
    await untilAlive(page);
    await page.getByRole('checkbox', { name: 'Select Shop', exact: true }).check();
    await expect(bar).toBeInViewport();
    await expectToFit(page);
    await expectAccessibleIfThorough(page);
    await organization.setRole('viewer');
    await page.reload();
    await expect(rows).toHaveCount(3);
    await expect(page.getByRole('checkbox')).toHaveCount(0);
    await expect(page.getByRole('link', { name: 'New monitor' })).toHaveCount(0);
  });

  expect(faults).toEqual([]);
});

test(
  'on a phone, a long reason is cut instead of the name, for viewers too',
  THOROUGH,
  async ({ page, service, organization }) => {
    const target = await startTarget();
    try {
      const assertions = [{ source: 'body', comparison: 'contains', target: 'everything works as expected' }];
      const name = 'Checkout of the shop';
      const { body } = await organization.api('POST', '/monitors', {
        name,
        url: target.url,
        alertThreshold: 1,
        assertions,
      });
      const status = async () => (await organization.api('GET', `/monitors/${body.id}`)).body.status;
      await expect.poll(status).toBe('down');
      await organization.signIn(page.context());
      await page.setViewportSize({ width: 390, height: 844 });
      for (const role of ['owner', 'viewer'] as const) {
        await organization.setRole(role);
        await page.goto(`${service.url}/monitors`);
        const link = page.getByRole('link', { name });
        const reason = page.getByText(/body .*everything works/).filter({ visible: true });
        await expect(reason).toBeVisible();
        const isCut = (element: Element) => element.scrollWidth > element.clientWidth;
        expect(await Promise.all([link.evaluate(isCut), reason.evaluate(isCut)])).toEqual([false, true]);
        await expectToFit(page);
      }
    } finally {
      await target.close();
    }
  },
);

test(
  'of a thousand monitors few are drawn, and all can be reached',
  THOROUGH,
  async ({ page, service, organization }) => {
    const faults = watchFaults(page, { origin: service.url });
    await organization.signIn(page.context());
    const first = await addMonitor(organization, { name: 'Service' });
    await copyMonitor(organization.ctx.db, first, 999);
    await organization.ctx.db.$executeRaw`
    UPDATE monitor SET name = 'Service ' || number WHERE id LIKE ${`${first}_%`}`;
    const now = organization.ctx.clock.now();
    const since = new Date(now.getTime() - 20 * MINUTE);
    await storeChecks(organization.ctx.db, [`${first}_999`], { since, now, everySeconds: 60, regions: 1 });
    const sent = await (await page.request.get(`${service.url}/monitors?q=service`)).text();
    expect(sent.match(/<tr data-row/g)).toHaveLength(32);
    expect(sent.replaceAll('<!-- -->', '')).toContain('1000 of 1000');
    await page.goto(`${service.url}/monitors`);
    const table = page.getByRole('table');
    await expect(table).toHaveAttribute('aria-rowcount', '1001');
    const links = table.getByRole('link');
    expect(await links.count()).toBeLessThan(80);

    await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight));
    const last = page
      .getByRole('row')
      .filter({ has: page.getByRole('rowheader') })
      .last();
    await expect(last).toHaveAttribute('aria-rowindex', '1001');
    await expect(last).toBeInViewport();
    // The checks of rows are read when they are seen.
    await expect(last.getByRole('img')).toHaveAccessibleName('Last 21 checks: 21 ok');
    await last.getByRole('link').focus();
    await page.evaluate(() => window.scrollTo(0, 0));
    await page.keyboard.press('k');
    await expect(page.locator('tr:has(a:focus)')).toHaveAttribute('aria-rowindex', '1000');
    await expect(page.locator('tr:has(a:focus)')).toBeInViewport();
    expect(await links.count()).toBeLessThan(80);
    expect(faults).toEqual([]);
  },
);
