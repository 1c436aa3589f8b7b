import AxeBuilder from '@axe-core/playwright';
import { expect, type Page, test } from '@playwright/test';
import { openBackdoor } from '@/app/api/testing/tenants';
import { startTarget, type Target } from '@/lib/testing/target';
import { type ApiClient, createApiClient } from './support/api-client';
import { type Service, startService } from './support/start-service';

/** What the engine takes to begin or end a window, and the page to ask again. */
const SOON = { timeout: 30_000 };

let service: Service;
let target: Target;

test.use({ timezoneId: 'Europe/Berlin' });

test.beforeAll(async () => {
  test.setTimeout(120_000);
  [service, target] = await Promise.all([startService(), startTarget()]);
});

test.afterAll(async () => {
  await Promise.all([service?.stop(), target?.close()]);
});

test('a window is planned, seen at its monitor, ended, repeated and deleted; a viewer only reads', async ({
  page,
}) => {
  test.setTimeout(240_000);
  const faults = watchFaults(page);
  const api = await setUp(page);
  const shop = (await api('POST', '/monitors', { name: 'Shop', url: target.url, interval: 30 })).body.id;
  await api('POST', '/monitors', { name: 'Mail', url: target.url, enabled: false });

  await test.step('the form proposes the reader’s own zone, names what is wrong and keeps the rest', async () => {
    await page.goto(`${service.url}/maintenance`);
    await expect(page.getByText('No maintenance is planned')).toBeVisible();
    await expectAccessible(page);
    await page.getByRole('link', { name: 'Plan maintenance' }).click();
    await expect(page.getByLabel('Time zone')).toHaveValue('Europe/Berlin');
    await expect(page.getByLabel('Start')).toHaveValue(/^\d{4}-\d\d-\d\dT\d\d:00$/);
    await page.getByLabel('Message').fill('Short interruptions are possible.');
    await page.getByRole('button', { name: 'Plan maintenance' }).click();
    await expect(page.getByText('Title must not be empty.')).toBeVisible();
    await expect(page.getByText('Monitors must name at least one monitor.')).toBeVisible();
    await expect(page.getByLabel('Title')).toBeFocused();
    await expect(page.getByLabel('Message')).toHaveValue('Short interruptions are possible.');
    await expectAccessible(page);
  });

  await test.step('what repeats is previewed, and a rule that cannot be is explained', async () => {
    await page.getByLabel('Start').fill('2098-03-29T01:30');
    await page.getByLabel('End').fill('2098-03-29T02:30');
    await page.getByLabel('Repeat').selectOption('daily');
    const preview = page.getByRole('status').filter({ hasText: /Next|Rule|Looking/ });
    await expect(preview.getByRole('listitem')).toHaveText([
      'Sat, 29 Mar 2098, 01:30 – 02:30',
      'Sun, 30 Mar 2098, 01:30 – 03:30',
      'Mon, 31 Mar 2098, 01:30 – 02:30',
    ]);
    await page.getByLabel('Repeat').selectOption('custom');
    await page.getByRole('textbox', { name: 'Rule' }).fill('FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30');
    await expect(preview).toHaveText('Rule never comes again after the start.');
    await page.getByRole('textbox', { name: 'Rule' }).fill('FREQ=MONTHLY;BYDAY=-1SU');
    await expect(preview.getByRole('listitem').nth(1)).toHaveText('Sun, 30 Mar 2098, 01:30 – 03:30');
    await expectAccessible(page);
  });

  await test.step('one that has started begins, and its monitor says so', async () => {
    await page.getByLabel('Title').fill('Upgrade of the database');
    await page.getByLabel('Repeat').selectOption('once');
    await page.getByLabel('Time zone').selectOption('UTC');
    await page.getByLabel('Start').fill(fromNow(-10));
    await page.getByLabel('End').fill(fromNow(120));
    await page.getByRole('searchbox', { name: 'Search monitors' }).fill('sho');
    await expect(page.getByRole('checkbox', { name: 'Mail' })).toBeHidden();
    await page.getByRole('checkbox', { name: 'Shop' }).check();
    await page.getByRole('button', { name: 'Plan maintenance' }).click();
    const row = page.getByRole('listitem').filter({ hasText: 'Upgrade of the database' });
    await expect(row).toContainText('Active');
    await expect(row).toContainText('Shop');
    await expectAccessible(page);

    await page.goto(`${service.url}/monitors/${shop}`);
    const note = page.getByRole('region', { name: 'Maintenance' });
    await expect(note).toContainText('In maintenance until', SOON);
    await expectAccessible(page);
    await note.getByRole('link', { name: 'Upgrade of the database' }).click();
  });

  await test.step('ended by hand, it is past at once and its monitor comes out', async () => {
    await expect(page.getByRole('heading', { name: 'Upgrade of the database' })).toBeVisible();
    await page.getByRole('button', { name: 'End now' }).click();
    const row = page.getByRole('listitem').filter({ hasText: 'Upgrade of the database' });
    await expect(row).toContainText('Finished');
    await expect.poll(async () => (await api('GET', `/monitors/${shop}`)).body.maintenance, SOON).toBe(false);
    await row.getByRole('link').click();
  });

  await test.step('changed to repeat, it is upcoming; deleted, it is gone', async () => {
    await page.getByLabel('Start').fill('2098-06-01T10:00');
    await page.getByLabel('End').fill('2098-06-01T11:00');
    await page.getByLabel('Repeat').selectOption('weekly');
    await page.getByRole('button', { name: 'Save changes' }).click();
    const row = page.getByRole('listitem').filter({ hasText: 'Upgrade of the database' });
    await expect(page.getByRole('heading', { name: 'Upcoming' })).toBeVisible();
    await expect(row).toContainText('Sun, 1 Jun 2098, 10:00 – 11:00 UTC');
    await expect(row).toContainText('Weekly');
    await row.getByRole('link').click();
    await expect(page.getByLabel('Repeat')).toHaveValue('weekly');
    await page.getByRole('button', { name: 'Delete' }).click();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Delete window' }).click();
    await expect(page.getByText('No maintenance is planned')).toBeVisible();
  });

  await test.step('a viewer reads, and is offered nothing else', async () => {
    const times = { startsAt: '2098-06-01T10:00:00Z', endsAt: '2098-06-01T11:00:00Z' };
    await api('POST', '/maintenance', { title: 'Planned', monitors: [shop], ...times });
    const backdoor = await openBackdoor(service);
    await backdoor.db.membership.updateMany({ data: { role: 'viewer' } });
    await backdoor.close();
    await page.goto(`${service.url}/maintenance`);
    await expect(page.getByRole('link', { name: 'Plan maintenance' })).toHaveCount(0);
    await page.getByRole('link', { name: 'Planned' }).click();
    await expect(page.getByRole('definition').filter({ hasText: 'Shop' })).toBeVisible();
    await expect(page.getByRole('main').getByRole('button')).toHaveCount(0);
    await expectAccessible(page);
    await page.goto(`${service.url}/maintenance/new`);
    await expect(page.getByText('Your role is viewer')).toBeVisible();
  });

  expect(faults).toEqual([]);
});

