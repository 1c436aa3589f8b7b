import { readFile } from 'node:fs/promises';
import { expect, type Page, test } from '@playwright/test';
import { type Receiver, startReceiver } from '@/lib/testing/receiver';
import { startTarget, type Target } from '@/lib/testing/target';
import { checkNow } from './support/check-now';
import { seeAll, watchFaults } from './support/page-checks';
import { openServices, type ServiceAccess } from './support/service-access';
import { type Service, startService } from './support/start-service';
import { expectAccessibleIfThorough } from './support/thorough';

const OWNER = { email: 'ada@example.com', password: 'correct horse battery' };

let service: Service;
let target: Target;
/** What is monitored first. */
let shop: Target;
let chat: Receiver;
let access: ServiceAccess;

test.beforeAll(async () => {
  [service, target, shop, chat] = await Promise.all([
    startService(),
    startTarget(),
    startTarget(),
    startReceiver(),
  ]);
  access = await openServices(service.dataDir);
});

test.afterAll(async () => {
  await access?.close();
  await Promise.all([service?.stop(), target?.close(), shop?.close(), chat?.close()]);
});

/** What the monitor of a target is called that has no other name. */
const nameOf = (monitored: Target) => new URL(monitored.url).host;

/** What a first hour may take, from the printed URL to a message in a chat. */
const MAX_CLICKS = 12;
const MAX_TEXTS = 5;

/** Clicks and types by the name of each control, as the guide does, and remembers both. */
function followGuide(page: Page) {
  const clicked: string[] = [];
  const typed: string[] = [];
  const named: string[] = [];
  return {
    clicked,
    typed,
    named,
    click: async (role: 'button' | 'link', name: string) => {
      clicked.push(name);
      named.push(name);
      await page.getByRole('main').getByRole(role, { name, exact: true }).click();
    },
    type: async (label: string, text: string) => {
      typed.push(text);
      named.push(label);
      await page.getByLabel(label, { exact: true }).fill(text);
    },
  };
}

/** The names in bold in the first section of the guide, in order. */
async function readFirstPage(): Promise<string[]> {
  const guide = await readFile(new URL('../docs/guide.md', import.meta.url), 'utf8');
  const [, first = ''] = /^## First steps\n(.*?)^## /ms.exec(guide) ?? [];
  return [...first.matchAll(/\*\*(.+?)\*\*/g)].map(([, name = '']) => name);
}

