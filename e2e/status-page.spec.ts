import AxeBuilder from '@axe-core/playwright';
import { type Browser, type BrowserContextOptions, expect, type Page, test } from '@playwright/test';
import { startTarget, type Target } from '@/lib/testing/target';
import { type ApiClient, createApiClient } from './support/api-client';
import { createOrganizationBeside } from './support/run-pharos';
import { type Service, startService } from './support/start-service';
import { writeHistory } from './support/write-history';

/** A check of the shortest interval, what it takes to record it, and the page's own rhythm. */
const SOON = { timeout: 75_000 };
const WIDE = { width: 1440, height: 900 };
const NARROW = { width: 390, height: 844 };
const THEMES = [
  { primaryColor: '#22c55e', backgroundColor: '#0a0a0a', textColor: '#fafafa' },
  { primaryColor: '#4f46e5', backgroundColor: '#ffffff', textColor: '#18181b' },
  // Nothing of it can be read as it is.
  { primaryColor: '#c2410c', backgroundColor: '#c2410c', textColor: '#b3420f' },
];

let service: Service;
let healthy: Target;
let checkout: Target;
let api: ApiClient;

test.beforeAll(async () => {
  test.setTimeout(120_000);
  [service, healthy, checkout] = await Promise.all([startService(), startTarget(), startTarget()]);
  api = createApiClient(service.url, (await createOrganizationBeside(service.dataDir)).apiKey);
  const monitors: string[] = [];
  for (const name of ['Website', 'Checkout API', 'Search', 'E-mail']) {
    const own = name === 'Checkout API' ? checkout : healthy;
    const answer = await api('POST', '/monitors', { name, url: own.url, interval: 30, alertThreshold: 1 });
    monitors.push(answer.body.id);
  }
  await expect
    .poll(async () => (await api('GET', '/monitors?status=operational')).body.length, { timeout: 60_000 })
    .toBe(monitors.length);
  await writeHistory(service.dataDir);
  const page = { name: 'Acme', description: 'Everything that Acme runs.', slug: 'acme', monitors };
  await api('POST', '/status-pages', { ...page, published: true, showResponseTimes: true });
});

test.afterAll(async () => {
  await Promise.all([service?.stop(), healthy?.close(), checkout?.close()]);
});

test('the page is whole without JavaScript', async ({ browser }) => {
  const { page, requests, close } = await open(browser, { javaScriptEnabled: false, viewport: WIDE });
  await page.goto(`${service.url}/status/acme`);
  await expect(page.getByRole('heading', { name: 'All systems operational' })).toBeVisible();
  await expect(page.locator('#fresh')).toHaveText(/^As of .+ UTC$/);
  await expect(page.locator('#systems > ul > li').filter({ hasText: 'Checkout API' })).toContainText(
    'Operational',
  );
  await page
    .getByText(/^\d+ days with trouble$/)
    .first()
    .click();
  await expect(page.getByText(/^\w+ \d+, \d+: Down for 1 hr, 95\.83% uptime/).first()).toBeVisible();
  await expect(page.getByText(/Response time, last 24 hours: median/).first()).toBeVisible();
  await page.getByText('How uptime is measured').click();
  await expect(page.getByText('Uptime = time not down ÷ time known')).toBeVisible();

  await test.step('a bar tells its day under the pointer', async () => {
    const bars = page.getByRole('group', { name: 'Checkout API: day by day' }).getByRole('radio');
    await expect(bars).toHaveCount(90);
    const bad = bars.and(page.locator('.bad')).last();
    await expect(bad).toHaveAccessibleName(/Down for 1 hr, 95\.83% uptime/);
    await bad.hover();
    expect(await toldBy(page)).toEqual([await bad.getAttribute('aria-label')]);
  });

  await test.step('and on the keyboard: one stop a monitor, arrow keys from day to day', async () => {
    await page.mouse.move(0, 0);
    const group = page.getByRole('group', { name: 'Website: day by day' });
    await page.getByRole('link', { name: 'History' }).first().focus();
    await page.keyboard.press('Tab');
    await expect(group.getByRole('radio').first()).toBeFocused();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowRight');
    const third = group.getByRole('radio').nth(2);
    await expect(third).toBeFocused();
    expect(await toldBy(page)).toEqual([await third.getAttribute('aria-label')]);
    await page.keyboard.press('Tab');
    await expect(page.locator('#m0 summary')).toBeFocused();
    await page.keyboard.press('Tab');
    const next = page.getByRole('group', { name: 'Checkout API: day by day' });
    await expect(next.getByRole('radio').first()).toBeFocused();
  });

  await test.step('the history goes from month to month', async () => {
    await page.getByRole('link', { name: 'History' }).first().click();
    const month = await page.locator('main h2').first().textContent();
    await page.getByRole('link', { name: /^←/ }).click();
    await expect(page.getByRole('link', { name: `${month} →` })).toBeVisible();
    await expect(page.getByText(/% uptime/).first()).toBeVisible();
    await page.getByRole('link', { name: 'Current status' }).click();
    await expect(page).toHaveURL(`${service.url}/status/acme`);
  });
  expect(requests.filter(({ type }) => type !== 'document')).toEqual([]);
  await close();
});

