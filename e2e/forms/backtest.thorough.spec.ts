import { holdRequests } from '../support/hold-requests';
import { expectAccessible, watchFaults } from '../support/page-checks';
import { expect, test } from '../support/shared-service';

test('a backtest can be read while it is calculated: its first one, and the previous result', async ({
  page,
  service,
  organization,
}) => {
  const faults = watchFaults(page, { origin: service.url });
  const shop = { name: 'Shop', url: 'https://shop.example.com/', enabled: false };
  const { id } = (await organization.api('POST', '/monitors', shop)).body;
  await organization.signIn(page.context());
  const backtest = page.getByRole('status', { name: 'Backtest' });
  const part = '[aria-label=Backtest]';

  const showFirst = await holdRequests(page, '**/backtest');
  await page.goto(`${service.url}/monitors/${id}/edit`);
  await expect(backtest).toHaveAttribute('aria-busy', 'true');
  await expect(backtest).toHaveText('Replaying the last 7 days…');
  await expectAccessible(page, part);
  showFirst();
  await expect(backtest).toHaveAttribute('aria-busy', 'false');

  const showNext = await holdRequests(page, '**/backtest');
  await page.getByLabel('Alert after').fill('5');
  await expect(backtest).toHaveCSS('opacity', '0.9');
  await expectAccessible(page, part);
  showNext();
  await expect(backtest).toHaveCSS('opacity', '1');
  expect(faults).toEqual([]);
});
