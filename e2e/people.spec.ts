import { findFreePort } from '@/lib/core/ports';
import { createPasswordReset } from '@/lib/domain/people/passwords';
import { startMailServer } from '@/lib/testing/mailbox';
import { expectToFit, watchFaults } from './support/page-checks';
import { expect, test } from './support/shared-service';
import { startService } from './support/start-service';
import { expectAccessibleIfThorough, THOROUGH, thoroughStep } from './support/thorough';

test.use({ viewport: { width: 1440, height: 900 } });

const NEW_PASSWORD = 'a new and better one';

test('sessions, and changing and resetting a password', async ({ page, browser, service, organization }) => {
  const { owner } = organization;
  const faults = watchFaults(page, { origin: service.url });
  const signIn = async (target: typeof page, password: string) => {
    await target.goto(`${service.url}/sign-in`);
    await target.getByLabel('Email').fill(owner.email);
    await target.getByLabel('Password').fill(password);
    await target.getByRole('button', { name: 'Sign in' }).click();
  };
  const other = await browser.newContext();
  const otherPage = await other.newPage();

  await test.step('two browsers sign in and both are listed', async () => {
    await page.goto(`${service.url}/sign-in`);
    await expectAccessibleIfThorough(page);
    await signIn(page, owner.password);
    await expect(page).toHaveURL(/\/monitors$/);
    await signIn(otherPage, owner.password);
    await expect(otherPage).toHaveURL(/\/monitors$/);

    await page.getByRole('button', { name: /^Account menu/ }).click();
    await page.getByRole('menuitem', { name: 'Your profile' }).click();
    await expect(page.getByRole('heading', { name: 'Sessions' })).toBeVisible();
    const sessions = page.getByRole('region', { name: 'Sessions' });
    await expect(sessions.getByText(/^This browser/)).toHaveCount(1);
    await expect(sessions.getByText(/^Last seen/)).toHaveCount(1);
    await expect(sessions.getByText(/^Chrome.* on Linux$/)).toHaveCount(2);
    await expectAccessibleIfThorough(page);
  });

  await thoroughStep('the profile saves a name', async () => {
    await page.getByLabel('Name', { exact: true }).fill('Ada');
    const profile = page.getByRole('region', { name: 'Profile' });
    await profile.getByRole('button', { name: 'Save' }).click();
    await expect(profile.getByText('Saved.')).toBeVisible();
    const email = page.getByRole('region', { name: 'Email', exact: true });
    await email.getByRole('checkbox', { name: /^Alerts/ }).uncheck();
    await email.getByRole('checkbox', { name: /^Weekly digest/ }).check();
    await email.getByLabel('Time zone of the digest').selectOption('Asia/Tokyo');
    await email.getByRole('button', { name: 'Save' }).click();
    await expect(email.getByText('Saved.')).toBeVisible();
    await expect(email.getByRole('button', { name: 'Send a test email' })).toBeDisabled();
    await expect(email.getByText(/^This service cannot send email yet/)).toBeVisible();
    await page.reload();
    await expect(page.getByLabel('Name', { exact: true })).toHaveValue('Ada');
    await expect(page.getByRole('checkbox', { name: /^Alerts/ })).not.toBeChecked();
    await expect(email.getByRole('checkbox', { name: /^Weekly digest/ })).toBeChecked();
    await expect(email.getByLabel('Time zone of the digest')).toHaveValue('Asia/Tokyo');
    await email.getByRole('checkbox', { name: /^Weekly digest/ }).uncheck();
    await expect(email.getByLabel('Time zone of the digest')).toHaveCount(0);
  });

  await test.step('ending other sessions signs their open pages out immediately', async () => {
    await page.getByRole('button', { name: 'End other sessions' }).click();
    await expect(page.getByText(/^Last seen/)).toHaveCount(0);
    await expect(otherPage).toHaveURL(/\/sign-in/);
    await otherPage.goto(`${service.url}/notifications`);
    await expect(otherPage).toHaveURL(/\/sign-in/);
  });

  await test.step('changing the password requires the current one and ends other sessions', async () => {
    await signIn(otherPage, owner.password);
    await expect(otherPage).toHaveURL(/\/monitors$/);
    await page.getByLabel('Current password').fill('not it');
    await page.getByLabel('New password').fill(NEW_PASSWORD);
    await page.getByRole('button', { name: 'Change password' }).click();
    await expect(page.getByText('Current password is incorrect.')).toBeVisible();
    await expect(page.getByLabel('Current password')).toBeFocused();
    await page.getByLabel('Current password').fill(owner.password);
    await page.getByLabel('New password').fill(NEW_PASSWORD);
    await page.getByRole('button', { name: 'Change password' }).click();
    await expect(page.getByText(/^Password changed/)).toBeVisible();
    await expect(otherPage).toHaveURL(/\/sign-in/);
  });

  await test.step('next-auth’s own path creates the same kind of session', async () => {
    const { csrfToken } = await (await other.request.get(`${service.url}/api/auth/csrf`)).json();
    const form = { csrfToken, email: owner.email, password: NEW_PASSWORD };
    const path = `${service.url}/api/auth/callback/credentials?json=true`;
    const foreign = await other.request.post(path, { form, headers: { origin: 'https://evil.test' } });
    expect(foreign.status()).toBe(403);
    expect((await other.request.post(path, { form })).status()).toBe(200);
    const whoAmI = async () => (await other.request.get(`${service.url}/api/auth/session`)).json();
    expect(await whoAmI()).toMatchObject({ user: { email: owner.email } });
    await page.reload();
    await expect(page.getByText(/^Last seen/)).toHaveCount(1);
    await page.getByRole('button', { name: /^End session in/ }).click();
    await expect(page.getByText(/^Last seen/)).toHaveCount(0);
    expect((await whoAmI()).user).toBeUndefined();
  });

  await thoroughStep(
    'wrong passwords are throttled with a waiting time; a known browser is not affected',
    async () => {
      const stranger = await (await browser.newContext()).newPage();
      await stranger.goto(`${service.url}/sign-in`);
      await stranger.getByLabel('Email').fill(owner.email);
      await stranger.getByLabel('Password').evaluate((input: HTMLInputElement) => {
        input.removeAttribute('maxlength');
        input.value = 'x'.repeat(50_000);
      });
      await stranger.getByRole('button', { name: 'Sign in' }).click();
      await expect(stranger.getByText('Password must be at most 256 characters.')).toBeVisible();
      for (let count = 0; count < 10; count++) {
        await stranger.getByLabel('Password').fill(`wrong ${count}`);
        await stranger.getByRole('button', { name: 'Sign in' }).click();
        await expect(stranger.getByLabel('Password')).toHaveValue('');
      }
      await stranger.getByLabel('Password').fill(NEW_PASSWORD);
      await stranger.getByRole('button', { name: 'Sign in' }).click();
      await expect(stranger.getByText(/^Too many wrong passwords\. Try again in/)).toBeVisible();
      await expectAccessibleIfThorough(stranger);
      await stranger.context().close();

      await signIn(otherPage, NEW_PASSWORD);
      await expect(otherPage).toHaveURL(/\/monitors$/);
    },
  );

  await test.step('a reset link works once and ends every session', async () => {
    const { path } = await createPasswordReset(organization.ctx, owner.id);
    await otherPage.goto(service.url + path);
    await expectAccessibleIfThorough(otherPage);
    await otherPage.getByLabel('New password').fill('short');
    await otherPage.getByRole('button', { name: 'Set password' }).click();
    await expect(otherPage.getByText('New password must be at least 8 characters.')).toBeVisible();
    await otherPage.getByLabel('New password').fill('set by a link');
    await otherPage.getByRole('button', { name: 'Set password' }).click();
    await expect(otherPage.getByText('Your password has been reset.')).toBeVisible();
    await page.goto(`${service.url}/monitors`);
    await expect(page).toHaveURL(/\/sign-in/);

    await otherPage.goto(service.url + path);
    await expect(otherPage.getByText('This link has already been used.')).toBeVisible();
    await otherPage.getByRole('link', { name: 'Request a new link' }).click();
    await expect(otherPage.getByText(/^This service cannot send email/)).toBeVisible();
    await expectAccessibleIfThorough(otherPage);
    // The reset also ends the waiting time caused by others.
    await signIn(page, 'set by a link');
    await expect(page).toHaveURL(/\/monitors$/);
  });

  await thoroughStep('it fits a phone, and there is no sign-up', async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto(`${service.url}/settings/profile`);
    await expectToFit(page);
    expect((await other.request.get(`${service.url}/sign-up`)).status()).toBe(404);
  });

  await other.close();
  expect(faults).toEqual([]);
});

