import { storeChecks } from '@/lib/domain/monitors/testing/history';
import { ensureResultPartitions } from '@/lib/engine/upkeep/retention';
import { startTarget, type Target } from '@/lib/testing/target';
import type { OwnOrganization } from './support/own-organization';
import { ATTEMPT_MS, expectToFit, seeAll, watchFaults } from './support/page-checks';
import { expect, test } from './support/shared-service';
import { expectAccessibleIfThorough, THOROUGH, thoroughStep } from './support/thorough';
import { writeHistory } from './support/write-history';

let target: Target;

test.use({ timezoneId: 'Europe/Berlin' });

test.beforeAll(async () => {
  target = await startTarget();
  target.respondWith(503);
});

test.afterAll(() => target?.close());

test('a monitor’s page shows what happened and why; deletion can be undone', async ({
  page,
  service,
  organization,
}) => {
  const faults = watchFaults(page, { origin: service.url });
  await organization.signIn(page.context());
  const id = await addMonitorWithPast(organization);
  const main = page.getByRole('main');

  await test.step('it is down, since when and why', async () => {
    await page.goto(`${service.url}/monitors/${id}`);
    await expect(main.getByText('Down', { exact: true })).toBeVisible();
    await expect(main.getByText(DESCRIPTION)).toBeVisible();
    await expect(main.getByText(/^for .+, since .*\d\d:\d\d$/)).toBeVisible();
    await expect(
      main.getByText('This machine failed a check: responded with 503, expected 200').first(),
    ).toBeVisible();
    await expect(main.getByRole('region', { name: 'Open incident' })).toContainText('Shop is down');
    await expect(main.getByRole('definition').first()).toHaveText(/^\d+(\.\d\d)?%$/);
    await expectAccessibleIfThorough(page);
  });

  await test.step('the chart is read by keyboard; its time range and lines are in the URL', async () => {
    const chart = main.getByRole('slider', { name: 'Response time history' });
    await chart.focus();
    await expect(main.getByText('Zoomed to the outage')).toBeVisible();
    await main.getByRole('link', { name: '24 hours' }).click();
    await expect(main.getByText('Zoomed to the outage')).toHaveCount(0);
    await chart.focus();
    await page.keyboard.press('Home');
    await expect(chart).toHaveAttribute('aria-valuenow', '1');
    await page.keyboard.press('ArrowRight');
    await expect(chart).toHaveAttribute(
      'aria-valuetext',
      /Median \d+ ms, p95 \d+ ms, p99 \d+ ms, \d+ checks/,
    );
    await main.getByRole('link', { name: '7 days' }).click();
    await expect(page).toHaveURL(/\?window=7d$/);
    // Its regions are one place here, which has no lines of its own.
    await page.goto(`${page.url()}&by=region`);
    await expect(main.getByRole('heading', { name: 'Response time', exact: true })).toBeVisible();
    await main.getByRole('button', { name: 'Show as table' }).click();
    await expect(main.getByRole('table', { name: 'Response times' }).getByRole('row')).toHaveCount(85);
    await main.getByRole('button', { name: 'Hide table' }).click();
    const days = main.getByRole('slider', { name: 'Daily uptime for the last 90 days' });
    await days.focus();
    await page.keyboard.press('End');
    await expect(days).toHaveAttribute('aria-valuetext', /: (down|degraded|operational)/);
  });

  await thoroughStep(
    'a part of the chart is zoomed to by keyboard and by dragging, and is in the URL',
    async () => {
      const chart = main.getByRole('slider', { name: 'Response time history' });
      await main.getByRole('link', { name: '24 hours' }).click();
      await expect(page).toHaveURL(/window=24h/);
      await chart.focus();
      await page.keyboard.press('End');
      for (let step = 0; step < 3; step++) await page.keyboard.press('Shift+ArrowLeft');
      await expect(chart).toHaveAttribute('aria-valuetext', /selected, Enter zooms in$/);
      await page.keyboard.press('Enter');
      await expect(page).toHaveURL(/from=/);
      // An hour, at most, in buckets as wide as the interval: from quarter to quarter.
      const count = Number(await chart.getAttribute('aria-valuemax'));
      expect(count).toBeGreaterThan(30);
      expect(count).toBeLessThanOrEqual(60);

      const reset = main.getByRole('link', { name: 'Reset zoom' });
      await reset.click();
      await expect(reset).toHaveCount(0);
      const drag = async (first: number, last: number) => {
        await chart.scrollIntoViewIfNeeded();
        const { x = 0, y = 0, width = 0, height = 0 } = (await chart.boundingBox()) ?? {};
        await page.mouse.move(x + width * first, y + height / 2);
        await page.mouse.down();
        await page.mouse.move(x + width * last, y + height / 2, { steps: 4 });
        await page.mouse.up();
      };
      await drag(0.7, 0.3);
      await expect(page).toHaveURL(/from=.*&to=/);
      await expect(reset).toBeVisible();
      await page.goBack();
      await expect(reset).toHaveCount(0);
      await drag(0.5, 0.502);
      await expect(page, 'a click is no selection').not.toHaveURL(/from=/);
    },
  );

  await test.step('what is below the fold loads when it is seen; a state change expands to the vote of each region', async () => {
    const checks = main.getByRole('heading', { name: 'Latest checks' });
    await expect(checks).toHaveCount(0);
    await seeAll(page);
    await expect(checks).toBeVisible();
    await main.getByText('Went down').first().click();
    await expect(main.getByText(/^This machine: failing, .*responded with 503, expected 200$/)).toBeVisible();
  });

  await test.step('checks are filtered, paged, and expanded to the raw result', async () => {
    await main.getByRole('link', { name: 'Older' }).last().click();
    await expect(main.getByRole('link', { name: 'Newest' })).toBeVisible();
    await main.getByRole('link', { name: 'Failed', exact: true }).click();
    await expect(main.getByRole('link', { name: 'Newest' })).toHaveCount(0);
    await main.getByRole('button', { name: 'Failed' }).first().click();
    await expect(main.getByText('"errorCode": "status"')).toBeVisible();
    await page.setViewportSize({ width: 390, height: 844 });
    await expectToFit(page);
    await expectAccessibleIfThorough(page);
    await page.setViewportSize({ width: 1440, height: 900 });
  });

  await test.step('it is deleted by keyboard, and restored with one click', async () => {
    const deleteByKeyboard = async () => {
      // A page that is still loading loses keys, and moves the focus when it has loaded, which closes a menu.
      await expect(async () => {
        await page.keyboard.press('Escape');
        await main.getByRole('button', { name: 'More actions for Shop' }).focus();
        await page.keyboard.press('Enter');
        await expect(page.getByRole('menuitem', { name: 'Duplicate' })).toBeFocused({ timeout: ATTEMPT_MS });
        await page.keyboard.press('End');
        await expect(page.getByRole('menuitem', { name: 'Delete' })).toBeFocused({ timeout: ATTEMPT_MS });
      }).toPass();
      await page.keyboard.press('Enter');
    };
    await deleteByKeyboard();
    await expect(page).toHaveURL(/\/monitors$/);
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect(main.getByRole('heading', { name: 'Shop' })).toBeVisible();
    expect((await organization.api('GET', `/monitors/${id}`)).status).toBe(200);
    await deleteByKeyboard();
    await expect.poll(async () => (await organization.api('GET', `/monitors/${id}`)).status).toBe(404);
    await expect(page.getByText('Deleted Shop')).toHaveCount(0);
  });

  expect(faults).toEqual([]);
});

