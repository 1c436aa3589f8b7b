import { acknowledgeUrl } from '@/lib/domain/incidents/acknowledge/acknowledge-link';
import { expectAccessible, expectToFit } from '../support/page-checks';
import { expect, test } from '../support/shared-service';

test('a member who is not signed in acknowledges an incident from the link in an alert', async ({
  page,
  service,
  organization,
}) => {
  const { api, ctx } = organization;
  const { body: incident } = await api('POST', '/incidents', {
    title: 'Checkout fails',
    severity: 'critical',
  });
  const userId = organization.owner.id;
  const now = new Date();
  const link = acknowledgeUrl(ctx.keyring, service.url, { incidentIds: [incident.id], userId, now });
  await page.goto(link);
  await expect(page.getByRole('heading', { name: 'Acknowledge this incident?' })).toBeVisible();
  await expect(page.getByText('Checkout fails')).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Acknowledge' }).click();
  await expect(page.getByRole('heading', { name: 'Acknowledged', exact: true })).toBeVisible();
  await expect(page.getByText(`Acknowledged by ${organization.owner.email}`)).toBeVisible();
  await expectAccessible(page);
  await page.setViewportSize({ width: 390, height: 844 });
  await expectToFit(page);
  await page.reload();
  await expect(page.getByRole('button')).toHaveCount(0);

  await page.goto(`${link}0`);
  await expect(page.getByRole('heading', { name: 'This link is not valid' })).toBeVisible();
  await expect(page.getByText('Checkout fails')).toHaveCount(0);
});
