import { expectAccessible, expectToFit, watchFaults } from '../support/page-checks';
import { expect, test } from '../support/shared-service';

const NOWHERE = 'http://127.0.0.1:9/';

test('a page gets sections with public names and a component, whose state an incident sets', async ({
  page,
  service,
  organization,
}) => {
  const { api } = organization;
  const faults = watchFaults(page, { origin: service.url });
  await organization.signIn(page.context());
  const monitors: string[] = [];
  for (const name of ['mail-1', 'search-1', 'shop-1']) {
    monitors.push((await api('POST', '/monitors', { name, url: NOWHERE, enabled: false })).body.id);
  }
  const slug = `sections-${organization.id.slice(-6)}`;
  await api('POST', '/status-pages', { name: 'Acme', slug, monitors, published: true });
  const list = page
    .getByRole('group', { name: /^Sections/ })
    .getByRole('list')
    .first();
  const preview = page.frameLocator('iframe').last();
  const checklist = page.getByRole('region', { name: 'Worth a look' });

  await test.step('monitors are grouped, and moved between sections by keyboard', async () => {
    await page.goto(`${service.url}/status-pages/${slug}`);
    await page.getByRole('button', { name: 'Group in sections' }).click();
    await page.getByRole('textbox', { name: 'Section name' }).fill('Core');
    await page.getByRole('button', { name: 'Add section' }).click();
    await expect(page.getByRole('textbox', { name: 'Section name' }).last()).toBeFocused();
    await page.keyboard.type('Payments');
    await expect(checklist).toContainText('Section Payments is empty.');
    await page.getByRole('button', { name: 'Move shop-1 down' }).press('Enter');
    await expect(page.getByText('shop-1 is now in position 5 of 5 in Payments.')).toBeAttached();
    await expect(page.getByRole('button', { name: 'Move shop-1 down' })).toBeFocused();
    await expect(checklist).not.toContainText('is empty');
    await page.getByRole('button', { name: 'Move search-1', exact: true }).focus();
    await page.keyboard.press('Space');
    await expect(page.getByText('search-1 is in position 3 of 5.')).toBeAttached();
    await page.evaluate(() => new Promise((resolve) => setTimeout(resolve)));
    await page.keyboard.press('ArrowDown');
    await expect(page.getByText('search-1 is in position 4 of 5.')).toBeAttached();
    await page.keyboard.press('Space');
    await expect(preview.getByRole('heading', { level: 3 })).toHaveText(['Core', 'Payments']);
    await expect(preview.getByRole('heading', { level: 4 })).toHaveText(['mail-1', 'search-1', 'shop-1']);
  });

  await test.step('rows get public names, and a component is added', async () => {
    await page.getByRole('button', { name: 'Edit shop-1' }).click();
    await page.getByRole('textbox', { name: 'Public name' }).fill('Checkout');
    await page.getByRole('button', { name: 'Edit Checkout' }).click();
    await page.getByRole('button', { name: 'Add component' }).click();
    await expect(page.getByRole('textbox', { name: 'Public name' })).toBeFocused();
    await page.getByRole('button', { name: 'Save changes' }).click();
    await expect(page.getByText('Name is required without a monitor.')).toBeVisible();
    await page.getByRole('textbox', { name: 'Public name' }).fill('Phone orders');
    await page.getByRole('checkbox', { name: 'Folded while all of it is operational' }).last().check();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Save changes' }).click();
    await expect(page.getByText('Saved Acme')).toBeVisible();
    await expect(page.getByText('Unsaved changes')).toHaveCount(0);
    const { sections } = (await api('GET', `/status-pages/${slug}`)).body;
    expect(
      sections.map(({ name, collapsed }: { name: string; collapsed: boolean }) => [name, collapsed]),
    ).toEqual([
      ['Core', false],
      ['Payments', true],
    ]);
  });

  await test.step('the section with its rows is moved, on a narrow screen too', async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    await expectToFit(page);
    await page.getByRole('button', { name: 'Move Payments up' }).click();
    await expect(list.getByRole('listitem').first()).toContainText('Folded');
    await page.getByRole('button', { name: 'Save changes' }).click();
    await expect(page.getByText('Unsaved changes')).toHaveCount(0);
    await page.setViewportSize({ width: 1440, height: 900 });
  });

  await test.step('an incident names the component, which opens its section', async () => {
    const visited = await page.context().newPage();
    await visited.goto(`${service.url}/status/${slug}`);
    const payments = visited.locator('details.group');
    await expect(payments).not.toHaveAttribute('open');
    await page.goto(`${service.url}/incidents/new`);
    await page.getByLabel('Title').fill('Nobody picks up');
    await page.getByRole('checkbox', { name: 'Phone orders' }).check();
    await expect(page.getByText('Affects Phone orders')).toBeVisible();
    await page.getByRole('button', { name: 'Open incident' }).click();
    await expect(page.getByText('Phone orders component')).toBeVisible();
    await visited.reload();
    await expect(payments).toHaveAttribute('open');
    await expect(payments.locator('.component')).toContainText('Partial outage');
    await expectAccessible(visited);
    for (const width of [390, 3840]) {
      await visited.setViewportSize({ width, height: 1200 });
      await expectToFit(visited);
    }
    await visited.close();
  });
  expect(faults).toEqual([]);
});
