import type { Browser, Page, Request } from '@playwright/test';
import { expectToFit, watchFaults } from './support/page-checks';
import { expect, test } from './support/shared-service';
import { expectAccessibleIfThorough, THOROUGH, thoroughStep } from './support/thorough';

const DESKTOP = { viewport: { width: 1440, height: 900 } };
const PASSWORD = 'correct horse battery';

test.use(DESKTOP);

test('a second browser joins by an invitation, is promoted, and is removed within seconds', async ({
  page,
  service,
  organization,
  browser,
}) => {
  const faults = watchFaults(page, { origin: service.url });
  await organization.signIn(page.context());
  const invited = `bob-${organization.id.slice(-8)}@example.com`;
  const bob = await open(browser);
  const links: string[] = [];

  await test.step('the form shows errors, keeps its input, and shows the link once', async () => {
    await page.goto(`${service.url}/settings/members`);
    await expect(page.getByRole('row', { name: organization.owner.email })).toContainText('you');
    for (const wrong of ['bob＠example.com', 'bob@exаmple.com', 'bob']) {
      await page.getByLabel('Email').fill(wrong);
      await page.getByRole('button', { name: 'Invite' }).click();
      await expect(page.getByText('Email must be a valid email address.')).toBeVisible();
      await expect(page.getByLabel('Email')).toHaveValue(wrong);
    }
    await page.getByLabel('Email').fill(invited.toUpperCase());
    await page.getByLabel('Role', { exact: true }).selectOption('viewer');
    await page.getByRole('button', { name: 'Invite' }).click();
    links.push(await readLink(page));
    await expect(page.getByText('Email is not configured')).toBeVisible();
    await expect(page.getByRole('listitem').filter({ hasText: invited })).toContainText(
      /expires [A-Z][a-z]{2} \d/,
    );
    await expectAccessibleIfThorough(page);
    await page.reload();
    await expect(page.getByText('/invitation/')).toHaveCount(0);
  });

  await thoroughStep('another person who is signed in sees whose invitation it is', async () => {
    await page.goto(links[0] ?? '');
    await expect(page.getByText(`this invitation is for ${invited}.`)).toBeVisible();
    await expectAccessibleIfThorough(page);
  });

  await test.step('a second browser accepts with a new password', async () => {
    await bob.goto(links[0] ?? '');
    await expect(bob.getByRole('heading', { name: 'Join Acme' })).toBeVisible();
    await expectAccessibleIfThorough(bob);
    await bob.getByLabel('Choose a password').fill('short');
    await bob.getByRole('button', { name: 'Create account and join' }).click();
    await expect(bob.getByText('must be at least 8 characters')).toBeVisible();
    await bob.getByLabel('Choose a password').fill(PASSWORD);
    await bob.getByRole('button', { name: 'Create account and join' }).click();
    await expect(bob.getByRole('heading', { name: 'Monitors', exact: true })).toBeVisible();
  });

  await thoroughStep('the link no longer works', async () => {
    const stranger = await open(browser);
    await stranger.goto(links[0] ?? '');
    await expect(stranger.getByText('This link has already been used.')).toBeVisible();
    await expectAccessibleIfThorough(stranger);
    await stranger.goto(`${service.url}/invitation/nonsense%00`);
    await expect(stranger.getByText('This link is not valid.')).toBeVisible();
    await stranger.context().close();
  });

  await test.step('a viewer cannot change anything; a forged request is rejected', async () => {
    await bob.goto(`${service.url}/settings/members`);
    await expect(bob.getByRole('row', { name: invited })).toContainText('Viewer');
    await expect(bob.getByRole('combobox')).toHaveCount(0);
    await expect(bob.getByLabel('Email')).toHaveCount(0);
    await expectAccessibleIfThorough(bob);
    await bob.goto(`${service.url}/settings/api-keys`);
    await expect(bob.getByText('Only admins and owners can create and revoke keys.')).toBeVisible();
    await expect(bob.getByRole('button', { name: /Revoke|Rotate|Create/ })).toHaveCount(0);

    await page.goto(`${service.url}/settings/organization`);
    const sent = page.waitForRequest((request) => request.headers()['next-action'] !== undefined);
    await page.getByLabel('Name').fill('Acme renamed');
    await page.getByRole('button', { name: 'Rename' }).click();
    const renaming = await sent;
    await expect(page.getByRole('button', { name: 'Organization: Acme renamed' })).toBeVisible();
    await organization.ctx.db.organization.update({
      where: { id: organization.id },
      data: { name: 'Acme' },
    });
    const text = await replay(renaming, bob);
    expect(text).toContain('Your role is viewer. This requires the admin role or higher');
    const { name } = await organization.ctx.db.organization.findUniqueOrThrow({
      where: { id: organization.id },
    });
    expect(name).toBe('Acme');
  });

  await test.step('after a promotion, the same page offers more', async () => {
    await bob.goto(`${service.url}/settings/members`);
    await page.goto(`${service.url}/settings/members`);
    await page.getByLabel(`Role of ${invited}`).selectOption('admin');
    await expect(bob.getByRole('heading', { name: 'Invite a member' })).toBeVisible();
    await expect(bob.getByLabel(`Role of ${organization.owner.email}`)).toHaveCount(0);
    await bob.getByLabel('Email').fill('carol@example.com');
    await bob.getByRole('button', { name: 'Invite' }).click();
    links.push(await readLink(bob));
    await bob.getByRole('button', { name: 'Revoke the invitation for carol@example.com' }).click();
    await bob.getByRole('button', { name: 'Revoke', exact: true }).click();
    await expect(bob.getByRole('alertdialog')).toBeHidden();
    await expect(bob.getByRole('heading', { name: 'Pending invitations' })).toHaveCount(0);
  });

  await thoroughStep('an admin creates a password reset link', async () => {
    await page.getByLabel('Member', { exact: true }).selectOption(invited);
    await page.getByRole('button', { name: 'Create link' }).click();
    const shown = page.getByText(/^http.*\/reset-password\?token=/);
    await expect(shown).toBeVisible();
    await expectAccessibleIfThorough(page);
    const link = (await shown.textContent()) ?? '';
    const another = await open(browser);
    await another.goto(link);
    await expect(another.getByRole('heading', { name: 'Set a new password' })).toBeVisible();
    await another.context().close();
  });

  await thoroughStep('the only owner cannot leave', async () => {
    await page.getByRole('button', { name: 'Leave Acme' }).click();
    await page.getByRole('button', { name: 'Leave', exact: true }).click();
    await expect(page.getByText('This is the only owner')).toBeVisible();
    await expectAccessibleIfThorough(page);
    await page.getByRole('button', { name: 'Cancel' }).click();
  });

  await test.step('after a removal, the open page and its next action are rejected within 5 seconds', async () => {
    await bob.goto(`${service.url}/monitors/new`);
    await bob.getByLabel('Name').fill('Mine');
    await bob.getByLabel('URL', { exact: true }).fill(`${service.url}/api/live`);
    // A handle, because the page may redirect before the button could be found again.
    const create = await bob.getByRole('button', { name: 'Create monitor' }).elementHandle();
    const watching = await bob.context().newPage();
    await watching.goto(`${service.url}/settings/members`);
    await page.getByRole('button', { name: `Remove ${invited}` }).click();
    await expectAccessibleIfThorough(page);
    const confirm = page.getByRole('button', { name: 'Remove', exact: true });
    await confirm.click();
    // While the dialog is open, nothing behind it has a role; it closes once the removal is done.
    await expect(confirm).toHaveCount(0);
    await expect(page.getByRole('row', { name: invited })).toHaveCount(0);
    await create?.evaluate((button) => (button as HTMLButtonElement).click());
    await expect(bob.getByText('You are not a member of any organization.')).toBeVisible();
    await watching.bringToFront();
    await expect(watching.getByText('You are not a member of any organization.')).toBeVisible();
    await expectAccessibleIfThorough(bob);
    expect(await organization.ctx.db.monitor.count({ where: { organizationId: organization.id } })).toBe(0);
    await watching.close();
  });

  await thoroughStep(
    'a person without an organization creates one, and rejoins with another invitation',
    async () => {
      await bob.bringToFront();
      await bob.getByLabel('Name').fill('Bob & Sons');
      await bob.getByRole('button', { name: 'Create' }).click();
      await expect(bob.getByRole('button', { name: 'Organization: Bob & Sons' })).toBeVisible();
      await page.getByLabel('Email').fill(invited);
      await page.getByRole('button', { name: 'Invite' }).click();
      await bob.goto(await readLink(page));
      await expectAccessibleIfThorough(bob);
      await bob.getByRole('button', { name: 'Join Acme' }).click();
      await bob.getByRole('button', { name: 'Organization: Acme' }).click();
      await bob.getByRole('menuitemradio', { name: 'Bob & Sons' }).click();
      await expect(bob.getByRole('button', { name: 'Organization: Bob & Sons' })).toBeVisible();
    },
  );

  await thoroughStep('an owner deletes the organization by typing its name', async () => {
    await bob.goto(`${service.url}/settings/organization`);
    await bob.getByLabel('Type “Bob & Sons” to confirm').fill('Bob');
    await bob.getByRole('button', { name: 'Delete this organization' }).click();
    await expect(bob.getByText('must be “Bob & Sons”')).toBeVisible();
    await expectAccessibleIfThorough(bob);
    await bob.getByLabel('Type “Bob & Sons” to confirm').fill('Bob & Sons');
    await bob.getByRole('button', { name: 'Delete this organization' }).click();
    await expect(bob.getByRole('button', { name: 'Open Acme' })).toBeVisible();
    await bob.getByRole('button', { name: 'Open Acme' }).click();
    await expect(bob.getByRole('button', { name: 'Organization: Acme' })).toBeVisible();
  });

  await thoroughStep('the ownership is transferred', async () => {
    await page.getByRole('button', { name: `Transfer ownership to ${invited}` }).click();
    await page.getByRole('button', { name: 'Transfer ownership', exact: true }).click();
    await expect(page.getByRole('row', { name: invited })).toContainText('Owner');
    await expect(page.getByLabel(`Role of ${organization.owner.email}`)).toHaveValue('admin');
  });

  expect(faults).toEqual([]);
  await bob.context().close();
});

