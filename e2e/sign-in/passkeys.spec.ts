import type { Page } from '@playwright/test';
import { findFreePort } from '@/lib/core/ports';
import { createPasswordResetByOperator } from '@/lib/domain/people/passwords';
import { createOrganizationIn, type OwnOrganization } from '../support/own-organization';
import { expectToFit, watchFaults } from '../support/page-checks';
import { openServices, type ServiceAccess } from '../support/service-access';
import { expect, test } from '../support/shared-service';
import { type Service, startService } from '../support/start-service';
import { expectAccessibleIfThorough, THOROUGH, thoroughStep } from '../support/thorough';

test.describe.configure({ mode: 'serial' });

let service: Service;
let access: ServiceAccess;
let url: string;

test.beforeAll(async () => {
  const port = String(await findFreePort());
  // Browsers have passkeys for names only.
  url = `http://localhost:${port}`;
  service = await startService({ env: { PORT: port, APP_URL: url } });
  access = await openServices(service.dataDir);
});

test.afterAll(async () => {
  await access.close();
  await service.stop();
});

test('a passkey is added in the profile, signs in alone, is a second factor, and is removed', async ({
  page,
}) => {
  const organization = await createOrganizationIn({ url, access }, { plan: 'enterprise' });
  const faults = watchFaults(page, { origin: url });
  const device = await addDevice(page);
  const passkeys = page.getByRole('region', { name: 'Passkeys' });
  const recoveryCodes: string[] = [];

  await test.step('the profile adds it, and shows recovery codes once', async () => {
    await organization.signIn(page.context());
    await page.goto(`${url}/settings/profile`);
    await expect(passkeys.getByText('No passkeys.')).toBeVisible();
    await passkeys.getByRole('link', { name: 'Add a passkey' }).click();
    await expect(page.getByLabel('Name')).toHaveValue(/Chrome/);
    await expectAccessibleIfThorough(page);
    await expectToFitPhone(page);
    await page.getByLabel('Name').fill('Work laptop');
    await page.getByRole('button', { name: 'Create passkey' }).click();
    await expect(page.getByRole('heading', { name: 'Your recovery codes' })).toBeVisible();
    const shown = (await page.getByText(/^(\w{4}-){3}\w{4}\s/).textContent()) ?? '';
    recoveryCodes.push(...shown.split('\n'));
    await page.getByRole('link', { name: 'Continue' }).click();
    await expect(passkeys.getByText('Work laptop')).toBeVisible();
    await expect(passkeys.getByText(/^added .* never used/)).toBeVisible();
    await expect(page.getByText('10 left')).toBeVisible();
    await expectAccessibleIfThorough(page);
    await expectToFitPhone(page);
  });

  await thoroughStep('it is renamed', async () => {
    await passkeys.getByRole('button', { name: 'Rename the passkey Work laptop' }).click();
    await passkeys.getByLabel('Name').fill('Private laptop');
    await expectAccessibleIfThorough(page);
    await passkeys.getByRole('button', { name: 'Save' }).click();
    await expect(passkeys.getByText('Private laptop')).toBeVisible();
  });

  await test.step('it signs in alone, without a name', async () => {
    await signOut(page);
    await page.goto(`${url}/sign-in`);
    await expectAccessibleIfThorough(page);
    await expectToFitPhone(page);
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
    await expect(page).toHaveURL(`${url}/monitors`);
    await page.goto(`${url}/settings/profile`);
    await expect(passkeys.getByText(/last used/)).toBeVisible();
  });

  await test.step('a person whom the device does not recognize stays signed out', async () => {
    await signOut(page);
    await device.recognize(false);
    await page.goto(`${url}/sign-in`);
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
    await expect(page.getByText('The passkey request was canceled or timed out. Try again.')).toBeVisible();
    await expectAccessibleIfThorough(page);
    await device.recognize(true);
  });

  await test.step('after the password, it is the second factor, and recovery codes replace it', async () => {
    await signInByPassword(page, organization);
    await expect(page).toHaveURL(/\/sign-in\/second-factor/);
    await expect(page.getByText('One of your recovery codes.')).toBeVisible();
    await expectAccessibleIfThorough(page);
    await expectToFitPhone(page);
    await page.getByRole('button', { name: 'Use a passkey' }).click();
    await expect(page).toHaveURL(`${url}/monitors`);
    await signOut(page);
    await signInByPassword(page, organization);
    await page.getByLabel('Code').fill(recoveryCodes[0] ?? '');
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await expect(page).toHaveURL(`${url}/monitors`);
  });

  await thoroughStep('setting up an authenticator app asks for it first', async () => {
    await forgetFactor(organization);
    await page.goto(`${url}/sign-in/set-up-second-factor`);
    await expect(page.getByRole('heading', { name: 'Confirm it’s you' })).toBeVisible();
    await expectAccessibleIfThorough(page);
    await page.getByRole('button', { name: 'Use a passkey' }).click();
    await expect(page.getByRole('img', { name: /^QR code/ })).toBeVisible();
  });

  await test.step('removing it asks for it first, and ends the second factor', async () => {
    await forgetFactor(organization);
    await page.goto(`${url}/settings/profile`);
    await removePasskey(page);
    await expect(page.getByRole('heading', { name: 'Confirm it’s you' })).toBeVisible();
    await page.getByRole('button', { name: 'Use a passkey' }).click();
    await expect(page).toHaveURL(`${url}/settings/profile`);
    await removePasskey(page);
    await expect(passkeys.getByText('No passkeys.')).toBeVisible();
    await expect(page.getByText('No second factor set up.')).toBeVisible();
    await signOut(page);
    await page.goto(`${url}/sign-in`);
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
    await expect(page.getByText('The passkey was not accepted')).toBeVisible();
    await signInByPassword(page, organization);
    await expect(page).toHaveURL(`${url}/monitors`);
  });
  expect(faults).toEqual([]);
});

