import { createHmac } from 'node:crypto';
import { type Receiver, startReceiver } from '@/lib/testing/receiver';
import { emitIncident, skipToLastRetry } from './support/deliveries';
import { expectToFit, watchFaults } from './support/page-checks';
import { expect, test } from './support/shared-service';
import { expectAccessibleIfThorough, THOROUGH, thoroughStep } from './support/thorough';

test.use({ plan: 'free', viewport: { width: 1440, height: 900 } });

let receiver: Receiver;

test.beforeAll(async () => {
  receiver = await startReceiver();
});

test.afterAll(() => receiver?.close());

test('an endpoint from its first test to a failed delivery that is resent', async ({
  page,
  service,
  organization,
}) => {
  // Checks many pages in two color schemes, possibly in parallel with other tests.
  const faults = watchFaults(page, { origin: service.url });
  await organization.signIn(page.context());
  const main = page.getByRole('main');
  const secrets: string[] = [];

  await test.step('the empty page explains webhooks', async () => {
    await page.goto(`${service.url}/notifications`);
    await expect(page.getByText('Nobody is notified yet.')).toBeVisible();
    await expect(page.getByText('Nothing: this service cannot send email.')).toBeVisible();
    await expectAccessibleIfThorough(page);
    await main.getByRole('link', { name: 'Channels' }).click();
    await expect(page.getByRole('heading', { name: 'No channels yet' })).toBeVisible();
    const email = page.getByRole('region', { name: 'Email' });
    await expect(email.getByText(/^Alerts go to 1 of 1 member: /)).toBeVisible();
    await expect(email.getByText('Not set up')).toBeVisible();
    await expect(email.getByRole('link', { name: 'Your email settings' })).toBeVisible();
    await expect(page.getByRole('link', { name: 'How to receive webhooks' })).toHaveAttribute(
      'href',
      '/docs#receiving-webhooks',
    );
    await expectAccessibleIfThorough(page);
  });

  await test.step('the form explains errors, keeps the input, and shows the secret once', async () => {
    await main.getByRole('link', { name: 'Add a channel' }).click();
    await page.getByRole('link', { name: 'Mattermost' }).click();
    const events = page.getByRole('group', { name: 'Events' });
    await page.getByText('Events and rules').click();
    await expect(events.getByRole('checkbox', { name: /monitor\./, checked: true })).toHaveCount(0);
    await expect(events.getByRole('checkbox', { name: /incident\./, checked: true })).toHaveCount(3);
    await main.getByRole('link', { name: 'Add a channel' }).click();
    await page.getByRole('link', { name: 'Standard' }).click();
    await page.getByText('Events and rules').click();
    await expect(events.getByRole('checkbox', { checked: true })).toHaveCount(7);
    await page.getByLabel('URL').fill('ftp://receiver.test');
    await page.getByLabel('Description').fill('On-call bot');
    await page.getByRole('checkbox', { name: /monitor\.degraded/ }).uncheck();
    await page.getByRole('button', { name: 'Send a test' }).click();
    await expect(page.getByRole('region', { name: 'Test', exact: true })).toContainText(
      'URL must be an http or https URL',
    );
    await page.getByRole('button', { name: 'Save channel' }).click();
    await expect(page.locator('#url-error')).toContainText('URL must be an http or https URL');
    await expect(page.getByLabel('URL')).toBeFocused();
    await expect(page.getByLabel('Description')).toHaveValue('On-call bot');
    await expect(page.getByRole('checkbox', { name: /monitor\.degraded/ })).not.toBeChecked();
    await expectAccessibleIfThorough(page);

    await page.getByLabel('URL').fill(`${receiver.url}/hook`);
    await page.getByRole('button', { name: 'Save channel' }).click();
    secrets.push(await readSecret());
    await page.getByRole('link', { name: 'Go to the channel' }).click();
    await expect(page.getByRole('heading', { name: 'On-call bot' })).toBeVisible();
    await expect(page.getByText('whsec_')).toHaveCount(0);
  });

  await test.step('a test shows the receiver’s response, and its attempts are drawn', async () => {
    const curve = page.getByRole('region', { name: 'Last 7 days' });
    await expect(curve).toContainText('No attempts in the last 7 days.');
    receiver.respondWith(202, 'taken with thanks');
    await page.getByRole('button', { name: 'Send test event' }).click();
    await expect(page.getByText(/The receiver responded with 202 in \d+ ms/)).toBeVisible();
    await expect(page.getByText('taken with thanks')).toBeVisible();
    await expect(page.getByText(/date: \w{3}, /)).toBeVisible();
    const { headers, body } = await receiver.waitFor(({ path }) => path === '/hook');
    expect(headers['x-service-signature']).toBe(signature(secrets[0], body));
    await expectAccessibleIfThorough(page);

    receiver.respondWith(404);
    await page.getByRole('button', { name: 'Send test event' }).click();
    await expect(page.getByText(/Not delivered: responded with 404, expected 2xx/)).toBeVisible();
    await expect(curve).toContainText('2 attempts, 1 failed');
    await curve.getByText('Show as table').click();
    await expect(curve.getByRole('row').nth(1)).toContainText(/21\d+ ms/);
  });

  await test.step('a failed delivery waits for its retry, then comes first, and the navigation shows it', async () => {
    receiver.respondWith(503, 'out of order');
    await emitIncident(organization.ctx, 'Shop is down');
    await page.goto(`${service.url}/notifications/deliveries?status=pending`);
    const pending = page.getByRole('row', { name: /incident\.created/ });
    await expect(pending).toContainText(/Retrying, next in \d+s \(2 of 6\)/);
    await expect(pending).toContainText('Shop is down');
    await expect(pending).toContainText('responded with 503, expected 2xx');
    await skipToLastRetry(organization.ctx);
    await expect(page.getByText('No pending deliveries.')).toBeVisible();
    await expect(page.getByRole('navigation', { name: 'Main' }).getByText('1 failed delivery')).toBeVisible();

    await page.getByRole('link', { name: 'All', exact: true }).click();
    const statuses = page.getByRole('row').getByText(/^(Failed|Pending|Delivered)$/);
    await expect(statuses).toHaveText(['Failed', 'Failed', 'Delivered']);
    await expectAccessibleIfThorough(page);
  });

  await test.step('its attempts show why, and a replay delivers it', async () => {
    await page.getByRole('link', { name: 'incident.created' }).click();
    await expect(page.getByRole('heading', { name: 'incident.created' })).toBeVisible();
    await expect(page.getByText('out of order').first()).toBeVisible();
    await expect(page.getByText(/Content-Type: application\/json/).first()).toContainText(
      'X-Service-Signature: sha256=',
    );
    await page.getByText(/^Exact body as sent/).click();
    receiver.respondWith(200);
    await page.getByRole('button', { name: 'Replay' }).click();
    await expect(main.getByText('Delivered', { exact: true })).toBeVisible();
    await expect(page.getByText('Attempt 3 (manual)')).toBeVisible();
    await expect(page.getByText('failed delivery', { exact: true })).toHaveCount(0);
  });

  await test.step('missed deliveries are resent from the endpoint', async () => {
    receiver.respondWith(500);
    await emitIncident(organization.ctx, 'Search is down');
    await page.getByRole('link', { name: 'On-call bot' }).click();
    await expect(main.getByText('Pending', { exact: true }).first()).toBeVisible();
    await skipToLastRetry(organization.ctx);
    await expect(page.getByText(/^1 delivery was missed/)).toBeVisible();
    receiver.respondWith(200);
    await page.getByLabel('Deliveries to resend').selectOption('Last hour');
    await page.getByRole('button', { name: 'Preview resending' }).click();
    const preview = page.getByRole('region', { name: 'Resend missed deliveries: last hour' });
    await expect(preview).toContainText('incident.created1');
    await expectAccessibleIfThorough(page);
    await preview.getByRole('link', { name: 'Cancel' }).click();
    await expect(preview).toBeHidden();
    await page.getByRole('button', { name: 'Preview resending' }).click();
    await page.getByRole('button', { name: 'Resend 1 delivery' }).click();
    await expect(page.getByText('Resending 1 delivery.')).toBeVisible();
    await expect(page.getByRole('region', { name: /^Resend missed/ })).toBeHidden();
    await expect(main.getByText('Active', { exact: true })).toBeVisible();
  });

  await thoroughStep('its secret is rotated, finished, and replaced immediately', async () => {
    await page.getByRole('button', { name: 'Rotate secret' }).click();
    secrets.push(await readSecret());
    await expect(page.getByText('Two secrets are valid.')).toBeVisible();
    await expectAccessibleIfThorough(page);
    await page.getByRole('button', { name: 'Finish now' }).click();
    await expect(page.getByRole('button', { name: 'Rotate secret' })).toBeVisible();
    await page.getByRole('button', { name: 'Leaked: replace immediately' }).click();
    await expectAccessibleIfThorough(page);
    await page.getByRole('button', { name: 'Replace immediately', exact: true }).click();
    await expect(page.getByRole('alertdialog')).toBeHidden();
    await expect(page.getByText(secrets[1] ?? '')).toHaveCount(0);
    secrets.push(await readSecret());
    expect(new Set(secrets).size).toBe(3);
    await expect(page.getByText('Two secrets are valid.')).toHaveCount(0);
  });

  await thoroughStep('it is edited, disabled, and enabled', async () => {
    await page.getByRole('link', { name: 'Edit' }).click();
    await expect(page.getByRole('checkbox', { name: /monitor\.degraded/ })).not.toBeChecked();
    await page.getByLabel('Description').fill('Night bot');
    await page.getByRole('button', { name: 'Save changes' }).click();
    await expect(page.getByRole('heading', { name: 'Night bot' })).toBeVisible();
    await main.getByRole('link', { name: 'Channels' }).click();
    const row = page.getByRole('row', { name: /Night bot/ });
    await expect(row).toContainText('6 of 7 events');
    await row.getByRole('switch', { name: 'Send to Night bot' }).click();
    await expect(row).toContainText('Disabled');
    await expectAccessibleIfThorough(page);
    await row.getByRole('switch').click();
    await expect(row).toContainText('Active');
  });

  await thoroughStep('the form explains limits of the plan and the role', async () => {
    for (const path of ['/second', '/third']) {
      await organization.api('POST', '/webhooks', { url: receiver.url + path });
    }
    await page.goto(`${service.url}/notifications/new/standard`);
    await page.getByLabel('URL').fill(`${receiver.url}/fourth`);
    await page.getByRole('button', { name: 'Save channel' }).click();
    await expect(page.getByText('The free plan allows 3 webhook endpoints')).toBeVisible();
    await organization.setRole('viewer');
    await page.getByRole('button', { name: 'Save channel' }).click();
    await expect(page.getByText('Your role is viewer. This requires the member role')).toBeVisible();
    await expect(page.getByLabel('URL')).toHaveValue(`${receiver.url}/fourth`);

    await page.goto(`${service.url}/notifications/channels`);
    await expect(page.getByRole('row', { name: /Night bot/ })).toBeVisible();
    await expect(page.getByRole('switch')).toHaveCount(0);
    await page.getByRole('link', { name: 'Night bot' }).click();
    await expect(page.getByRole('heading', { name: 'Signing secret' })).toBeVisible();
    await expect(main.getByRole('button', { name: /^(?!Copy)/ })).toHaveCount(0);
  });

  expect(faults).toEqual([]);

  /** The secret on the screen. */
  async function readSecret(): Promise<string> {
    const shown = page.getByText(/^whsec_[\w+/=]{44}$/);
    await expect(shown).toBeVisible();
    return (await shown.textContent()) ?? '';
  }
});

