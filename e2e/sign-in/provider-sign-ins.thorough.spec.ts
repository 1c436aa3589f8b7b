import { signInByPassword } from '@/app/testing/sign-in-by-password';
import { findFreePort } from '@/lib/core/ports';
import { createPasswordResetByOperator } from '@/lib/domain/people/passwords';
import { beginEnrollment, confirmEnrollment } from '@/lib/domain/people/second-factor/enroll-second-factor';
import { totpCode } from '@/lib/domain/people/second-factor/totp';
import { type IdentityProvider, signInAtProvider, startIdentityProvider } from '../support/identity-provider';
import { createOrganizationIn, type OwnOrganization } from '../support/own-organization';
import { expectAccessible, expectToFit } from '../support/page-checks';
import { openServices, type ServiceAccess } from '../support/service-access';
import { expect, test } from '../support/shared-service';
import { type Service, startService } from '../support/start-service';

test.describe.configure({ mode: 'serial' });

let provider: IdentityProvider;
let service: Service;
let access: ServiceAccess;
let organization: OwnOrganization;
let url: string;

test.beforeAll(async () => {
  const port = String(await findFreePort());
  url = `http://localhost:${port}`;
  provider = await startIdentityProvider(url);
  const env = { PORT: port, APP_URL: url, PASSWORD_SIGN_IN: 'off', ...provider.env };
  service = await startService({ env });
  access = await openServices(service.dataDir);
  organization = await createOrganizationIn({ url, access }, { plan: 'enterprise' });
});

test.afterAll(async () => {
  await access?.close();
  await service?.stop();
  await provider?.close();
});

test('without passwords, the provider is the only way in', async ({ page }) => {
  const { owner } = organization;
  await page.goto(`${url}/sign-in`);
  await expect(page.getByRole('button')).toHaveText(['Continue with Acme ID']);
  await expect(page.getByLabel('Password')).toHaveCount(0);
  await expectAccessible(page);
  await page.setViewportSize({ width: 390, height: 844 });
  await expectToFit(page);
  for (const path of ['/forgot-password', '/sign-up']) {
    await page.goto(`${url}${path}`);
    await expect(page.getByLabel('Email')).toHaveCount(0);
  }
  const { path } = await createPasswordResetByOperator(access.services, owner.email);
  await page.goto(`${url}${path}`);
  await expect(page).toHaveURL(`${url}/sign-in`);
  expect(await signInByPassword(url, owner)).toBeNull();
  expect(await access.services.db.session.count({ where: { userId: owner.id } })).toBe(0);
});

test('a person with an authenticator app enters its code after the provider', async ({ page }) => {
  const { ctx, owner } = organization;
  const secret = await beginEnrollment(ctx, owner.id);
  const code = totpCode(secret, ctx.clock.now());
  await ctx.db.$transaction((tx) => confirmEnrollment(tx, ctx, { user: owner, code, address: null }));
  provider.people.set('owner', { email: owner.email, email_verified: true });
  await page.goto(`${url}/sign-in?callbackUrl=${encodeURIComponent('/settings/profile')}`);
  await page.getByRole('button', { name: 'Continue with Acme ID' }).click();
  await signInAtProvider(page, 'owner');
  await expect(page).toHaveURL(/\/sign-in\/second-factor\?/);
  await page.goto(`${url}/monitors`);
  await expect(page).toHaveURL(/\/sign-in$/);
  await page.goto(`${url}/sign-in/second-factor?callbackUrl=${encodeURIComponent('/settings/profile')}`);
  await page.getByLabel('Code').fill('000000');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page.getByText('Code is incorrect or was already used.')).toBeVisible();
  // Of the next step: the code of this one set it up.
  await page.getByLabel('Code').fill(totpCode(secret, new Date(Date.now() + 30_000)));
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page).toHaveURL(`${url}/settings/profile`);
  await expect(page.getByText(/in place of a code/)).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Password' })).toHaveCount(0);
});
