import { createMonitor } from '@/lib/domain/monitors/create-monitor';
import { createMonitorSchema } from '@/lib/schemas/monitor';
import { parseInput } from '@/lib/schemas/validation';
import { holdRequests } from './support/hold-requests';
import type { OwnOrganization } from './support/own-organization';
import { expectToFit, watchFaults } from './support/page-checks';
import { expect, test } from './support/shared-service';
import { expectAccessibleIfThorough, THOROUGH, thoroughStep } from './support/thorough';

/** Paused monitors: these tests need no checks. */
async function addMonitors({ ctx }: OwnOrganization, names: string[]): Promise<string[]> {
  const ids: string[] = [];
  for (const name of names) {
    const input = { name, url: `https://${name.toLowerCase()}.example.com/`, enabled: false };
    const { id } = await createMonitor(ctx, parseInput(createMonitorSchema, input));
    ids.push(id);
  }
  return ids;
}

test.use({ viewport: { width: 1440, height: 900 } });

test('everything is accessible from the keyboard', async ({ page, context, service, organization }) => {
  await addMonitors(organization, ['Shop', 'Forum']);
  await organization.signIn(context);
  const faults = watchFaults(page, { origin: service.url });
  await page.goto(`${service.url}/monitors`);
  const palette = page.getByRole('dialog', { name: 'Search and commands' });

  // Shown once the page listens to keys.
  const listening = page.getByRole('button', { name: 'Search' }).getByText('K', { exact: true });
  await test.step('pairs of keys open the sections, and do nothing while typing', async () => {
    await expect(listening).toBeVisible();
    await page.keyboard.press('g');
    await page.keyboard.press('w');
    await expect(page.getByRole('heading', { name: 'Maintenance', level: 1 })).toBeVisible();
    await page.goto(`${service.url}/settings/profile`);
    await expect(listening).toBeVisible();
    await page.getByLabel('Name').fill('');
    await page.getByLabel('Name').pressSequentially('gm?');
    await expect(page.getByLabel('Name')).toHaveValue('gm?');
    await expect(page).toHaveURL(/\/settings\/profile$/);
    await expect(page.getByRole('dialog')).toHaveCount(0);
    await page.getByRole('heading', { level: 1 }).click();
  });

  await thoroughStep('? lists the shortcuts, and they can be turned off', async () => {
    await page.keyboard.press('?');
    const list = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
    await expect(list).toContainText('Go to');
    await expectAccessibleIfThorough(page, '[role=dialog]');
    await list.getByRole('checkbox').uncheck();
    await page.keyboard.press('Escape');
    await page.keyboard.press('?');
    await expect(list).toHaveCount(0);
    await page.getByRole('button', { name: /Account menu/ }).click();
    await page.getByRole('menuitem', { name: 'Keyboard shortcuts' }).click();
    await list.getByRole('checkbox').check();
    await page.keyboard.press('Escape');
  });

  await test.step('the palette finds a monitor, opens it, resumes it and undoes that', async () => {
    await page.keyboard.press('Control+k');
    await expect(palette.getByRole('combobox')).toBeFocused();
    await expectAccessibleIfThorough(page, '[role=dialog]');
    await page.keyboard.type('forum.example');
    await expect(palette.getByRole('option')).toHaveCount(1);
    await page.keyboard.press('Enter');
    await expect(page.getByRole('heading', { name: 'Forum', level: 1 })).toBeVisible();
    await page.keyboard.press('Control+k');
    await page.keyboard.type('resume this');
    await palette.getByRole('option', { name: 'Resume this monitor' }).waitFor();
    await page.keyboard.press('Enter');
    const toast = page.getByText('Resumed Forum');
    const font = await page.locator('body').evaluate((body) => getComputedStyle(body).fontFamily);
    await expect(toast).toHaveCSS('font-family', font);
    await expect(page.getByRole('button', { name: 'Pause' })).toBeVisible();
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect(page.getByText('Paused Forum')).toBeVisible();
    await expect(page.getByRole('button', { name: 'Resume' })).toBeVisible();
  });

  await thoroughStep('the palette checks the monitor on the screen, and one that it finds', async () => {
    const shop = (
      await organization.api('POST', '/monitors', { name: 'Depot', url: 'tcp.invalid:1', type: 'tcp' })
    ).body;
    const panel = page.getByRole('dialog', { name: 'Check now' });
    await page.keyboard.press('Control+k');
    await page.keyboard.type('check depot');
    await palette.getByRole('option', { name: /Depot/ }).waitFor();
    await page.keyboard.press('Enter');
    await expect(page.getByRole('heading', { name: 'Depot', level: 1 })).toBeVisible();
    await expect(panel.getByText('Failed')).toBeVisible();
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+k');
    await page.keyboard.type('check this');
    await palette.getByRole('option', { name: 'Check this monitor now' }).waitFor();
    await page.keyboard.press('Enter');
    await expect(panel.getByText(/^This monitor was just checked/)).toBeVisible();
    await page.keyboard.press('Escape');
    await organization.api('DELETE', `/monitors/${shop.id}`);
  });

  await thoroughStep('it fits a phone and offers a viewer nothing to change', async () => {
    await organization.setRole('viewer');
    await page.setViewportSize({ width: 390, height: 800 });
    await page.goto(`${service.url}/monitors`);
    await expectToFit(page);
    await page.getByRole('button', { name: 'Search' }).click();
    await expect(palette.getByRole('option', { name: /Shop/ })).toBeVisible();
    await expect(palette.getByRole('option', { name: 'New monitor' })).toHaveCount(0);
    await expectToFit(page);
  });
  // A monitor that was just resumed may have been checked a moment ago.
  expect(faults.filter((fault) => !/^429 .*\/check$|status of 429/.test(fault))).toEqual([]);
});

