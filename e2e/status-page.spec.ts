import type { Browser, BrowserContextOptions, Locator, Page } from '@playwright/test';
import { startTarget, type Target } from '@/lib/testing/target';
import type { ApiClient } from './support/api-client';
import { checkNow } from './support/check-now';
import { createOrganizationIn } from './support/own-organization';
import { expectToFit, findViolations, watchFaults } from './support/page-checks';
import { expect, test } from './support/shared-service';
import { THOROUGH } from './support/thorough';
import { writeHistory } from './support/write-history';

const WIDE = { width: 1440, height: 900 };
const NARROW = { width: 390, height: 844 };
const THEMES = [
  { scheme: 'dark', primaryColor: '#22c55e', backgroundColor: '#0a0a0a', textColor: '#fafafa' },
  { scheme: 'light', primaryColor: '#4f46e5', backgroundColor: '#ffffff', textColor: '#18181b' },
  // Unreadable without corrections.
  { scheme: 'dark', primaryColor: '#c2410c', backgroundColor: '#c2410c', textColor: '#b3420f' },
] as const;

const SLUG = 'followed';

let healthy: Target;
let checkout: Target;
let api: ApiClient;
/** The URL of the page, and of its service. */
let address: string;
let origin: string;

test.beforeAll(async ({ service }) => {
  [healthy, checkout] = await Promise.all([startTarget(), startTarget()]);
  const organization = await createOrganizationIn(service, { plan: 'enterprise' });
  api = organization.api;
  origin = service.url;
  address = `${origin}/status/${SLUG}`;
  const monitors: string[] = [];
  for (const name of ['Website', 'Checkout API', 'Email']) {
    const own = name === 'Checkout API' ? checkout : healthy;
    const created = await api('POST', '/monitors', { name, url: own.url, interval: 30, alertThreshold: 1 });
    monitors.push(created.body.id);
  }
  await expect
    .poll(async () => (await api('GET', '/monitors?status=operational')).body.length)
    .toBe(monitors.length);
  await writeHistory(organization.ctx);
  const page = { name: 'Acme', description: 'Everything that Acme runs.', slug: SLUG, monitors };
  await api('POST', '/status-pages', { ...page, published: true, showResponseTimes: true });
});

test.afterAll(async () => {
  await Promise.all([healthy?.close(), checkout?.close()]);
});

test('the page is complete without JavaScript', async ({ browser }) => {
  const { page, faults, close } = await open(browser, { javaScriptEnabled: false, viewport: WIDE });
  const kinds = new Set<string>();
  page.on('request', (request) => kinds.add(request.resourceType()));
  await page.goto(address);
  await expect(page.getByRole('heading', { name: 'All systems operational' })).toBeVisible();
  await expect(page.locator('#fresh')).toHaveText(/^As of .+ UTC$/);
  await expect(page.locator('#systems > ul > li').filter({ hasText: 'Checkout API' })).toContainText(
    'Operational',
  );
  await page
    .getByText(/^\d+ days with issues$/)
    .first()
    .click();
  await expect(page.getByText(/^\w+ \d+, \d+: Down for 1 hr, 95\.83% uptime/).first()).toBeVisible();
  const issues = await page.locator('#m0 .bars label').allTextContents();
  expect(await shownTexts(page), 'every day with issues is listed').toEqual(issues);
  await expect(page.locator('#m0 summary .whole')).toHaveText(`${issues.length} days with issues`);
  await expect(page.locator('#m0 .uptime .whole')).toHaveText(/% uptime, 90 days$/);
  await page.locator('#m0 .issues summary').click();
  expect(await shownTexts(page)).toEqual([]);
  await expect(page.getByText(/Response time, last 24 hours: median/).first()).toBeVisible();
  await page.getByText('How uptime is calculated').click();
  await expect(page.getByText('Uptime = time not down ÷ monitored time')).toBeVisible();

  await test.step('hovering a bar shows its day', async () => {
    const bad = page.getByRole('group', { name: 'Checkout API: day by day' }).locator('label.bad').last();
    await expect(bad.getByRole('radio')).toHaveAccessibleName(/Down for 1 hr, 95\.83% uptime/);
    await bad.hover();
    expect(await shownTexts(page)).toEqual([await bad.textContent()]);
    const quiet = page.locator('.bars i').first();
    await quiet.hover();
    expect(await shownTexts(page)).toEqual([await quiet.textContent()]);
  });

  await test.step('on the keyboard: one tab stop per monitor, arrow keys from day to day', async () => {
    await page.mouse.move(0, 0);
    const group = page.getByRole('group', { name: 'Website: day by day' });
    await page.locator('header').getByRole('link').last().focus();
    await page.keyboard.press('Tab');
    await expect(group.getByRole('radio').first()).toBeFocused();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowRight');
    const third = group.getByRole('radio').nth(2);
    await expect(third).toBeFocused();
    expect(await shownTexts(page)).toEqual([await textAround(third)]);
    await page.keyboard.press('Tab');
    await expect(page.locator('#m0 summary')).toBeFocused();
    await page.keyboard.press('Tab');
    const next = page.getByRole('group', { name: 'Checkout API: day by day' });
    await expect(next.getByRole('radio').first()).toBeFocused();
  });

  await test.step('the history has links between months', async () => {
    await page.getByRole('link', { name: 'History' }).first().click();
    const month = await page.locator('main h2').first().textContent();
    const year = page.getByRole('table').getByRole('row').filter({ hasText: 'Checkout API' });
    await expect(year.getByRole('cell').first()).toHaveText(/^\d+(\.\d\d)?%$/);
    await page.getByRole('link', { name: /^←/ }).click();
    await expect(page.getByRole('link', { name: `${month} →` })).toBeVisible();
    await expect(page.getByText(/% uptime/).first()).toBeVisible();
    await page.getByRole('link', { name: 'Current status' }).click();
    await expect(page).toHaveURL(address);
  });
  expect([...kinds]).toEqual(['document']);
  expect(faults).toEqual([]);
  await close();
});

