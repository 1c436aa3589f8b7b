import { createServer } from 'node:http';
import { listenLocally } from '@/lib/testing/http-listener';
import { checkNow } from '../support/check-now';
import { expectToFit, seeAll, watchFaults } from '../support/page-checks';
import { expect, test } from '../support/shared-service';
import { expectAccessibleIfThorough, thoroughStep } from '../support/thorough';

const PAGE = ['<!doctype html>', '<h1>Shop</h1>', ...Array.from({ length: 30 }, (_, n) => `<p>${n}</p>`)];

/** A shop that works until its database is full. */
async function startShop() {
  const shop = { isBroken: false };
  const server = createServer((_request, response) => {
    const { isBroken } = shop;
    response
      .writeHead(isBroken ? 503 : 200, {
        'content-type': 'text/html',
        'set-cookie': 'session=s3cret',
        ...(isBroken ? { 'retry-after': '30' } : {}),
      })
      .end([...PAGE, isBroken ? '<script>document.title = "hacked"</script>' : '<p>Welcome</p>'].join('\n'));
  });
  return { ...(await listenLocally(server)), shop };
}

test('the page of a monitor that is down shows what the first failure saw, next to the last good response', async ({
  page,
  service,
  organization,
}) => {
  const faults = watchFaults(page, { origin: service.url });
  const { url, shop, close } = await startShop();
  await organization.signIn(page.context());
  const { api } = organization;
  const fields = { name: 'Shop', url, interval: 300, alertThreshold: 1 };
  const { id } = (await api('POST', '/monitors', fields)).body;
  const statusOf = async () => (await api('GET', `/monitors/${id}`)).body.status;
  const main = page.getByRole('main');
  const section = main.getByRole('region', { name: 'Evidence' });

  await test.step('before the first failure, it says what will be there', async () => {
    await expect.poll(statusOf).toBe('operational');
    await page.goto(`${service.url}/monitors/${id}`);
    await main.getByText('Loading: Evidence').scrollIntoViewIfNeeded();
    await expect(section).toContainText('No failures in the last 30 days.');
  });

  shop.isBroken = true;
  await checkNow(service.access.services);
  await expect.poll(statusOf).toBe('down');

  await test.step('it shows the lines that differ, as text', async () => {
    await page.goto(`${service.url}/monitors/${id}`);
    await expect(section).toContainText('Responded with 503, expected 200');
    await expect(section).toContainText('Now');
    await expect(section.getByRole('insertion').filter({ hasText: 'HTTP/1.1 503' })).toBeVisible();
    await expect(section.getByRole('deletion').filter({ hasText: 'HTTP/1.1 200 OK' })).toBeVisible();
    await expect(section).toContainText('retry-after: 30');
    await expect(section).toContainText('set-cookie: [hidden]');
    await expect(section).toContainText('<script>document.title = "hacked"</script>');
    await expect(section).not.toContainText('s3cret');
    expect(await page.title()).toContain('Shop');
    await expectAccessibleIfThorough(page);
  });

  await test.step('what is the same is collapsed, and opens by key', async () => {
    await expect(section.getByText('<p>5</p>').first()).toBeHidden();
    await section
      .getByText(/unchanged lines/)
      .last()
      .focus();
    await page.keyboard.press('Enter');
    await expect(section.getByText('<p>5</p>').first()).toBeVisible();
  });

  await thoroughStep('it fits a phone', async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    await expect(section).toBeVisible();
    await expectToFit(page);
  });

  await test.step('the row of a check leads to what it saw', async () => {
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.reload();
    await seeAll(page);
    const checks = main.getByRole('region', { name: 'Latest checks' });
    const row = (result: string) => checks.getByRole('row').filter({ hasText: result });
    await row('Failed').getByRole('link', { name: 'Evidence' }).focus();
    await row('OK').getByRole('link', { name: 'Evidence' }).click();
    await expect(section).toContainText('Good response from this machine');
    await expect(section).toContainText('HTTP/1.1 200 OK');
    await expect(section).not.toContainText('503');
    await expect(section).toBeInViewport();
    await expectAccessibleIfThorough(page);
    const { pathname, search } = new URL(page.url());
    await section.getByRole('link', { name: 'Show the last failure' }).click();
    await expect(section).toContainText('Now');
    await expect(section.getByRole('insertion').filter({ hasText: 'HTTP/1.1 503' })).toBeVisible();
    // A link whose hash Next loses, as it does when a refresh ends while the link is loading.
    await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight));
    await expect(section).not.toBeInViewport();
    await page.evaluate(`next.router.push(${JSON.stringify(pathname + search)}, { scroll: false })`);
    await expect(section).toContainText('Good response from this machine');
    await expect(section).toBeInViewport();
    await section.getByRole('link', { name: 'Show the last failure' }).click();
    await expect(section).toContainText('Now');
    await expect(section.getByRole('insertion').filter({ hasText: 'HTTP/1.1 503' })).toBeVisible();
    await page.setViewportSize({ width: 390, height: 844 });
  });

  await thoroughStep('viewers see that bodies are hidden', async () => {
    await organization.setRole('viewer');
    await page.reload();
    await expect(section).toContainText('hidden from viewers');
    await expect(section).not.toContainText('Welcome');
    await expect(section).toContainText('Now');
    await expect(section.getByRole('insertion').filter({ hasText: 'HTTP/1.1 503' })).toBeVisible();
  });
  await close();
  expect(faults).toEqual([]);
});