test(
  'visitors sign up with a confirmed address and reset their password by email',
  THOROUGH,
  async ({ page }) => {
    const mail = await startMailServer();
    const port = String(await findFreePort());
    const url = `http://127.0.0.1:${port}`;
    const service = await startService({
      env: { PORT: port, APP_URL: url, SMTP_URL: mail.url, SIGN_UP: 'open' },
    });
    try {
      const linkIn = async (subject: string) => {
        const { parsed } = await mail.waitFor((each) => each.parsed.subject === subject);
        return /https?:\/\/\S+/.exec(parsed.text ?? '')?.[0] ?? '';
      };
      const requestLink = async (path: string, email: string) => {
        await page.goto(url + path);
        await page.getByLabel('Email').fill(email);
        await page.getByRole('button', { name: 'Send link' }).click();
      };

      await requestLink('/sign-up', 'ada＠example.com');
      await expect(page.getByText('Email must be a valid email address.')).toBeVisible();
      await requestLink('/sign-up', 'ada@example.com');
      await expect(page.getByRole('heading', { name: 'Check your inbox at ada@example.com' })).toBeVisible();
      await expectAccessibleIfThorough(page);
      const confirm = await linkIn('Confirm your email address');
      expect(confirm.startsWith(`${url}/sign-up/confirm?token=`)).toBe(true);
      await page.goto(confirm);
      await expect(page.getByText('ada@example.com')).toBeVisible();
      await expectAccessibleIfThorough(page);
      await page.getByLabel('Organization').fill('Acme');
      await page.getByLabel('Password').fill('correct horse battery');
      await page.getByRole('button', { name: 'Create account' }).click();
      await expect(page.getByText(/^ph_live_/)).toBeVisible();
      await page.getByRole('link', { name: 'Go to monitors' }).click();
      await expect(page.getByText('Acme')).toBeVisible();

      await page.goto(`${url}/settings/profile`);
      await page.getByRole('button', { name: 'Send a test email' }).click();
      await expect(page.getByText(/^Sent to ada@example\.com\./)).toBeVisible();
      expect(await linkIn('Test email from Acme')).toBe(`${url}/settings/profile#email`);
      mail.refuseWith(451);
      await page.getByRole('button', { name: 'Send a test email' }).click();
      await expect(page.getByText(/^Not sent yet; it is retried/)).toBeVisible();
      await expect(page.getByText(/451/)).toBeVisible();
      await expectAccessibleIfThorough(page);
      await page.goto(`${url}/notifications/channels`);
      await expect(page.getByRole('region', { name: 'Email' }).getByText('Failing')).toBeVisible();
      await expectAccessibleIfThorough(page);
      mail.refuseWith(null);

      await page.context().clearCookies();
      await page.goto(confirm);
      await expect(page.getByText('This link has already been used.')).toBeVisible();
      await requestLink('/sign-up', 'ada@example.com');
      await expect(page.getByRole('heading', { name: 'Check your inbox at ada@example.com' })).toBeVisible();
      expect(await linkIn('You already have an account')).toBe(`${url}/sign-in`);

      await requestLink('/forgot-password', 'nobody@example.com');
      await expect(page.getByText(/^If this address has an account/)).toBeVisible();
      await requestLink('/forgot-password', 'ada@example.com');
      await expect(page.getByText(/^If this address has an account/)).toBeVisible();
      await page.goto(await linkIn('Reset your password'));
      await page.getByLabel('New password').fill('another horse');
      await page.getByRole('button', { name: 'Set password' }).click();
      await expect(page.getByText('Your password has been reset.')).toBeVisible();
      await linkIn('Your password was changed');
      expect(mail.mails.filter(({ to }) => to.includes('nobody@example.com'))).toEqual([]);
    } finally {
      await service.stop();
      await mail.close();
    }
  },
);