test('on a phone a tap tells a day, and nothing is wider than the screen', async ({ browser }) => {
  const { page, close } = await open(browser, { javaScriptEnabled: false, hasTouch: true, viewport: NARROW });
  await page.goto(`${service.url}/status/acme`);
  const bars = page.getByRole('group', { name: 'Search: day by day' }).getByRole('radio');
  await bars.nth(40).tap();
  await expect(bars.nth(40)).toBeChecked();
  expect(await toldBy(page)).toEqual([await bars.nth(40).getAttribute('aria-label')]);
  // Three rows of thirty.
  const tops = await bars.evaluateAll((all) => all.map((bar) => bar.getBoundingClientRect().bottom));
  expect(new Set(tops.map(Math.round)).size).toBe(3);
  for (const path of ['', '/history', '/unknown']) {
    await page.goto(`${service.url}/status/acme${path}`);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  }
  await close();
});

test('it can be read in any colours, in both widths, and on paper', async ({ browser }) => {
  const { page, faults, close } = await open(browser, {});
  for (const theme of THEMES) {
    await api('PUT', '/status-pages/acme', { theme });
    await page.setViewportSize(WIDE);
    await showFresh(page, '/status/acme', theme.backgroundColor);
    await expectAccessible(page);
  }
  await page.setViewportSize(NARROW);
  await expectAccessible(page);
  await api('PUT', '/status-pages/acme', { theme: THEMES[1] });
  await showFresh(page, '/status/acme', '#ffffff');
  await page.emulateMedia({ colorScheme: 'dark' });
  await expectAccessible(page);
  await page.goto(`${service.url}/status/acme/history`);
  await expectAccessible(page);

  await api('PUT', '/status-pages/acme', { theme: THEMES[0] });
  await showFresh(page, '/status/acme', '#0a0a0a');
  const ink = () => page.evaluate(() => getComputedStyle(document.body).color);
  const onScreen = await ink();
  await page.emulateMedia({ media: 'print' });
  expect(await ink()).not.toBe(onScreen);
  await expect(page.getByRole('contentinfo')).toBeHidden();
  await expect(page.getByRole('heading', { name: 'All systems operational' })).toBeVisible();

  await page.emulateMedia({ media: 'screen' });
  expect(faults).toEqual([]);
  const missing = await page.goto(`${service.url}/status/unknown`);
  expect(missing?.status()).toBe(404);
  await expect(page.getByRole('heading', { name: 'There is no such status page' })).toBeVisible();
  await expectAccessible(page);
  await close();
});

