import { expectAccessible, expectToFit, watchFaults } from './support/page-checks';
import { expect, test } from './support/shared-service';

test('a template fills in an incident by keyboard, and an update is scheduled, changed and canceled', async ({
  page,
  service,
  organization,
}) => {
  const { api } = organization;
  watchFaults(page, { origin: service.url });
  await organization.signIn(page.context());
  const target = { url: 'http://127.0.0.1:9/', enabled: false };
  for (const name of ['Shop', 'Search']) await api('POST', '/monitors', { name, ...target });

  await test.step('a template is created', async () => {
    await page.goto(`${service.url}/incidents/templates`);
    await expect(page.getByText('No incident templates')).toBeVisible();
    await page.getByRole('link', { name: 'New template' }).click();
    await page.getByLabel('Name').fill('Payment provider is down');
    await page.getByLabel('Title').fill('Checkout fails');
    await page.getByLabel('Severity').selectOption('critical');
    await page.getByLabel('Message').fill('Card payments fail.');
    for (const name of ['Shop', 'Search']) await page.getByRole('checkbox', { name }).check();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Create template' }).click();
    await expect(page.getByRole('link', { name: 'Payment provider is down' })).toBeVisible();
  });

  await test.step('it fills in an incident, whose rows can have a severity of their own', async () => {
    await page.goto(`${service.url}/incidents/new`);
    await page.getByLabel('Template').focus();
    await page.keyboard.type('Pay');
    await expect(page.getByLabel('Title')).toHaveValue('Checkout fails');
    await expect(page.getByLabel('First message')).toHaveValue('Card payments fail.');
    await expect(page.getByRole('checkbox', { name: 'Shop' })).toBeChecked();
    await page.getByText('Severity per row').click();
    await page.getByLabel('Search', { exact: true }).last().selectOption('minor');
    await expectAccessible(page);
    await page.getByLabel('Title').press('Enter');
    await expect(page.getByRole('heading', { name: 'Checkout fails' })).toBeVisible();
    const [incident] = (await api('GET', '/incidents')).body;
    expect(incident.severity).toBe('critical');
    expect(Object.values(incident.impacts)).toEqual(['minor']);
  });

  await test.step('it fills in an update, which keeps the status of the incident', async () => {
    await page.getByLabel('Template').selectOption({ label: 'Payment provider is down' });
    await expect(page.getByLabel('Message')).toHaveValue('Card payments fail.');
    await expect(page.getByLabel('Status')).toHaveValue('');
  });

  await test.step('an update is scheduled, changed and canceled', async () => {
    await page.getByLabel('Message').fill('More soon.');
    await page.getByLabel('Publish').selectOption('later');
    await page.getByLabel('Publish at').fill(`${new Date().getFullYear() + 1}-01-01T10:00`);
    await page.getByRole('button', { name: 'Post update' }).click();
    const scheduled = page.getByRole('region', { name: 'Scheduled updates' });
    await expect(scheduled).toContainText('More soon.');
    await expect(page.getByRole('region', { name: 'Timeline' })).not.toContainText('More soon.');
    await page.setViewportSize({ width: 390, height: 844 });
    await expectToFit(page);
    await scheduled.getByRole('link', { name: 'Edit' }).click();
    await expect(page.getByLabel('Publish at')).toHaveValue(/-01-01T10:00$/);
    await page.getByLabel('Message').fill('More tomorrow.');
    await expectToFit(page);
    await page.getByRole('button', { name: 'Save changes' }).click();
    await expect(scheduled).toContainText('More tomorrow.');
    await scheduled.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'Cancel update' }).click();
    await expect(scheduled).toHaveCount(0);
  });
});