test('from the printed URL to a message in a chat, and a monitor that is seen going down', async ({
  page,
}) => {
  const faults = watchFaults(page, { origin: service.url });
  const guide = followGuide(page);

  await test.step('setup creates the organization and shows the key once', async () => {
    await page.goto(service.setupUrl);
    await expectAccessibleIfThorough(page);
    await guide.type('Organization', 'Acme');
    await page.getByLabel('Email').fill('not an address');
    await page.getByLabel('Password').fill(OWNER.password);
    await page.getByRole('button', { name: 'Set up' }).click();
    await expect(page.getByText('Email must be a valid email address.')).toBeVisible();
    await expect(page.getByLabel('Email')).toBeFocused();
    await expect(page.getByLabel('Organization')).toHaveValue('Acme');
    await expectAccessibleIfThorough(page);

    await guide.type('Email', OWNER.email);
    await guide.type('Password', OWNER.password);
    await guide.click('button', 'Set up');
    await expect(page.getByText(/^ph_live_\w{38}$/)).toBeVisible();
    await expectAccessibleIfThorough(page);
    await guide.click('link', 'Go to monitors');
    await expect(page.getByText('No monitors yet')).toBeVisible();
    await expect(page.getByText('0 of 5 done')).toBeVisible();
  });

  await test.step('a URL is monitored, and nobody is notified yet', async () => {
    await expectAccessibleIfThorough(page);
    await guide.type('URL', `${shop.url}/`);
    await guide.click('button', 'Start monitoring');
    await expect(page.getByRole('heading', { name: nameOf(shop) })).toBeVisible();
    await expect(page.locator('main').getByText('Operational', { exact: true }).first()).toBeVisible();
    await expect(page.getByText('Nobody is notified yet.')).toBeVisible();
  });

  await test.step('a chat gets a test before its channel is saved, and nothing moves', async () => {
    await guide.click('link', 'Add a channel');
    await expectAccessibleIfThorough(page);
    await guide.click('link', 'Mattermost');
    await expect(page.getByRole('list', { name: 'How to set it up' }).getByRole('listitem')).toHaveCount(3);
    await guide.type('URL', `${chat.url}/hooks/acme`);
    const save = page.getByRole('button', { name: 'Save channel' });
    const place = await save.boundingBox();
    await guide.click('button', 'Send a test');
    await expect(page.getByText(/^Delivered: it responded with 200 in \d+ ms/)).toBeVisible();
    expect(await save.boundingBox()).toEqual(place);
    await chat.waitFor(({ headers }) => headers['x-service-event'] === 'webhook.test');
    await expectAccessibleIfThorough(page);
    await guide.click('button', 'Save channel');
    await expect(page.getByRole('button', { name: 'Send test event' })).toBeVisible();
    await expect(page.getByRole('heading', { name: 'Signing secret' })).toHaveCount(0);

    expect(guide.clicked.length).toBeLessThanOrEqual(MAX_CLICKS);
    expect(guide.typed.length).toBeLessThanOrEqual(MAX_TEXTS);
    expect(new Set(guide.typed).size, 'nothing is asked twice').toBe(guide.typed.length);
    expect(await readFirstPage(), 'the guide').toEqual(guide.named);
  });

  await test.step('what is left of the first steps stays until it is dismissed', async () => {
    await page.goto(`${service.url}/monitors`);
    await expect(page.getByText('3 of 5 done')).toBeVisible();
    await expect(page.getByText('Nobody is notified yet.')).toHaveCount(0);
    await page.getByRole('button', { name: 'Dismiss' }).click();
    await expect(page.getByRole('region', { name: 'First steps' })).toHaveCount(0);

    await page.goto(service.setupUrl);
    await expect(page.getByText('ph_live_')).toHaveCount(0);
    await expect(page.getByLabel('Organization')).toHaveCount(0);
  });

  await test.step('the form explains errors and creates the monitor', async () => {
    await page.goto(`${service.url}/monitors/new`);
    await expectAccessibleIfThorough(page);
    await page.getByLabel('Name', { exact: true }).fill('Checkout API');
    await page.getByLabel('URL').fill('no address');
    await page.getByLabel('Interval').selectOption('30');
    await page.getByLabel('Alert after').fill('1');
    await page.getByRole('button', { name: 'Create monitor' }).click();
    await expect(page.getByText(/^URL must /)).toBeVisible();
    await expectAccessibleIfThorough(page);
    await page.getByLabel('URL').fill(target.url);
    await page.getByRole('button', { name: 'Create monitor' }).click();
    await expect(page.getByRole('heading', { name: 'Checkout API' })).toBeVisible();
  });

  await test.step('it turns operational, then down, without a reload', async () => {
    const status = page
      .locator('main')
      .getByText(/^(Pending|Operational|Down)$/)
      .first();
    await expect(status).toHaveText('Operational');
    await seeAll(page);
    await expect(page.getByText('Went down')).toHaveCount(0);
    await expectAccessibleIfThorough(page);
    target.respondWith(503);
    await checkNow(access.services);
    await expect(status).toHaveText('Down');
    await expect(page.getByRole('region', { name: 'Open incident' })).toContainText('Checkout API is down');
    await expect(page.getByText('responded with 503, expected 200').first()).toBeVisible();
    await expect(page.getByText('Went down')).toBeVisible();
    await chat.waitFor(({ body }) => body.includes('Checkout API is down'));
    await expectAccessibleIfThorough(page);
  });

  await test.step('the list shows it, and updates when the target recovers', async () => {
    await page.getByRole('main').getByRole('link', { name: 'Monitors' }).click();
    const row = page.getByRole('row', { name: /Checkout API/ });
    await expect(row).toContainText('Down');
    await expect(page.getByText('2 monitors · 1 down')).toBeVisible();
    await expectAccessibleIfThorough(page);
    target.respondWith(200);
    await checkNow(access.services);
    await expect(row).toContainText('Operational');
    await expect(page.getByText('2 monitors · all operational')).toBeVisible();
  });

  await test.step('signing out and in again, with a wrong password first', async () => {
    await page.getByRole('button', { name: /Account menu/ }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await expect(page).toHaveURL(/\/sign-in$/);
    await expectAccessibleIfThorough(page);
    await page.getByLabel('Email').fill(OWNER.email);
    await page.getByLabel('Password').fill('not the password');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await expect(page.getByText('Incorrect email or password.')).toBeVisible();
    await page.getByLabel('Password').fill(OWNER.password);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await expect(page.getByRole('heading', { name: 'Monitors', exact: true })).toBeVisible();
  });

  await test.step('paused, resumed and deleted', async () => {
    await page.getByRole('link', { name: 'Checkout API' }).click();
    await page.getByRole('button', { name: 'Pause' }).click();
    await expect(page.getByRole('main').getByText('Paused', { exact: true })).toBeVisible();
    await page.getByRole('button', { name: 'Resume' }).click();
    await expect(page.getByRole('button', { name: 'Pause' })).toBeVisible();
    await page.getByRole('button', { name: 'More actions for Checkout API' }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await expect(page.getByText('Deleted Checkout API')).toBeVisible();
    await expect(page.getByRole('link', { name: nameOf(shop) })).toBeVisible();
    await expect(page.getByRole('link', { name: 'Checkout API' })).toHaveCount(0);
  });

  expect(faults).toEqual([]);
});
