import { randomBytes } from 'node:crypto';
import type { FrameLocator } from '@playwright/test';
import { createId } from '@/lib/core/ids';
import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import { expectToFit, watchFaults } from '../support/page-checks';
import { expect, test } from '../support/shared-service';
import { expectAccessibleIfThorough, THOROUGH, thoroughStep } from '../support/thorough';

const NOWHERE = 'http://127.0.0.1:9/';

test('a page is created with a preview, ordered by keyboard, published, and deleted', async ({
  page,
  service,
  organization,
}) => {
  const { api } = organization;
  const faults = watchFaults(page, { origin: service.url });
  await organization.signIn(page.context());
  const slug = `acme-${organization.id.slice(-6)}`;
  let current = slug;
  for (const name of ['Shop', 'Mail', 'Search']) {
    await api('POST', '/monitors', { name, url: NOWHERE, enabled: false });
  }
  const order = page
    .getByRole('group', { name: /^Monitors/ })
    .getByRole('list')
    .first();
  const preview = page.frameLocator('iframe').last();

  await test.step('the preview follows the unsaved form', async () => {
    await page.goto(`${service.url}/status-pages`);
    await expect(page.getByText('No status pages yet')).toBeVisible();
    await page.getByRole('link', { name: 'New status page' }).click();
    await page.getByLabel('Name').fill('Acme & Söhne');
    await expect(page.getByLabel('Slug')).toHaveValue('acme-sohne');
    await expect(heading(preview)).toHaveText('Acme & Söhne');
    await page.getByRole('button', { name: 'Add all' }).click();
    await expect(names(preview)).toHaveText(['Mail', 'Search', 'Shop']);
    expect(
      await page
        .frames()
        .at(-1)
        ?.evaluate(() => document.scripts.length),
    ).toBe(0);
    await page.getByLabel('Slug').fill(slug);
  });

  await test.step('monitors are reordered by keyboard: dragged, and step by step', async () => {
    await page.getByRole('button', { name: 'Move Shop', exact: true }).focus();
    await page.keyboard.press('Space');
    await expect(page.getByText('Shop is in position 3 of 3.')).toBeAttached();
    // dnd-kit listens to keys from a timer on, which a busy browser may not have run yet. Timers run in order.
    await page.evaluate(() => new Promise((resolve) => setTimeout(resolve)));
    await page.keyboard.press('ArrowUp');
    await expect(page.getByText('Shop is in position 2 of 3.')).toBeAttached();
    await page.keyboard.press('Space');
    await expect(order.getByRole('listitem')).toHaveText(['Mail', 'Shop', 'Search']);
    await page.getByRole('button', { name: 'Move Shop up' }).press('Enter');
    await expect(page.getByRole('button', { name: 'Move Shop up' })).toBeFocused();
    await expect(page.getByText('Shop is now in position 1 of 3.')).toBeAttached();
    await page.getByRole('button', { name: 'Remove Mail' }).press('Enter');
    await expect(page.getByRole('button', { name: 'Remove Search' })).toBeFocused();
    await expect(names(preview)).toHaveText(['Shop', 'Search']);
  });

  await thoroughStep('unreadable colors cause a warning, and are replaced by readable ones', async () => {
    await page.getByRole('button', { name: 'Light', exact: true }).first().click();
    await page.getByLabel('Text', { exact: true }).fill('#bbbbbb');
    await expect(page.getByText('Text #bbbbbb is hard to read')).toContainText('its contrast is 1.9:1');
    await expectAccessibleIfThorough(page);
    await page.getByRole('button', { name: /^Use #/ }).click();
    await expect(page.getByText('is hard to read')).toHaveCount(0);
  });

  await test.step('errors are shown at their fields, and the input is kept', async () => {
    await page.getByLabel('Logo', { exact: true }).fill('http://example.com/logo.png');
    await page.getByLabel('Published').check();
    await page.getByRole('button', { name: 'Create page' }).click();
    await expect(page.getByText('Logo must be an https URL.')).toBeVisible();
    await expect(page.getByLabel('Logo', { exact: true })).toBeFocused();
    await expect(page.getByLabel('Name')).toHaveValue('Acme & Söhne');
    await page.getByLabel('Logo', { exact: true }).fill('');
    await page.getByRole('button', { name: 'Create page' }).click();
    await expect(page.getByText('Created and published Acme & Söhne')).toBeVisible();
    await expect(page).toHaveURL(`${service.url}/status-pages/${slug}`);
    const open = await page.getByRole('link', { name: 'Open page' }).getAttribute('href');
    const visited = await page.context().newPage();
    await visited.goto(open ?? '');
    await expect(visited.getByRole('heading', { level: 3 })).toHaveText(['Shop', 'Search']);
    await visited.close();
  });

  await thoroughStep('leaving with unsaved changes needs confirmation', async () => {
    await page.getByLabel('Description').fill('Everything we run');
    await expect(page.getByText('Unsaved changes')).toBeVisible();
    await page.getByRole('link', { name: 'Maintenance' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel' }).click();
    await page.evaluate(() => history.back());
    await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel' }).click();
    await expect(page.getByLabel('Description')).toHaveValue('Everything we run');
    await page.getByLabel('Slug').fill(`${slug}-2`);
    await expect(page.getByText(`Links to /status/${slug} will stop working`)).toBeVisible();
    await page.getByRole('button', { name: 'Save changes' }).click();
    current = `${slug}-2`;
    await expect(page).toHaveURL(`${service.url}/status-pages/${current}`);
    await expect(page.getByText('Unsaved changes')).toHaveCount(0);
  });

  await thoroughStep('a domain is set, with the records to create, and checked', async () => {
    await page.getByRole('link', { name: 'Domain' }).click();
    await page.getByRole('textbox', { name: 'Domain' }).fill('not a domain');
    await page.getByRole('button', { name: 'Save domain' }).click();
    await expect(page.getByRole('textbox', { name: 'Domain' })).toHaveAttribute('aria-invalid', 'true');
    await page.getByRole('textbox', { name: 'Domain' }).fill(`${slug}.example`);
    await page.getByRole('button', { name: 'Save domain' }).click();
    await expect(page.getByText(`_pharos.${slug}.example`).first()).toBeVisible();
    await expect(page.getByRole('heading', { name: `${slug}.example` })).toBeVisible();
    await expect(page.getByRole('button', { name: 'Check now' })).toBeVisible();
    await expectAccessibleIfThorough(page);
  });

  await thoroughStep('subscribers are listed, and one is removed and restored', async () => {
    await addSubscriber(organization.ctx, current, 'ann@example.com');
    await page.getByRole('link', { name: 'Subscribers' }).click();
    await page.getByRole('button', { name: 'Remove ann@example.com' }).click();
    await expect(page.getByText('No subscribers yet')).toBeVisible();
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect(page.getByRole('button', { name: 'Remove ann@example.com' })).toBeVisible();
    await expectAccessibleIfThorough(page);
    await page.getByRole('link', { name: 'Share' }).click();
    await page.getByLabel('Shows').selectOption('Shop: status');
    await expect(page.getByText('[![Status of Shop](')).toBeVisible();
    await expectAccessibleIfThorough(page);
  });

  await thoroughStep('nothing is too wide for a phone', async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    for (const end of [
      '',
      `/${current}`,
      `/${current}/domain`,
      `/${current}/share`,
      `/${current}/subscribers`,
    ]) {
      await page.goto(`${service.url}/status-pages${end}`);
      await expectToFit(page);
    }
    await page.setViewportSize({ width: 1440, height: 900 });
  });

  await thoroughStep('viewers see the page, and get no actions', async () => {
    await organization.setRole('viewer');
    await page.goto(`${service.url}/status-pages`);
    await expect(page.getByRole('link', { name: 'New status page' })).toHaveCount(0);
    await expectAccessibleIfThorough(page);
    await page.getByRole('link', { name: 'Acme & Söhne' }).click();
    await expect(names(preview)).toHaveText(['Shop', 'Search']);
    await expect(page.getByRole('button', { name: /Save|Delete|Move/ })).toHaveCount(0);
    await expectAccessibleIfThorough(page);
    await page.goto(`${service.url}/status-pages/new`);
    await expect(page.getByText('Your role is viewer')).toBeVisible();
    await organization.setRole('owner');
  });

  await test.step('a page is deleted once its slug is typed', async () => {
    await page.goto(`${service.url}/status-pages/${current}`);
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByLabel('Slug to confirm').fill('another');
    await page.getByRole('button', { name: 'Delete page' }).click();
    await expect(page.getByText(`Slug to confirm must be “${current}”.`)).toBeVisible();
    await expectAccessibleIfThorough(page);
    await page.getByLabel('Slug to confirm').fill(current);
    await page.getByRole('button', { name: 'Delete page' }).click();
    await expect(page.getByText('No status pages yet')).toBeVisible();
  });

  // The trace recorder tries to run in every frame; the preview is right to block it.
  const isRecorder = (fault: string) => fault.startsWith('console: Blocked script execution in');
  expect(faults.filter((fault) => !isRecorder(fault))).toEqual([]);
});

test.describe('on the free plan', () => {
  test.use({ plan: 'free' });

  test('limits are explained where they apply', THOROUGH, async ({ page, service, organization }) => {
    await organization.signIn(page.context());
    for (const nth of [1, 2, 3]) {
      const slug = `limit-${nth}-${organization.id.slice(-6)}`;
      await organization.api('POST', '/status-pages', { name: `Page ${nth}`, slug, monitors: [] });
    }
    await page.goto(`${service.url}/status-pages`);
    await expect(page.getByText('The free plan allows 3 status pages, and all are in use.')).toBeVisible();
    await expect(page.getByRole('link', { name: 'New status page' })).toHaveCount(0);
    await page.getByRole('link', { name: 'Page 1' }).click();
    await page.getByRole('link', { name: 'Domain' }).click();
    await expect(page.getByText('The free plan does not include custom domains.')).toBeVisible();
    await expect(page.getByRole('textbox', { name: 'Domain' })).toBeDisabled();
    await expect(page.getByRole('button', { name: 'Save domain' })).toHaveCount(0);
  });
});

test('a preview needs a session and a request from our own page, and is never cached', async ({
  service,
  organization,
}) => {
  const signedIn = { cookie: await organization.createCookie() };
  const theme = { primaryColor: '#22c55e', backgroundColor: '#ffffff', textColor: '#000000' };
  const typed = { name: 'Acme', description: '', logoUrl: '', monitors: [], showResponseTimes: false };
  const body = new URLSearchParams({ page: JSON.stringify({ ...typed, theme, scheme: 'light' }) });
  const post = (headers: Record<string, string>) =>
    fetch(`${service.url}/preview/status-page`, { method: 'POST', headers, body });

  const response = await post(signedIn);
  expect(response.status).toBe(200);
  expect(response.headers.get('cache-control')).toBe('no-store');
  expect(response.headers.get('content-security-policy')).toContain("frame-ancestors 'self'; sandbox");
  expect((await post({})).status).toBe(401);
  expect((await post({ ...signedIn, origin: 'https://elsewhere.example' })).status).toBe(403);
});

function heading(preview: FrameLocator) {
  return preview.locator('h1');
}

/** The monitors of a preview, in order. By selector: the preview is inert, so it has no roles. */
function names(preview: FrameLocator) {
  return preview.locator('.row h3');
}

/** Adds a confirmed subscriber; the sign-up itself is tested with the public page. */
async function addSubscriber({ db, clock }: OrganizationContext, slug: string, email: string) {
  const { id: pageId } = await db.statusPage.findUniqueOrThrow({ where: { slug } });
  const now = clock.now();
  await db.pageSubscriber.create({
    data: {
      id: createId('subscriber'),
      pageId,
      email,
      language: 'en',
      tokenHash: randomBytes(32),
      requestedAt: now,
      createdAt: now,
      confirmedAt: now,
    },
  });
}