test(
  'a member sets up a passkey where the organization requires a second factor, and resets a password with it',
  THOROUGH,
  async ({ page }) => {
    const organization = await createOrganizationIn({ url, access }, { plan: 'enterprise' });
    const { db } = organization.ctx;
    await db.organization.update({ where: { id: organization.id }, data: { secondFactorFrom: new Date() } });
    await addDevice(page);

    await test.step('before anything else', async () => {
      await signInByPassword(page, organization);
      await expect(page).toHaveURL(/\/sign-in\/set-up-second-factor/);
      await page.getByRole('link', { name: 'Use a passkey instead' }).click();
      await page.getByRole('button', { name: 'Create passkey' }).click();
      await page.getByRole('link', { name: 'Continue' }).click();
      await expect(page).toHaveURL(`${url}/monitors`);
    });

    await test.step('and cannot remove it', async () => {
      await page.goto(`${url}/settings/profile`);
      await removePasskey(page);
      await expect(page.getByText('Your organization requires a second factor.')).toBeVisible();
    });

    await test.step('a new password takes effect with it', async () => {
      const { path } = await createPasswordResetByOperator(access.services, organization.owner.email);
      await signOut(page);
      await page.goto(`${url}${path}`);
      await page.getByLabel('New password').fill('another horse battery');
      await expectAccessibleIfThorough(page);
      await expectToFitPhone(page);
      await page.getByRole('button', { name: 'Use a passkey instead of a code' }).click();
      await expect(page.getByText('Your password has been reset.')).toBeVisible();
    });
  },
);

test(
  'a service without an address of its own explains why it has no passkeys',
  THOROUGH,
  async ({ page, service: other, organization }) => {
    await page.goto(`${other.url}/sign-in`);
    await expect(page.getByRole('button', { name: 'Sign in', exact: true })).toBeVisible();
    await expect(page.getByRole('button', { name: 'Sign in with a passkey' })).toHaveCount(0);
    await organization.signIn(page.context());
    await page.goto(`${other.url}/settings/profile`);
    await expect(page.getByText('Passkeys need the address of this service.')).toBeVisible();
    await expect(page.getByRole('link', { name: 'Add a passkey' })).toHaveCount(0);
    await expectAccessibleIfThorough(page);
    await page.goto(`${other.url}/sign-in/add-passkey`);
    await expect(page.getByText('Passkeys need the address of this service.')).toBeVisible();
  },
);

/** A device that keeps passkeys for this page, and recognizes its person by default. */
async function addDevice(page: Page) {
  const client = await page.context().newCDPSession(page);
  await client.send('WebAuthn.enable');
  const { authenticatorId } = await client.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return {
    recognize: (isUserVerified: boolean) =>
      client.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified }),
  };
}

async function signInByPassword(page: Page, { owner }: OwnOrganization): Promise<void> {
  await page.goto(`${url}/sign-in`);
  await page.getByLabel('Email').fill(owner.email);
  await page.getByLabel('Password').fill(owner.password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}

/** Drops the session without any open page noticing. */
async function signOut(page: Page): Promise<void> {
  await page.goto('about:blank');
  await page.context().clearCookies();
}

async function removePasskey(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Remove the passkey/ }).click();
  await page.getByRole('button', { name: 'Remove', exact: true }).click();
}

/** As ten minutes later. */
async function forgetFactor({ owner, ctx }: OwnOrganization): Promise<void> {
  const data = { secondFactorAt: new Date(Date.now() - 600_000) };
  await ctx.db.session.updateMany({ where: { userId: owner.id }, data });
}

async function expectToFitPhone(page: Page): Promise<void> {
  const size = page.viewportSize();
  await page.setViewportSize({ width: 390, height: 844 });
  await expectToFit(page);
  if (size) await page.setViewportSize(size);
}
