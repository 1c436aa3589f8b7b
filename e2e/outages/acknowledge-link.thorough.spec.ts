import { acknowledgeUrl } from '@/lib/domain/incidents/acknowledge/acknowledge-link';
import { addAcknowledgeLink, hiddenAcknowledgeUrl } from '@/lib/notify/acknowledge-link';
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

test('a link in a chat acknowledges for somebody who reads it, if nobody is signed in', async ({
  page,
  service,
  organization,
}) => {
  const { api, ctx } = organization;
  const events = ['incident.created'];
  const endpoint = {
    url: 'https://hooks.example.com/x',
    format: 'discord',
    description: '#night-shift',
    events,
  };
  const { body: webhook } = await api('POST', '/webhooks', endpoint);
  const { body: incident } = await api('POST', '/incidents', { title: 'Checkout fails' });
  const { id } = await ctx.db.delivery.findFirstOrThrow({ where: { endpointId: webhook.id } });
  const stored = hiddenAcknowledgeUrl(service.url, id) ?? '';
  const { body: link } = addAcknowledgeLink(ctx.keyring, { id, occurredAt: new Date() }, stored);
  await page.goto(link);
  await expect(page.getByRole('heading', { name: 'Acknowledge this incident?' })).toBeVisible();
  await expect(page.getByText('“someone in Discord (#night-shift)”')).toBeVisible();
  await expectAccessible(page);
  await page.setViewportSize({ width: 390, height: 844 });
  await expectToFit(page);
  await page.getByRole('button', { name: 'Acknowledge' }).click();
  await expect(page.getByRole('heading', { name: 'Acknowledged', exact: true })).toBeVisible();
  await expect(page.getByText('Acknowledged by someone in Discord (#night-shift)')).toBeVisible();
  await expectAccessible(page);
  await page.goto(`${link}0`);
  await expect(page.getByRole('heading', { name: 'This link is not valid' })).toBeVisible();
  expect((await api('GET', `/incidents/${incident.id}`)).body.acknowledgedBy).toContain('#night-shift');
});
