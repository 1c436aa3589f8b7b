import type { Page } from '@playwright/test';
import { startTarget, type Target } from '@/lib/testing/target';
import type { OwnOrganization } from '../support/own-organization';
import { ATTEMPT_MS, expectToFit, seeAll, watchFaults } from '../support/page-checks';
import { expect, test } from '../support/shared-service';
import { expectAccessibleIfThorough, THOROUGH, thoroughStep } from '../support/thorough';

let target: Target;
let receiver: Target;

test.beforeAll(async () => {
  target = await startTarget();
  target.respondWith(503);
  receiver = await startTarget();
});

test.afterAll(async () => {
  await target?.close();
  await receiver?.close();
});

test('the page of a monitor that is down shows first what a person at 3 a.m. needs', async ({
  page,
  service,
  organization,
}) => {
  const faults = watchFaults(page, { origin: service.url });
  await organization.signIn(page.context());
  const id = await addOutage(organization);
  const main = page.getByRole('main');
  const region = (name: string) => main.getByRole('region', { name, exact: true });

  await test.step('since when, why, from where, what changed, and who knows, on the first screen', async () => {
    await page.goto(`${service.url}/monitors/${id}`);
    await expect(main.getByText(/^for .+, since .*\d\d:\d\d:\d\d/)).toBeVisible();
    await expect(main.getByText(/failed a check: responded with 503, expected 200/).first()).toBeVisible();
    await expect(region('Regions').getByRole('listitem')).toContainText([
      /This machine \(2 checks\).*Failing.*failed in a row: responded with 503, expected 200/,
    ]);
    const changes = region('What changed');
    await expect(changes.getByRole('link', { name: 'Shop 2.14.0 deployed' })).toBeVisible();
    await expect(changes.getByText(/Monitor created by/)).toBeVisible();
    await expect(region('Who was notified')).toContainText(/Pager monitor\.down\s*delivered/);
    for (const name of ['Regions', 'What changed', 'Who was notified']) {
      await expect(region(name)).toBeInViewport({ ratio: 1 });
    }
    await expect(main.getByText('Zoomed to the outage')).toBeVisible();
    await expect(main.getByText('Frequency')).toBeHidden();
  });

  await test.step('keys acknowledge it and change the window; others see who did', async () => {
    const keys = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
    // Key presses are lost until the page is hydrated.
    await expect(async () => {
      await page.keyboard.press('?');
      await expect(keys).toContainText('Acknowledge the incident', { timeout: ATTEMPT_MS });
    }).toPass();
    await expect(keys).toContainText('Chart: 1 hour');
    await expect(keys).toContainText('Check this monitor now');
    await page.keyboard.press('Escape');
    await expect(keys).toHaveCount(0);
    await page.keyboard.press('a');
    await expect(region('Open incident')).toContainText(`Acknowledged by ${organization.owner.email}`);
    await main.getByRole('button', { name: 'Undo acknowledgement' }).click();
    await expect(main.getByRole('button', { name: 'Acknowledge', exact: true })).toBeVisible();
    const { body } = await organization.api('GET', '/incidents?open=true');
    await organization.api('POST', `/incidents/${body[0].id}/acknowledge`);
    await expect(region('Open incident'), 'live').toContainText('Acknowledged by First key');
    await page.keyboard.press('2');
    await expect(page).toHaveURL(/window=6h/);
  });

  await thoroughStep('the configuration stays as this browser left it', async () => {
    await seeAll(page);
    await main.getByText('Configuration', { exact: true }).click();
    await expect(main.getByText('Frequency')).toBeVisible();
    await page.reload();
    await seeAll(page);
    await expect(main.getByText('Frequency')).toBeVisible();
  });

  await thoroughStep('it is accessible, and fits a phone', async () => {
    await expectAccessibleIfThorough(page);
    await page.setViewportSize({ width: 390, height: 844 });
    await expectToFit(page);
    await expectAccessibleIfThorough(page);
  });

  expect(faults).toEqual([]);
});

for (const viewport of [
  { width: 1440, height: 900 },
  { width: 390, height: 844 },
]) {
  test(
    `nothing moves while the page of an outage loads, ${viewport.width} px wide`,
    THOROUGH,
    async ({ page, service, organization }) => {
      await page.setViewportSize(viewport);
      await organization.signIn(page.context());
      const id = await addOutage(organization);
      await watchShifts(page);
      await respondAtEnd(page);
      await page.goto(`${service.url}/monitors/${id}`);
      await seeAll(page);
      await expect(page.getByRole('heading', { name: 'Latest checks' })).toBeVisible();
      const shifts = await readShifts(page);
      const sum = shifts.reduce((total, { value }) => total + value, 0);
      expect(sum, JSON.stringify(shifts)).toBeLessThan(0.02);
    },
  );
}

/** A monitor that went down right after a deploy, and a webhook endpoint that was notified. */
async function addOutage({ api }: OwnOrganization): Promise<string> {
  await api('POST', '/webhooks', { url: receiver.url, description: 'Pager' });
  const marker = { title: 'Shop 2.14.0 deployed', tags: ['shop'], url: 'https://ci.example.com/42' };
  await api('POST', '/events', marker);
  const regions = ['us-east', 'eu-west'];
  const monitor = { name: 'Shop', url: target.url, alertThreshold: 1, tags: ['shop'], regions };
  const { id } = (await api('POST', '/monitors', monitor)).body;
  await expect.poll(async () => (await api('GET', `/monitors/${id}`)).body.status).toBe('down');
  const delivered = async () => (await api('GET', '/deliveries?status=delivered')).body.length;
  await expect.poll(delivered).toBeGreaterThan(1);
  return id;
}

/** Holds what a page loads once it is seen until the page is scrolled to its end, where placeholders show. */
async function respondAtEnd(page: Page): Promise<void> {
  await page.route('**/monitors/**', async (route, request) => {
    if (request.method() === 'POST') {
      await page.waitForFunction(
        () => window.scrollY + window.innerHeight >= document.documentElement.scrollHeight - 1,
      );
    }
    await route.continue();
  });
}

/** A layout shift: its score, and the begin of what moved. */
type Shift = { value: number; moved: string[] };

/** Collects the layout shifts of the pages to come, as Chromium reports them. */
async function watchShifts(page: Page): Promise<void> {
  await page.addInitScript(() => {
    type Entry = PerformanceEntry & { value: number; hadRecentInput: boolean; sources: { node?: Node }[] };
    const shifts: Shift[] = [];
    Object.assign(window, { shifts });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) {
        const { value, hadRecentInput, sources } = entry as Entry;
        const moved = sources.map(({ node }) => node?.textContent?.slice(0, 60) ?? '');
        if (!hadRecentInput) shifts.push({ value, moved });
      }
    }).observe({ type: 'layout-shift', buffered: true });
  });
}

function readShifts(page: Page): Promise<Shift[]> {
  return page.evaluate(() => Reflect.get(window, 'shifts'));
}
