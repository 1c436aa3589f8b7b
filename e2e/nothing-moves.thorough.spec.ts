import { createServer } from 'node:http';
import type { Page } from '@playwright/test';
import { listenLocally } from '@/lib/testing/http-listener';
import { expect, test } from './support/shared-service';

/** Results arrive this long after the click: the browser blames movements within half a second on the click. */
const SLOW_MS = 1500;

/** A target and receiver that takes its time. */
async function startSlow() {
  return listenLocally(
    createServer((request, response) => {
      request.resume();
      setTimeout(() => response.writeHead(200, { 'x-answer': 'yes' }).end('Received.\n'.repeat(20)), SLOW_MS);
    }),
  );
}

/** How much has moved on the page since it was opened, but for what a click or key moved at once. */
async function watchMoves(page: Page) {
  await page.evaluate(() => {
    const moves: number[] = [];
    Object.assign(window, { moves });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries())
        if ('value' in entry && 'hadRecentInput' in entry && !entry.hadRecentInput)
          moves.push(Number(entry.value));
    }).observe({ type: 'layout-shift' });
  });
  return () => page.evaluate(() => ('moves' in window ? window.moves : null));
}

for (const viewport of [
  { width: 1440, height: 900 },
  { width: 390, height: 844 },
]) {
  test(`nothing moves when a result arrives, in ${viewport.width} px`, async ({
    page,
    service,
    organization,
  }) => {
    const slow = await startSlow();
    await page.setViewportSize(viewport);
    await organization.signIn(page.context());
    const { api } = organization;

    await test.step('of a test event', async () => {
      const { id } = (await api('POST', '/webhooks', { url: slow.url })).body;
      await page.goto(`${service.url}/notifications/${id}`);
      const readMoves = await watchMoves(page);
      await page.getByRole('button', { name: 'Send test event' }).click();
      await expect(page.getByText('The receiver responded with 200')).toBeVisible();
      expect(await readMoves()).toEqual([]);
    });

    const { id } = (await api('POST', '/monitors', { name: 'Shop', url: slow.url, interval: 300 })).body;
    await expect.poll(async () => (await api('GET', `/monitors/${id}`)).body.lastCheckedAt).not.toBeNull();

    await test.step('of a check of a form', async () => {
      await page.goto(`${service.url}/monitors/new`);
      await page.getByLabel('URL').fill(slow.url);
      const readMoves = await watchMoves(page);
      await page.getByRole('button', { name: 'Test now' }).click();
      await expect(page.getByRole('status', { name: 'Test results' })).toContainText('status 200');
      expect(await readMoves()).toEqual([]);
    });

    await test.step('of a check that was requested', async () => {
      await page.goto(`${service.url}/monitors/${id}`);
      const readMoves = await watchMoves(page);
      await page.getByRole('button', { name: 'Check now' }).click();
      await expect(page.getByRole('status', { name: 'Results of the check' })).toContainText('status 200');
      expect(await readMoves()).toEqual([]);
    });
    await slow.close();
  });
}
