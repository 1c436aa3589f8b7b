import type { Page } from '@playwright/test';
import { signInByPassword } from '@/app/testing/sign-in-by-password';
import { createId } from '@/lib/core/ids';
import { hashPassword } from '@/lib/domain/organizations/password';
import { beginEnrollment, confirmEnrollment } from '@/lib/domain/people/second-factor/enroll-second-factor';
import { totpCode } from '@/lib/domain/people/second-factor/totp';
import type { OwnOrganization } from '../support/own-organization';
import { expectAccessible, expectToFit, watchFaults } from '../support/page-checks';
import { expect, test } from '../support/shared-service';

test.use({ viewport: { width: 1440, height: 900 } });

const PASSWORD = 'correct horse battery';

test('an authenticator app is set up, asked for at sign-in and before changes, and replaced by recovery codes', async ({
  page,
  service,
  organization,
}) => {
  const { owner } = organization;
  const faults = watchFaults(page, { origin: service.url });
  const secrets: string[] = [];
  const recoveryCodes: string[] = [];
  const enter = async (code: string, button: string) => {
    await page.getByLabel('Code').fill(code);
    await page.getByRole('button', { name: button }).click();
  };

  await test.step('the profile sets it up with a code and shows recovery codes once', async () => {
    await signIn(page, service.url, owner.email);
    await expect(page).toHaveURL(/\/monitors$/);
    await page.goto(`${service.url}/settings/profile`);
    await page.getByRole('link', { name: 'Set up an authenticator app' }).click();
    await expect(page.getByRole('img', { name: /^QR code/ })).toBeVisible();
    await expectAccessible(page);
    secrets.push((await page.getByText(/^[A-Z2-7]{32}$/).textContent()) ?? '');
    await enter('000000', 'Turn on');
    await expect(page.getByText('Code is incorrect or was already used.')).toBeVisible();
    await enter(totpCode(secrets[0] ?? '', new Date()), 'Turn on');
    await expect(page.getByRole('heading', { name: 'Your recovery codes' })).toBeVisible();
    await expectAccessible(page);
    const shown = (await page.getByText(/^(\w{4}-){3}\w{4}\s/).textContent()) ?? '';
    recoveryCodes.push(...shown.split('\n'));
    expect(recoveryCodes).toHaveLength(10);
    await page.getByRole('link', { name: 'Continue' }).click();
    await expect(page.getByText('10 left')).toBeVisible();
    await expectAccessible(page);
  });

  await test.step('signing in takes a code, which works once', async () => {
    await signOut(page);
    await signIn(page, service.url, owner.email);
    await expect(page).toHaveURL(/\/sign-in\/second-factor/);
    await expectAccessible(page);
    await page.goto(`${service.url}/monitors`);
    await expect(page).toHaveURL(/\/sign-in$/);
    await page.goBack();
    await enter('123', 'Sign in');
    await expect(page.getByText('Code is incorrect or was already used.')).toBeVisible();
    // Of the next step: the code of this one set it up.
    const code = totpCode(secrets[0] ?? '', new Date(Date.now() + 30_000));
    await enter(code, 'Sign in');
    await expect(page).toHaveURL(/\/monitors$/);
    await signOut(page);
    await signIn(page, service.url, owner.email);
    await enter(code, 'Sign in');
    await expect(page.getByText('Code is incorrect or was already used.')).toBeVisible();
    await enter(recoveryCodes[0] ?? '', 'Sign in');
    await expect(page).toHaveURL(/\/monitors$/);
  });

  await test.step('next-auth’s own path is no way around it', async () => {
    expect(await signInByPassword(service.url, { email: owner.email, password: owner.password })).toBeNull();
  });

  await test.step('ten minutes later, keys, ownership and the factor itself require it again', async () => {
    await organization.ctx.db.session.updateMany({
      where: { userId: owner.id },
      data: { secondFactorAt: new Date(Date.now() - 600_000) },
    });
    await page.goto(`${service.url}/settings/profile`);
    await page.getByRole('button', { name: 'Create new recovery codes' }).click();
    await page.getByRole('button', { name: 'Create codes' }).click();
    await expect(page.getByRole('heading', { name: 'Confirm it’s you' })).toBeVisible();
    await page.goto(`${service.url}/settings/api-keys`);
    await expect(page.getByLabel('Name')).toHaveCount(0);
    await page.getByRole('link', { name: 'Confirm' }).click();
    await expectAccessible(page);
    await enter(recoveryCodes[1] ?? '', 'Confirm');
    await page.getByLabel('Name').fill('Deploys');
    await page.getByRole('button', { name: 'Create key' }).click();
    await expect(page.getByText(/^ph_live_\w{38}$/)).toBeVisible();
  });

  await test.step('new recovery codes replace the old ones, and removing it ends all of this', async () => {
    await page.goto(`${service.url}/settings/profile`);
    await expect(page.getByText('8 left')).toBeVisible();
    await page.getByRole('button', { name: 'Create new recovery codes' }).click();
    await page.getByRole('button', { name: 'Create codes' }).click();
    await expect(page.getByRole('heading', { name: 'Your recovery codes' })).toBeVisible();
    await expect(page.getByText('10 left')).toBeVisible();
    await page.setViewportSize({ width: 390, height: 844 });
    await expectToFit(page);
    await page.getByRole('button', { name: 'Remove the authenticator app' }).click();
    await page.getByRole('button', { name: 'Remove', exact: true }).click();
    await expect(page.getByRole('link', { name: 'Set up an authenticator app' })).toBeVisible();
  });
  expect(faults).toEqual([]);
});

