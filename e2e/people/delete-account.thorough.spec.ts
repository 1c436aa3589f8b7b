import { readFile } from 'node:fs/promises';
import { expectAccessible, expectToFit, watchFaults } from '../support/page-checks';
import { expect, test } from '../support/shared-service';

test.use({ viewport: { width: 1440, height: 900 } });

test('a person exports their data, and deletes their account once their organization has another owner or is deleted', async ({
  page,
  service,
  organization,
}) => {
  const { email, password } = organization.owner;
  const faults = watchFaults(page, { origin: service.url });
  await page.goto(`${service.url}/sign-in`);
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page).toHaveURL(/\/monitors$/);

  await test.step('the export is a JSON file', async () => {
    await page.goto(`${service.url}/settings/profile`);
    const downloading = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Export your data' }).click();
    const download = await downloading;
    expect(download.suggestedFilename()).toMatch(/^account-\d{4}-\d\d-\d\d\.json$/);
    const exported = JSON.parse(await readFile(await download.path(), 'utf8'));
    expect(exported).toMatchObject({ email, hasPassword: true, memberships: [{ role: 'owner' }] });
  });

  const form = page.getByRole('region', { name: 'Delete account' });
  await test.step('another address does not confirm it, and the only owner cannot leave', async () => {
    await form.getByRole('textbox').fill('someone@example.com');
    await form.getByRole('button', { name: 'Delete my account' }).click();
    await expect(form.getByText(`The address must be “${email}”.`)).toBeVisible();
    await form.getByRole('textbox').fill(email);
    await form.getByRole('button', { name: 'Delete my account' }).click();
    await expect(form.getByText(/^You are the only owner of/)).toBeVisible();
    await expectAccessible(page);
    await page.setViewportSize({ width: 390, height: 844 });
    await expectToFit(page);
  });

  await test.step('after the organization, the account is deleted, and signs in no more', async () => {
    await page.goto(`${service.url}/settings/organization`);
    await page.getByLabel(/^Type “.*” to confirm$/).fill('Acme');
    await page.getByRole('button', { name: 'Delete this organization' }).click();
    await expect(page).toHaveURL(/\/organizations$/);
    await form.getByRole('textbox').fill(email);
    await form.getByRole('button', { name: 'Delete my account' }).click();
    await expect(page).toHaveURL(/\/sign-in/);
    await expect(page.getByText('Your account has been deleted.')).toBeVisible();
    await page.getByLabel('Email').fill(email);
    await page.getByLabel('Password').fill(password);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await expect(page.getByText(/email or password/i)).toBeVisible();
  });
  expect(faults).toEqual([]);
});