test('it follows what happens, in place', async ({ browser }) => {
  test.setTimeout(180_000);
  const zone = { timezoneId: 'America/New_York', locale: 'en-US', viewport: { width: 1000, height: 500 } };
  const { page, requests, faults, close } = await open(browser, zone);
  await page.goto(`${service.url}/status/acme`);
  await expect(page.locator('#fresh')).toHaveText(/^Updated \d+ seconds ago$/);
  const bar = page.getByRole('group', { name: 'E-mail: day by day' }).getByRole('radio').nth(80);
  await page.getByText('How uptime is measured').click();
  await bar.focus();
  await page.keyboard.press('ArrowLeft');
  const label = await page.locator(':focus').getAttribute('aria-label');
  const height = await topOfFocus(page);
  await page.evaluate(() => Object.assign(window, { kept: true }));

  checkout.answerWith(503);
  await expect(page.getByRole('heading', { name: 'Some systems are down' })).toBeVisible(SOON);

  await expect(page.locator('#systems > ul > li').filter({ hasText: 'Checkout API' })).toContainText('Down');
  await expect(page).toHaveTitle('Some systems are down – Acme');
  await expect(page.getByRole('status')).toHaveText('Some systems are down');
  expect(await page.evaluate(() => 'kept' in window)).toBe(true);
  await expect(page.locator(':focus')).toHaveAttribute('aria-label', label ?? '');
  await expect(page.getByText('Uptime = time not down ÷ time known')).toBeVisible();
  expect(Math.abs((await topOfFocus(page)) - height)).toBeLessThan(2);
  const incident = page.getByRole('article').filter({ hasText: 'Checkout API is down' });
  const time = incident.locator('time').first();
  await expect(time).toHaveText(/E[SD]T$/);
  await expect(time).toHaveAttribute('title', /UTC$/);
  expect(faults).toEqual([]);

  await page.context().setOffline(true);
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
  await expect(page.locator('#fresh')).toHaveText(
    /^Stale since .+E[SD]T: the page could not be refreshed\.$/,
  );
  await page.context().setOffline(false);
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
  await expect(page.locator('#fresh')).toHaveText(/^Updated/);

  await incident.getByRole('link').click();
  await expect(page).toHaveURL(/\/status\/acme\/incidents\/inc_/);
  await expectAccessible(page);
  expect(requests.filter(({ host }) => host !== new URL(service.url).host)).toEqual([]);
  await close();
});

type Request = { host: string; type: string };

/** A page of its own, with what it asked for and what the browser found wrong. */
async function open(browser: Browser, options: BrowserContextOptions) {
  const context = await browser.newContext({ reducedMotion: 'reduce', ...options });
  const page = await context.newPage();
  const requests: Request[] = [];
  const faults: string[] = [];
  page.on('request', (request) => {
    const { host, protocol } = new URL(request.url());
    if (protocol !== 'data:') requests.push({ host, type: request.resourceType() });
  });
  page.on('console', (message) => {
    if (message.type() === 'error') faults.push(message.text());
  });
  page.on('pageerror', (error) => faults.push(error.message));
  return { page, requests, faults, close: () => context.close() };
}

/** The texts that the stylesheet writes below the bars at the moment. */
function toldBy(page: Page): Promise<string[]> {
  return page.locator('.bars input').evaluateAll((bars) =>
    bars.flatMap((bar) => {
      const { content } = getComputedStyle(bar, '::after');
      return content === 'none' || content === 'normal' ? [] : [content.replace(/^"|"$/g, '')];
    }),
  );
}

/** Goes to a path until it is drawn on this background: a cache may still hold the one before. */
async function showFresh(page: Page, path: string, background: string): Promise<void> {
  await expect(async () => {
    await page.goto(service.url + path);
    const shown = await page.evaluate(() =>
      getComputedStyle(document.documentElement).getPropertyValue('--bg').trim(),
    );
    expect(shown).toBe(background);
  }).toPass({ timeout: 30_000 });
}

function topOfFocus(page: Page): Promise<number> {
  return page.locator(':focus').evaluate((element) => element.getBoundingClientRect().top);
}

/**
 * Holds the page against WCAG 2.2 AA. The bars may be narrower than 24 px: the list of troubled days below them is the
 * equivalent that success criterion 2.5.8 asks for, and is measured here like everything else.
 */
async function expectAccessible(page: Page): Promise<void> {
  const { violations } = await new AxeBuilder({ page })
    .withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'])
    .analyze();
  const found = violations.flatMap(({ id, nodes }) =>
    nodes
      .map((node) => `${id}: ${node.html}`)
      .filter((line) => !line.startsWith('target-size: <input type="radio"')),
  );
  expect(found, page.url()).toEqual([]);
}
