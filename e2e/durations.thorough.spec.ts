import type { Locator, Page } from '@playwright/test';
import { writePeriods } from '@/lib/domain/monitors/testing/history';
import { seeAll } from './support/page-checks';
import { expect, test } from './support/shared-service';

const MINUTE = 60_000;

/** Turns the clock of a page until a text counts. What is turned before the page listens is lost. */
async function turnUntilCounting(page: Page, text: Locator): Promise<void> {
  const before = await text.textContent();
  const turn = async () => {
    await page.clock.fastForward('01:00');
    return text.textContent();
  };
  await expect.poll(turn).not.toBe(before);
}

test('what has ended keeps its duration while a page is open, and what continues keeps counting', async ({
  page,
  service,
  organization,
}) => {
  const { api, ctx } = organization;
  const ago = (minutes: number) => new Date(Date.now() - minutes * MINUTE);
  const { id: monitor } = (
    await api('POST', '/monitors', { name: 'Shop', url: 'http://127.0.0.1:9/', enabled: false })
  ).body;
  await writePeriods(ctx.db, monitor, [
    { state: 'operational', from: ago(600) },
    { state: 'down', from: ago(180) },
    { state: 'operational', from: ago(150) },
  ]);
  const openIncident = async (title: string) =>
    (await api('POST', '/incidents', { title, affectedMonitors: [monitor] })).body.id;
  const [ended, open] = [await openIncident('Ended'), await openIncident('Open')];
  await api('POST', `/incidents/${ended}/updates`, { message: 'It works again.', status: 'resolved' });
  await ctx.db.incident.update({ where: { id: ended }, data: { startedAt: ago(180), resolvedAt: ago(150) } });
  await ctx.db.incident.update({ where: { id: open }, data: { startedAt: ago(10) } });
  const slug = `durations-${organization.id.slice(-12).toLowerCase()}`;
  await api('POST', '/status-pages', { name: 'Shop', slug, monitors: [monitor], published: true });

  await organization.signIn(page.context());
  await page.clock.install({ time: new Date() });
  const main = page.getByRole('main');
  const pages = [
    { path: '/incidents', fixed: 'resolved after 30m', counting: [/open for 1\dm/, /open for 1d 2h/] },
    { path: `/incidents/${ended}`, fixed: 'resolved after 30m' },
    { path: `/monitors/${monitor}`, fixed: 'for 30m', counting: [/for 2h 3\dm/, /for 1d 4h/] },
    { path: `/status/${slug}`, fixed: 'Resolved after 30 min' },
    { path: `/status/${slug}/history`, fixed: 'Resolved after 30 min' },
    { path: `/status/${slug}/incidents/${ended}`, fixed: 'Resolved after 30 min' },
  ];
  for (const { path, fixed, counting: [before, after] = [] } of pages) {
    await test.step(path, async () => {
      await page.goto(`${service.url}${path}`);
      if (path.startsWith('/monitors')) await seeAll(page);
      await expect(main.getByText(fixed).first()).toBeVisible();
      const count = await main.getByText(fixed).count();
      if (before) await turnUntilCounting(page, main.getByText(before).first());
      await page.clock.fastForward('26:00:00');
      if (after) await expect(main.getByText(after).first()).toBeVisible();
      await expect(main.getByText(fixed)).toHaveCount(count);
    });
  }
});