test('an owner sees who lacks a second factor, requires it, and resets that of a member', async ({
  page,
  service,
  organization,
  browser,
}) => {
  await enroll(organization, organization.owner);
  await organization.signIn(page.context());
  const member = await addMember(organization);
  await enroll(organization, member);
  const row = page.getByRole('row', { name: member.email });
  const memberPage = await (await browser.newContext()).newPage();

  await test.step('the members page shows it and resets it', async () => {
    await organization.ctx.db.session.updateMany({
      where: { userId: organization.owner.id },
      data: { secondFactorAt: new Date() },
    });
    await page.goto(`${service.url}/settings/members`);
    await expect(row).toContainText('on');
    await expectAccessible(page);
    await page.getByRole('button', { name: `Reset the second factor of ${member.email}` }).click();
    await page.getByRole('button', { name: 'Reset second factor' }).click();
    await expect(row).toContainText('none');
    await page.setViewportSize({ width: 390, height: 844 });
    await expectToFit(page);
    await page.setViewportSize({ width: 1440, height: 900 });
  });

  await test.step('during the grace period, members see a note', async () => {
    await page.goto(`${service.url}/settings/organization`);
    await page.getByLabel('Second factor of members').selectOption('7');
    await page.getByRole('region', { name: 'Second factor' }).getByRole('button', { name: 'Save' }).click();
    await expect(page.getByRole('paragraph').filter({ hasText: /^Required in/ })).toBeVisible();
    await signIn(memberPage, service.url, member.email);
    await expect(memberPage).toHaveURL(/\/monitors$/);
    await expect(memberPage.getByText('Acme requires a second factor')).toBeVisible();
    await expectAccessible(memberPage);
  });

  await test.step('afterwards, a member sets one up before anything else', async () => {
    await page.getByLabel('Second factor of members').selectOption('0');
    await page.getByRole('region', { name: 'Second factor' }).getByRole('button', { name: 'Save' }).click();
    await expect(page.getByText('Required', { exact: true })).toBeVisible();
    await memberPage.goto(`${service.url}/monitors`);
    await expect(memberPage).toHaveURL(/\/sign-in\/set-up-second-factor/);
    await memberPage.context().clearCookies();
    await signIn(memberPage, service.url, member.email);
    await expect(memberPage).toHaveURL(/\/sign-in\/set-up-second-factor/);
    await expect(memberPage.getByText(/^Your organization requires one/)).toBeVisible();
    await memberPage.setViewportSize({ width: 390, height: 844 });
    await expectToFit(memberPage);
    const secret = (await memberPage.getByText(/^[A-Z2-7]{32}$/).textContent()) ?? '';
    await memberPage.getByLabel('Code').fill(totpCode(secret, new Date()));
    await memberPage.getByRole('button', { name: 'Turn on' }).click();
    await memberPage.getByRole('link', { name: 'Continue' }).click();
    await expect(memberPage).toHaveURL(/\/monitors$/);
  });
  await memberPage.context().close();
});

async function signIn(page: Page, url: string, email: string): Promise<void> {
  await page.goto(`${url}/sign-in`);
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

/** Drops the session without any open page noticing. */
async function signOut(page: Page): Promise<void> {
  await page.goto('about:blank');
  await page.context().clearCookies();
}

async function addMember({ id: organizationId, ctx }: OwnOrganization) {
  const [id, now] = [createId('user'), ctx.clock.now()];
  const email = `${id}@example.com`;
  const person = { id, email, passwordHash: await hashPassword(PASSWORD), createdAt: now, updatedAt: now };
  await ctx.db.user.create({ data: person });
  await ctx.db.membership.create({ data: { organizationId, userId: id, role: 'member', createdAt: now } });
  return { id, email };
}

async function enroll({ ctx }: OwnOrganization, { id, email }: { id: string; email: string }): Promise<void> {
  const secret = await beginEnrollment(ctx, id);
  const code = totpCode(secret, ctx.clock.now());
  await ctx.db.$transaction((tx) => confirmEnrollment(tx, ctx, { user: { id, email }, code, address: null }));
}
