import { startReceiver } from '@/lib/testing/receiver';
import { PRODUCTS, serveProduct } from '@/lib/webhook-formats/testing/products';
import { expectAccessible, expectToFit, watchFaults } from '../support/page-checks';
import { expect, test } from '../support/shared-service';

test.use({ plan: 'free', viewport: { width: 1440, height: 900 } });

test('an endpoint of a product asks for its credentials, shows none, and keeps them', async ({
  page,
  service,
  organization,
}) => {
  const faults = watchFaults(page, { origin: service.url });
  await organization.signIn(page.context());
  const telegram = await serveProduct('telegram');
  const { token, chatId } = PRODUCTS.telegram.product.credentials;

  await page.goto(`${service.url}/notifications/new`);
  await page.getByLabel('Search channels').fill('telegram');
  await page.getByRole('link', { name: 'Telegram' }).click();
  await expect(page.getByLabel('URL')).toHaveAttribute('placeholder', 'https://api.telegram.org');
  await page.getByLabel('URL').fill(telegram.endpoint);
  await page.getByLabel('Bot token').fill('no token');
  await page.getByLabel('Chat ID').fill(chatId ?? '');
  await page.getByRole('button', { name: 'Save channel' }).click();
  await expect(page.getByText('Bot token must be ASCII without spaces.')).toBeVisible();
  await expectAccessible(page);
  await expectToFit(page);
  await page.getByLabel('Bot token').fill(token ?? '');
  await page.getByRole('button', { name: 'Save channel' }).click();
  await page.getByRole('button', { name: 'Send test event' }).click();
  await expect(page.getByText(/The receiver responded with 200 in \d+ ms/)).toBeVisible();
  expect(await page.content()).not.toContain(token);
  await page.getByRole('link', { name: 'Edit' }).click();
  await expect(page.getByLabel('Bot token')).toHaveValue('[hidden]');
  await page.getByLabel('Description').fill('Family');
  await page.getByRole('button', { name: 'Save changes' }).click();
  await expect(page.getByRole('heading', { name: 'Family' })).toBeVisible();
  await page.getByRole('button', { name: 'Send test event' }).click();
  await expect.poll(() => telegram.exchanges.length).toBe(2);
  await telegram.close();
  expect(telegram.exchanges.map(({ reply }) => reply.status)).toEqual([200, 200]);
  expect(faults).toEqual([]);
});

test('a custom endpoint has a template that is previewed, refused where it is wrong, and sent', async ({
  page,
  service,
  organization,
}) => {
  const faults = watchFaults(page, { origin: service.url });
  await organization.signIn(page.context());
  const receiver = await startReceiver();

  await page.goto(`${service.url}/notifications/new/custom`);
  await page.getByLabel('URL').fill(`${receiver.url}/custom`);
  await page.getByLabel('Headers').fill('Authorization: Bearer 0123456789');
  const template = page.getByLabel('Template');
  await template.fill('{"text": "{{ monitor.name }}"}');
  await page.getByRole('button', { name: 'Preview' }).click();
  await expect(page.getByText('{"text": "Checkout "EU""}').first()).toBeVisible();
  await expectAccessible(page);
  await expectToFit(page);
  await page.getByRole('button', { name: 'Save channel' }).click();
  await expect(page.getByText('Template does not write valid JSON for monitor.down')).toBeVisible();
  await template.fill('{"text": {{ event | json }}}');
  await page.getByRole('button', { name: 'Save channel' }).click();
  await page.getByRole('link', { name: 'Go to the channel' }).click();
  await page.getByRole('button', { name: 'Send test event' }).click();
  await expect(page.getByText(/The receiver responded with 200 in \d+ ms/)).toBeVisible();
  const request = await receiver.waitFor(({ path }) => path === '/custom');
  await receiver.close();
  expect(request).toMatchObject({
    body: '{"text": "webhook.test"}',
    headers: { authorization: 'Bearer 0123456789' },
  });
  expect(await page.content()).not.toContain('0123456789');
  expect(faults).toEqual([]);
});