test('on a phone a tap shows a day, and nothing is wider than the screen', THOROUGH, async ({ browser }) => {
  const { page, close } = await open(browser, { javaScriptEnabled: false, hasTouch: true, viewport: NARROW });
  await page.goto(address);
  const row = page.locator('#m2');
  const last = row.locator('.bars label').filter({ visible: true }).last();
  await last.tap();
  await expect(last.getByRole('radio')).toBeChecked();
  expect(await shownTexts(page)).toEqual([await last.textContent()]);
  const bars = row.locator('.bars :is(i, label)').filter({ visible: true });
  const shown = await bars.evaluateAll((all) =>
    all.map((bar) => ({
      days: Number(/^n(\d+)/.exec(bar.className)?.[1] ?? 1),
      bottom: Math.round(bar.getBoundingClientRect().bottom),
    })),
  );
  expect(
    shown.reduce((sum, { days }) => sum + days, 0),
    'the last 30 days',
  ).toBe(30);
  expect(new Set(shown.map(({ bottom }) => bottom)).size, 'one row').toBe(1);
  await expect(row.getByText('30 days ago')).toBeVisible();
  await expect(row.getByText('90 days ago')).toBeHidden();
  await expect(row.locator('.uptime .recent')).toHaveText(/^[\d.]+% uptime, 30 days$/);
  for (const path of ['', '/history', '/unknown']) {
    await page.goto(`${address}${path}`);
    await expectToFit(page);
  }
  await close();
});

test('a logo that cannot be loaded leaves no gap', THOROUGH, async ({ browser }) => {
  const { page, close } = await open(browser, { javaScriptEnabled: false, viewport: NARROW });
  await api('PUT', `/status-pages/${SLUG}`, { logoUrl: 'https://logo.test/acme.svg' });
  const square = '<svg xmlns="http://www.w3.org/2000/svg" width="64" height="64"/>';
  await page.route('https://logo.test/**', (route) =>
    route.fulfill({ body: square, contentType: 'image/svg+xml' }),
  );
  const indent = () =>
    page.locator('h1').evaluate((title) => {
      const name = document.createRange();
      name.selectNodeContents(title.querySelector('a')?.lastChild ?? title);
      return name.getBoundingClientRect().left - title.getBoundingClientRect().left;
    });
  await page.goto(address);
  await expect.poll(indent).toBe(32 + 12);
  await page.unroute('https://logo.test/**');
  await page.route('https://logo.test/**', (route) => route.abort());
  await page.reload();
  await expect.poll(indent).toBe(0);
  await api('PUT', `/status-pages/${SLUG}`, { logoUrl: null });
  await close();
});

