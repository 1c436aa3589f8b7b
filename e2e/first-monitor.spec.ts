import { expect, test } from '@playwright/test';
import { startTarget, type Target } from '@/lib/testing/target';
import { checkNow } from './support/check-now';
import { seeAll, watchFaults } from './support/page-checks';
import { openServices, type ServiceAccess } from './support/service-access';
import { type Service, startService } from './support/start-service';
import { expectAccessibleIfThorough } from './support/thorough';

const OWNER = { email: 'ada@example.com', password: 'correct horse battery' };

let service: Service;
let target: Target;
let access: ServiceAccess;

test.beforeAll(async () => {
  [service, target] = await Promise.all([startService(), startTarget()]);
  access = await openServices(service.dataDir);
});

test.afterAll(async () => {
  await access?.close();
  await Promise.all([service?.stop(), target?.close()]);
});

test('from the printed URL to a monitor that is seen going down', async ({ page }) => {
  const faults = watchFaults(page, { origin: service.url });

  await test.step('setup creates the organization and shows the key once', async () => {
    await page.goto(service.setupUrl);
    await expectAccessibleIfThorough(page);
    await page.getByLabel('Organization').fill('Acme');
    await page.getByLabel('Email').fill('not an address');
    await page.getByLabel('Password').fill(OWNER.password);
    await page.getByRole('button', { name: 'Set up' }).click();
    await expect(page.getByText('Email must be a valid email address.')).toBeVisible();
    await expect(page.getByLabel('Email')).toBeFocused();
    await expect(page.getByLabel('Organization')).toHaveValue('Acme');
    await expectAccessibleIfThorough(page);

    await page.getByLabel('Email').fill(OWNER.email);
    await page.getByLabel('Password').fill(OWNER.password);
    await page.getByRole('button', { name: 'Set up' }).click();
    await expect(page.getByText(/^ph_live_\w{38}$/)).toBeVisible();
    await expectAccessibleIfThorough(page);
    await page.getByRole('link', { name: 'Go to monitors' }).click();
    await expect(page.getByText('No monitors yet')).toBeVisible();
  });

  await test.step('the first monitor takes one click to test and another to create', async () => {
    await expect(page.getByText(`${service.url}/api/live`, { exact: true })).toBeVisible();
    await page.getByRole('button', { name: 'Test now' }).click();
    await expect(page.getByRole('status', { name: 'Test results' })).toContainText(
      /OK.*This machine.*status 200/,
    );
    await expectAccessibleIfThorough(page);
    await page.getByRole('button', { name: 'Monitor Pharos itself' }).click();
    await expect(page.getByRole('heading', { name: 'This service' })).toBeVisible();
    await expect(page.locator('main').getByText('Operational', { exact: true })).toBeVisible();

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
    await expect(page.getByText(/^URL must be an http or https URL/)).toBeVisible();
    await expectAccessibleIfThorough(page);
    await page.getByLabel('URL').fill(target.url);
    await page.getByRole('button', { name: 'Create monitor' }).click();
    await expect(page.getByRole('heading', { name: 'Checkout API' })).toBeVisible();
  });

  await test.step('it turns operational, then down, without a reload', async () => {
    const status = page.locator('main').getByText(/^(Pending|Operational|Down)$/);
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
    await expect(page.getByRole('link', { name: 'This service' })).toBeVisible();
    await expect(page.getByRole('link', { name: 'Checkout API' })).toHaveCount(0);
  });

  expect(faults).toEqual([]);
});