/** Makes the organization in the browser, and answers a client with the key that it shows. */
async function setUp(page: Page): Promise<ApiClient> {
  await page.goto(service.setupUrl);
  await page.getByLabel('Organization').fill('Acme');
  await page.getByLabel('E-mail').fill('ada@example.com');
  await page.getByLabel('Password').fill('correct horse battery');
  await page.getByRole('button', { name: 'Set up' }).click();
  const key = await page.getByText(/^ph_live_\w{38}$/).textContent();
  return createApiClient(service.url, key ?? '');
}

/** What a field of date and time takes, in UTC. */
function fromNow(minutes: number): string {
  return new Date(Date.now() + minutes * 60_000).toISOString().slice(0, 16);
}

/** Collects what must not happen on any page: errors in the console, and answers that are refusals. */
function watchFaults(page: Page): string[] {
  const faults: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error') faults.push(`console: ${message.text()}`);
  });
  page.on('pageerror', (error) => faults.push(`page: ${error.message}`));
  page.on('response', (response) => {
    if (response.status() >= 400) faults.push(`${response.status()} ${response.url()}`);
  });
  return faults;
}

/** Holds the page, in light and in dark, against WCAG 2.2 AA. */
async function expectAccessible(page: Page): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    const { violations } = await new AxeBuilder({ page })
      .withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'])
      .analyze();
    const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(' | ')}`);
    expect(found, `${page.url()}, ${colorScheme}`).toEqual([]);
  }
}