test(
  'API keys are created, shown once, rotated with an overlap and revoked; the plan shows usage',
  THOROUGH,
  async ({ page, service, organization }) => {
    const faults = watchFaults(page, { origin: service.url });
    await organization.signIn(page.context());
    await page.goto(`${service.url}/settings/api-keys`);
    await page.getByLabel('Name').fill('Deploys');
    await page.getByLabel('Scope').selectOption('read');
    await page.getByLabel('Expires').selectOption('30');
    await page.getByRole('button', { name: 'Create key' }).click();
    const first = await readKey(page);
    expect(await status(first)).toBe(200);
    const row = page.getByRole('listitem').filter({ hasText: 'Deploys' });
    await expect(row).toContainText(`by ${organization.owner.email}`);
    await expect(row).toContainText('read only');
    await expect(row).toContainText('expires in 29d');
    await expectAccessibleIfThorough(page);

    await row.getByRole('button', { name: /^Rotate Deploys/ }).click();
    await expectAccessibleIfThorough(page);
    await page.getByRole('button', { name: 'Rotate key' }).click();
    await expect(page.getByRole('alertdialog')).toBeHidden();
    await expect(page.getByRole('listitem').filter({ hasText: 'Deploys' })).toHaveCount(2);
    const shown = page.getByText(/^ph_live_\w{38}$/);
    const second = (await shown.allTextContents()).find((key) => key !== first) ?? '';
    expect([await status(first), await status(second)]).toEqual([200, 200]);

    await page.reload();
    await expect(shown).toHaveCount(0);
    await page.getByRole('button', { name: `Revoke Deploys (${second.slice(0, 12)}…)` }).click();
    await page.getByRole('button', { name: 'Revoke key' }).click();
    await expect(page.getByText('revoked just now').or(page.getByText(/revoked \d+s ago/))).toBeVisible();
    expect([await status(first), await status(second)]).toEqual([200, 401]);

    await page.goto(`${service.url}/settings/plan`);
    await expect(page.getByRole('listitem').filter({ hasText: 'Members' })).toContainText('1 used, no limit');
    await expectAccessibleIfThorough(page);
    expect(faults).toEqual([]);

    async function status(key: string): Promise<number> {
      const response = await fetch(`${service.url}/api/me`, { headers: { Authorization: `Bearer ${key}` } });
      return response.status;
    }
  },
);

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, plan: 'free' });

  test('the settings fit', THOROUGH, async ({ page, service, organization }) => {
    await organization.signIn(page.context());
    await organization.api('POST', '/invitations', {
      email: `somebody-with-a-rather-long-name-${'x'.repeat(25)}@a-long-domain-name.example.com`,
    });
    for (const path of [
      '/settings/members',
      '/settings/api-keys',
      '/settings/plan',
      '/settings/organization',
    ]) {
      await page.goto(`${service.url}${path}`);
      await expect(page.getByRole('heading', { level: 2 }).first()).toBeVisible();
      await expectToFit(page);
      await expectAccessibleIfThorough(page);
    }
    await page.goto(`${service.url}/organizations`);
    await expectToFit(page);
    await expectAccessibleIfThorough(page);
  });
});

/** A browser of another person. */
async function open(browser: Browser): Promise<Page> {
  return (await browser.newContext(DESKTOP)).newPage();
}

/** The link on the screen. */
async function readLink(page: Page): Promise<string> {
  const shown = page.getByText(/^http.*\/invitation\/[\w-]{43}$/);
  await expect(shown).toBeVisible();
  return (await shown.textContent()) ?? '';
}

/** The key on the screen. */
async function readKey(page: Page): Promise<string> {
  const shown = page.getByText(/^ph_live_\w{38}$/);
  await expect(shown).toBeVisible();
  return (await shown.textContent()) ?? '';
}

/** Repeats a request of one browser with the cookies of another, and returns the response. */
async function replay(request: Request, as: Page): Promise<string> {
  const { cookie: _, ...headers } = await request.allHeaders();
  const kept = Object.fromEntries(Object.entries(headers).filter(([name]) => !name.startsWith(':')));
  const response = await as.context().request.post(request.url(), {
    headers: kept,
    data: request.postDataBuffer() ?? '',
  });
  return response.text();
}
