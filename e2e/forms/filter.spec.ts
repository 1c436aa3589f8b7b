import { holdRequests } from '../support/hold-requests';
import { expect, test } from '../support/shared-service';
import { thoroughStep } from '../support/thorough';

test('what is chosen and typed in a filter before its script is there is applied', async ({
  page,
  service,
  organization,
}) => {
  await organization.api('POST', '/incidents', { title: 'Search is slow', severity: 'minor' });
  await organization.api('POST', '/incidents', { title: 'Login fails', severity: 'critical' });
  await organization.signIn(page.context());

  await test.step('a choice', async () => {
    const release = await holdRequests(page, '**/_next/static/**/*.js');
    await page.goto(`${service.url}/incidents`, { waitUntil: 'commit' });
    await page.getByLabel('Severity').selectOption('critical');
    release();
    await expect(page).toHaveURL(`${service.url}/incidents?severity=critical`);
    await expect(page.getByRole('link', { name: 'Login fails' })).toBeVisible();
    await expect(page.getByRole('link', { name: 'Search is slow' })).toHaveCount(0);
    await expect(page.getByLabel('Severity')).toHaveValue('critical');
    await page.unrouteAll();
  });

  await thoroughStep('a date, next to a filter that the URL has', async () => {
    const release = await holdRequests(page, '**/_next/static/**/*.js');
    await page.goto(`${service.url}/settings/audit?action=incident.create`, { waitUntil: 'commit' });
    await page.getByLabel('From').fill('2098-01-01');
    release();
    await expect(page).toHaveURL(`${service.url}/settings/audit?action=incident.create&from=2098-01-01`);
    await expect(page.getByText('No entries match these filters.')).toBeVisible();
    await expect(page.getByLabel('From')).toHaveValue('2098-01-01');
    await page.unrouteAll();
  });

  await thoroughStep('fields follow the URL otherwise', async () => {
    await page.getByRole('link', { name: 'Clear filters' }).click();
    await expect(page).toHaveURL(`${service.url}/settings/audit`);
    await expect(page.getByLabel('From')).toHaveValue('');
    await page.goBack();
    await expect(page.getByLabel('From')).toHaveValue('2098-01-01');
    await expect(page.getByLabel('Action')).toHaveValue('incident.create');
  });
});
