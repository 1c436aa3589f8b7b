import { expectAccessible } from '../support/page-checks';
import { expect, test } from '../support/shared-service';

test('a page that goes private warns that a CDN may keep showing it, until that is saved', async ({
  page,
  service,
  organization,
}) => {
  await organization.signIn(page.context());
  const slug = `access-${organization.id.slice(-6)}`;
  await organization.api('POST', '/status-pages', { name: 'Acme', slug, monitors: [], published: true });
  await page.goto(`${service.url}/status-pages/${slug}/access`);
  const warning = page.getByText('A CDN in front of it may keep showing the page for up to 70 seconds.');
  const visibility = page.getByLabel('Visible to');
  await expect(visibility).toHaveValue('public');
  await expect(warning).toHaveCount(0);
  await visibility.selectOption('members');
  await expect(warning).toBeVisible();
  await expectAccessible(page);
  await visibility.selectOption('public');
  await expect(warning).toHaveCount(0);
  await visibility.selectOption('members');
  await page.getByRole('button', { name: 'Save access' }).click();
  await expect(page.getByText('Access saved')).toBeVisible();
  await expect(warning).toHaveCount(0);
});