test('all notification pages fit a phone', THOROUGH, async ({ page, service, organization }) => {
  const faults = watchFaults(page, { origin: service.url });
  await page.setViewportSize({ width: 390, height: 844 });
  await organization.signIn(page.context());
  receiver.respondWith(503, 'x'.repeat(400));
  const { body: endpoint } = await organization.api('POST', '/webhooks', {
    url: `${receiver.url}/a-rather-long-path/that-goes-on/and-on/with-a-token/${'0123456789'.repeat(4)}`,
    description: 'The chat room of the people on call',
  });
  await emitIncident(organization.ctx, 'Shop is down');
  await skipToLastRetry(organization.ctx);
  const [{ id }] = (await organization.api('GET', '/deliveries')).body;
  await emitIncident(organization.ctx, 'Search is down');
  for (const path of [
    '',
    '/channels',
    '/new',
    '/new/slack',
    '/deliveries',
    `/deliveries/${id}`,
    `/${endpoint.id}`,
    `/${endpoint.id}?recover=all`,
    `/${endpoint.id}/edit`,
  ]) {
    await page.goto(`${service.url}/notifications${path}`);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expectToFit(page);
    await expectAccessibleIfThorough(page);
  }
  expect(faults).toEqual([]);
});

test(
  'deliveries are filtered by monitor, endpoint and status, and the filters are kept together',
  THOROUGH,
  async ({ page, service, organization }) => {
    const faults = watchFaults(page, { origin: service.url });
    await organization.signIn(page.context());
    receiver.respondWith(200);
    const create = async (path: string, body: object) => (await organization.api('POST', path, body)).body;
    const shop = await create('/monitors', { name: 'Shop', url: receiver.url, enabled: false });
    await create('/monitors', { name: 'Search', url: receiver.url, enabled: false });
    for (const description of ['On-call bot', 'Archive']) {
      await create('/webhooks', { url: receiver.url, description, events: ['incident.created'] });
    }
    await create('/incidents', { title: 'Shop is slow', affectedMonitors: [shop.id] });
    await create('/incidents', { title: 'Office is closed', affectedMonitors: [] });
    await page.goto(`${service.url}/notifications/deliveries`);
    const rows = page.getByRole('row').filter({ hasText: 'incident.created' });
    await expect(rows.filter({ hasText: 'Delivered' })).toHaveCount(4);

    const filters = page.getByRole('form', { name: 'Filter deliveries' });
    await filters.getByLabel('Monitor').selectOption('Shop');
    await expect(rows).toHaveCount(2);
    await filters.getByLabel('Channel').selectOption('Archive');
    await expect(rows).toHaveCount(1);
    await expect(rows).toContainText('Shop is slow');
    await expectAccessibleIfThorough(page);
    await page.getByRole('link', { name: 'Failed', exact: true }).click();
    await expect(page.getByText('No matching deliveries.')).toBeVisible();
    await expect(filters.getByLabel('Monitor')).toHaveValue(shop.id);
    await page.getByRole('link', { name: 'Delivered', exact: true }).click();
    await expect(rows).toHaveCount(1);
    await filters.getByLabel('Channel').selectOption('Any channel');
    await expect(rows).toHaveCount(2);
    await expect(page.getByRole('link', { name: 'Delivered', exact: true })).toHaveAttribute(
      'aria-current',
      'true',
    );
    await page.getByRole('link', { name: 'Clear filters' }).click();
    await expect(rows).toHaveCount(4);

    await rows.first().getByRole('link', { name: 'incident.created' }).click();
    await page
      .getByRole('main')
      .getByRole('link', { name: /On-call bot|Archive/ })
      .click();
    await page.getByRole('form', { name: 'Filter deliveries' }).getByLabel('Monitor').selectOption('Search');
    await expect(page.getByText('No matching deliveries.')).toBeVisible();
    expect(faults).toEqual([]);
  },
);

/** What the document has a receiver compute. */
function signature(secret = '', body: string): string {
  return `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;
}