test('it is readable in any colors, in both widths, and in print', THOROUGH, async ({ browser }) => {
  const { page, faults, close } = await open(browser, {});
  for (const { scheme, ...theme } of THEMES) {
    await api('PUT', `/status-pages/${SLUG}`, { theme, appearance: 'automatic' });
    await page.setViewportSize(WIDE);
    await page.emulateMedia({ colorScheme: scheme });
    await showFresh(page, theme.backgroundColor);
    await expectReadable(page);
    await page.emulateMedia({ colorScheme: scheme === 'dark' ? 'light' : 'dark' });
    await expectReadable(page);
    await page.goto(`${address}/history`);
    await expectReadable(page);
  }
  await page.setViewportSize(NARROW);
  await expectReadable(page);

  const { scheme: _, ...theme } = THEMES[0];
  await api('PUT', `/status-pages/${SLUG}`, { theme, appearance: 'dark' });
  await page.emulateMedia({ colorScheme: 'light' });
  await showFresh(page, '#0a0a0a');
  const ink = () => page.evaluate(() => getComputedStyle(document.body).color);
  const onScreen = await ink();
  await page.emulateMedia({ media: 'print' });
  expect(await ink()).not.toBe(onScreen);
  await expect(page.getByRole('contentinfo')).toBeHidden();
  await expect(page.getByRole('heading', { name: 'All systems operational' })).toBeVisible();

  await page.emulateMedia({ media: 'screen' });
  expect(faults).toEqual([]);
  const missing = await page.goto(`${origin}/status/unknown`);
  expect(missing?.status()).toBe(404);
  await expect(page.getByRole('heading', { name: 'Status page not found' })).toBeVisible();
  await expectReadable(page);
  await close();
});

test('it is updated in place', async ({ browser, service }) => {
  const zone = { timezoneId: 'America/New_York', locale: 'en-US', viewport: { width: 1000, height: 500 } };
  const { page, faults, close } = await open(browser, zone);
  await page.goto(address);
  await expect(page.locator('#fresh')).toHaveText(/^Updated \d+ seconds? ago$/);
  const bar = page.getByRole('group', { name: 'Email: day by day' }).getByRole('radio').last();
  await page.getByText('How uptime is calculated').click();
  await bar.focus();
  await page.keyboard.press('ArrowLeft');
  const day = await textAround(page.locator(':focus'));
  const height = await topOfFocus(page);
  await page.evaluate(() => Object.assign(window, { kept: true }));

  checkout.respondWith(503);
  await checkNow(service.access.services);
  await expect(page.getByRole('heading', { name: 'Major outage' })).toBeVisible();

  await expect(page.locator('#systems > ul > li').filter({ hasText: 'Checkout API' })).toContainText('Down');
  await expect(page).toHaveTitle('Major outage – Acme');
  await expect(page.getByRole('status')).toHaveText('Major outage');
  expect(await page.evaluate(() => 'kept' in window)).toBe(true);
  expect(await textAround(page.locator(':focus'))).toBe(day);
  await expect(page.getByText('Uptime = time not down ÷ monitored time')).toBeVisible();
  expect(Math.abs((await topOfFocus(page)) - height)).toBeLessThan(2);
  const incident = page.getByRole('article').filter({ hasText: 'Checkout API is down' });
  const time = incident.locator('time').first();
  await expect(time).toHaveText(/E[SD]T$/);
  await expect(time).toHaveAttribute('title', /UTC$/);
  expect(faults).toEqual([]);

  await page.context().setOffline(true);
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
  await expect(page.locator('#fresh')).toHaveText(/^Could not refresh\. Last updated .+E[SD]T\.$/);
  await page.context().setOffline(false);
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
  await expect(page.locator('#fresh')).toHaveText(/^Updated/);

  await incident.getByRole('link').click();
  await expect(page).toHaveURL(/\/incidents\/inc_/);
  await expectReadable(page);
  await close();
});

/** A new page in its own context, and the faults found on it. */
async function open(browser: Browser, options: BrowserContextOptions) {
  const context = await browser.newContext({ reducedMotion: 'reduce', ...options });
  const page = await context.newPage();
  return { page, faults: watchFaults(page, { origin }), close: () => context.close() };
}

/** The texts currently shown below the bars. */
function shownTexts(page: Page): Promise<string[]> {
  return page
    .locator('.bars b')
    .evaluateAll((all) =>
      all
        .filter((words) => words.checkVisibility({ opacityProperty: true }))
        .map((words) => words.textContent),
    );
}

function textAround(radio: Locator): Promise<string | null> {
  return radio.locator('xpath=..').textContent();
}

/** Opens the page until it has this background, because a cache may still hold the previous one. */
async function showFresh(page: Page, background: string): Promise<void> {
  await expect(async () => {
    await page.goto(address);
    const shown = await page.evaluate(() =>
      getComputedStyle(document.documentElement).getPropertyValue('--bg').trim(),
    );
    expect(shown).toBe(background);
  }).toPass();
}

function topOfFocus(page: Page): Promise<number> {
  return page.locator(':focus').evaluate((element) => element.getBoundingClientRect().top);
}

async function expectReadable(page: Page): Promise<void> {
  expect(await findViolations(page), page.url()).toEqual([]);
}
