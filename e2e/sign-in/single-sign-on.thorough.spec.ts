import type { Browser, Page } from '@playwright/test';
import { findFreePort } from '@/lib/core/ports';
import { inviteMember } from '@/lib/domain/members/invitations';
import { signInAtProvider, startIdentityProvider } from '../support/identity-provider';
import { createOrganizationIn } from '../support/own-organization';
import { expectAccessible, expectToFit } from '../support/page-checks';
import { openServices } from '../support/service-access';
import { expect, test } from '../support/shared-service';
import { startService } from '../support/start-service';

const STAFF = { email_verified: true, groups: ['staff'] };

test('people sign in with the provider of their company', async ({ browser }) => {
  const port = String(await findFreePort());
  const url = `http://127.0.0.1:${port}`;
  const provider = await startIdentityProvider(url);
  let isProviderUp = true;
  const service = await startService({
    env: {
      PORT: port,
      APP_URL: url,
      ...provider.env,
      OIDC_ORGANIZATION: 'Acme',
      OIDC_ALLOWED_DOMAINS: 'acme.test',
      OIDC_ROLES: 'admins:admin,staff:member',
    },
  });
  const access = await openServices(service.dataDir);
  const organization = await createOrganizationIn({ url, access }, { plan: 'enterprise' });
  const { db } = access.services;
  const roleOf = async (email: string) =>
    (await db.membership.findFirst({ where: { user: { email } } }))?.role;
  const continueAs = async (page: Page, name: string) => {
    await page.goto(`${url}/sign-in?callbackUrl=${encodeURIComponent('/settings/profile')}`);
    await page.getByRole('button', { name: 'Continue with Acme ID' }).click();
    await signInAtProvider(page, name);
  };

  try {
    await test.step('a first sign-in joins the organization with the role of the claims', async () => {
      const page = await openPage(browser);
      provider.people.set('ada', { ...STAFF, email: 'ada@acme.test', name: 'Ada' });
      await page.goto(`${url}/sign-in`);
      await expectAccessible(page);
      await page.setViewportSize({ width: 390, height: 844 });
      await expectToFit(page);
      await page.setViewportSize({ width: 1280, height: 900 });
      let callback = '';
      page.on('request', (request) => {
        if (request.url().startsWith(`${url}/api/auth/callback/oidc`)) callback = request.url();
      });
      await continueAs(page, 'ada');
      await expect(page).toHaveURL(`${url}/settings/profile`);
      await expect(page.getByText('You have no password.')).toBeVisible();
      await expect(page.getByText('ada@acme.test · last used')).toBeVisible();
      await expectAccessible(page);
      expect(await roleOf('ada@acme.test')).toBe('member');

      await page.getByRole('button', { name: 'Unlink Acme ID' }).click();
      await expect(page.getByText('This is your only way to sign in.')).toBeVisible();

      await test.step('a replayed callback is refused', async () => {
        const thief = await openPage(browser);
        await thief.goto(callback);
        await expect(thief.getByText('This sign-in has expired or was already used.')).toBeVisible();
      });

      await test.step('the role follows the claims at the next sign-in', async () => {
        provider.people.set('ada', {
          email: 'ada@acme.test',
          email_verified: true,
          groups: ['staff', 'admins'],
        });
        await page.getByRole('button', { name: /^Account menu/ }).click();
        await page.getByRole('menuitem', { name: 'Sign out' }).click();
        await expect(page).toHaveURL(`${url}/sign-in`);
        await page.goto(`${url}/sign-in?callbackUrl=${encodeURIComponent('/settings/members')}`);
        // The provider still knows her.
        await page.getByRole('button', { name: 'Continue with Acme ID' }).click();
        await expect(page).toHaveURL(`${url}/settings/members`);
        expect(await roleOf('ada@acme.test')).toBe('admin');
      });
    });

    await test.step('a known address is linked only if it is verified', async () => {
      const { email } = organization.owner;
      provider.people.set('owner', { email, email_verified: false });
      const page = await openPage(browser);
      await continueAs(page, 'owner');
      await expect(page.getByText('Acme ID has not verified your email address.')).toBeVisible();
      await expectAccessible(page);
      expect(await db.identity.count({ where: { userId: organization.owner.id } })).toBe(0);

      provider.people.set('owner', { email, email_verified: true });
      await page.getByRole('button', { name: 'Continue with Acme ID' }).click();
      await expect(page).toHaveURL(`${url}/settings/profile`);
      await expect(page.getByLabel('Current password')).toBeVisible();
      expect(await roleOf(email)).toBe('owner');
    });

    await test.step('a signed-in person links another account, and unlinks it', async () => {
      const context = await browser.newContext();
      await organization.signIn(context);
      const page = await context.newPage();
      provider.people.set('private', { email: 'private@elsewhere.test', email_verified: false });
      await page.goto(`${url}/settings/profile`);
      await page.getByRole('button', { name: 'Link Acme ID', exact: true }).click();
      await signInAtProvider(page, 'private');
      await expect(page.getByText('private@elsewhere.test · last used')).toBeVisible();
      const line = page.getByRole('listitem').filter({ hasText: 'private@elsewhere.test' });
      await line.getByRole('button', { name: 'Unlink Acme ID' }).click();
      await expect(line).toHaveCount(0);
    });

    await test.step('a stranger needs an invitation, which they accept with the provider', async () => {
      const email = 'guest@elsewhere.test';
      provider.people.set('guest', { email, email_verified: true });
      const page = await openPage(browser);
      await continueAs(page, 'guest');
      await expect(page.getByText('There is no account for your email address.')).toBeVisible();
      const invitation = await inviteMember(organization.ctx, { email, role: 'viewer' }, { baseUrl: url });
      await page.goto(invitation.url);
      await expectAccessible(page);
      await page.getByRole('button', { name: 'Continue with Acme ID' }).click();
      await page.getByRole('button', { name: 'Join Acme' }).click();
      await expect(page).toHaveURL(`${url}/monitors`);
      expect(await roleOf(email)).toBe('viewer');
    });

    await test.step('a provider that is down is named, and the password still works', async () => {
      await provider.close();
      isProviderUp = false;
      const page = await openPage(browser);
      await page.goto(`${url}/sign-in`);
      await page.getByRole('button', { name: 'Continue with Acme ID' }).click();
      await expect(page.getByText('Acme ID did not respond.')).toBeVisible();
      await page.getByLabel('Email').fill(organization.owner.email);
      await page.getByLabel('Password').fill(organization.owner.password);
      await page.getByRole('button', { name: 'Sign in' }).click();
      await expect(page).toHaveURL(`${url}/monitors`);
    });
  } finally {
    await access.close();
    await service.stop();
    if (isProviderUp) await provider.close();
  }
});

/** A page of somebody else's browser. */
async function openPage(browser: Browser): Promise<Page> {
  return (await browser.newContext()).newPage();
}