test(
  'what is typed while the palette loads reaches its input, and is no shortcut of the page',
  THOROUGH,
  async ({ page, context, service, organization }) => {
    const [shop] = await addMonitors(organization, ['Shop']);
    await organization.signIn(context);
    await page.goto(`${service.url}/monitors/${shop}`, { waitUntil: 'networkidle' });
    const palette = page.getByRole('dialog', { name: 'Search and commands' });
    const release = await holdRequests(page, '**/_next/static/**');
    await page.getByRole('button', { name: 'Search' }).click();
    await page.keyboard.type('chef');
    await page.keyboard.press('Backspace');
    await expect(page.getByRole('dialog')).toHaveCount(0);
    release();
    await expect(palette.getByRole('combobox')).toBeFocused();
    await page.keyboard.type('ck');
    await expect(palette.getByRole('combobox')).toHaveValue('check');
    await expect(page.getByRole('dialog')).toHaveCount(1);

    // It is loaded now, and empty whenever it opens.
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+k');
    await page.keyboard.type('check');
    await expect(palette.getByRole('combobox')).toHaveValue('check');
    await expect(page).toHaveURL(new RegExp(`/monitors/${shop}$`));
  },
);

for (const place of ['the list', 'a monitor']) {
  test(`${place} loads at most 170 KB of scripts`, async ({ page, context, service, organization }) => {
    const [shop] = await addMonitors(organization, ['Shop']);
    const path = place === 'the list' ? '/monitors' : `/monitors/${shop}`;
    await organization.signIn(context);
    const scripts: Promise<number>[] = [];
    page.on('requestfinished', (request) => {
      if (request.resourceType() !== 'script') return;
      scripts.push(request.sizes().then(({ responseBodySize }) => responseBodySize));
    });
    await page.goto(`${service.url}${path}`, { waitUntil: 'load' });
    await expect(page.getByText('Shop', { exact: true }).first()).toBeVisible();
    const bytes = (await Promise.all(scripts)).reduce((sum, size) => sum + size, 0);
    test.info().annotations.push({ type: 'scripts', description: `${(bytes / 1000).toFixed(1)} KB` });
    expect(scripts.length).toBeGreaterThan(3);
    expect(bytes / 1000).toBeLessThanOrEqual(170);
  });
}