test(
  'the page explains pauses, pending first checks, and unknown monitors; viewers get no actions',
  THOROUGH,
  async ({ page, service, organization }) => {
    await organization.signIn(page.context());
    const paused = { name: 'Paused', url: target.url, enabled: false };
    const { id } = (await organization.api('POST', '/monitors', paused)).body;
    const main = page.getByRole('main');

    const actions = (url: URL) => url.pathname === `/monitors/${id}`;
    await page.route(actions, (route) =>
      route.request().method() === 'POST' ? route.abort() : route.continue(),
    );
    await page.goto(`${service.url}/monitors/${id}`);
    await expect(main.getByText('Paused: no checks, no alerts')).toBeVisible();
    await seeAll(page);
    const failed = main.getByRole('alert').filter({ hasText: 'The service did not respond.' });
    await expect(failed).toHaveCount(5);
    await page.unroute(actions);
    while ((await failed.count()) > 0)
      await failed.first().getByRole('button', { name: 'Try again' }).click();
    await expect(main.getByText('No checks yet.')).toBeVisible();
    await organization.ctx.db.monitor.update({ where: { id }, data: { enabled: true } });
    await page.reload();
    await expect(
      main.getByText('The first check is running. This page updates automatically.'),
    ).toBeVisible();

    await organization.setRole('viewer');
    await page.reload();
    await expect(main.getByRole('heading', { name: 'Paused' })).toBeVisible();
    await expect(main.getByRole('button', { name: /Pause|Resume|More actions/ })).toHaveCount(0);
    await expect(main.getByRole('link', { name: 'Edit' })).toHaveCount(0);

    const missing = await page.goto(`${service.url}/monitors/mon_00000000000000000000000000`);
    expect(missing?.status()).toBe(404);
    await expect(page.getByRole('heading', { name: 'Page not found' })).toBeVisible();
  },
);

test(
  'while its history does not arrive, the page shows its frame, and everything once it does',
  THOROUGH,
  async ({ page, service, organization }) => {
    await organization.signIn(page.context());
    const { id } = (await organization.api('POST', '/monitors', { name: 'Slow', url: target.url })).body;
    const main = page.getByRole('main');
    const open = () => page.goto(`${service.url}/monitors/${id}`, { waitUntil: 'commit' });
    const skeleton = main.getByRole('status').getByText('Loading', { exact: true });

    await organization.ctx.db.$transaction(async (tx) => {
      await tx.$executeRaw`LOCK TABLE marker IN ACCESS EXCLUSIVE MODE`;
      await open();
      await expect(skeleton).toBeAttached();
      await expect(page.getByRole('navigation', { name: 'Main' })).toBeVisible();
    });
    await expect(main.getByRole('heading', { name: 'Slow' })).toBeVisible();
    await expect(skeleton).toHaveCount(0);

    const hasSkeleton = async () =>
      (await (await page.request.get(`${service.url}/monitors/${id}`)).text()).includes('>Loading<');
    await expect.poll(hasSkeleton, 'not if its data arrives in time').toBe(false);
  },
);

const DESCRIPTION = 'Runs in the old data center.';

/** A monitor that just went down, with 90 days of history and two days of successful checks from two regions. */
async function addMonitorWithPast({ api, ctx }: OwnOrganization): Promise<string> {
  const monitor = { name: 'Shop', description: DESCRIPTION, url: target.url, alertThreshold: 1 };
  const { id } = (await api('POST', '/monitors', monitor)).body;
  await expect.poll(async () => (await api('GET', `/monitors/${id}`)).body.status).toBe('down');
  await writeHistory(ctx);
  const now = new Date(Date.now() - 60_000);
  const since = new Date(now.getTime() - 2 * 86_400_000);
  for (const day of [since, now]) await ensureResultPartitions(ctx.db, day);
  await storeChecks(ctx.db, [id], { since, now, everySeconds: 300, regions: 2 });
  return id;
}
