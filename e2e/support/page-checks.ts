import AxeBuilder from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';

/** Collects what must not happen on any page: errors in the console, and requests that fail or go elsewhere. */
export function watchFaults(page: Page, { origin }: { origin: string }): string[] {
  const faults: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error') faults.push(`console: ${message.text()}`);
  });
  page.on('pageerror', (error) => faults.push(`page: ${error.message}`));
  page.on('request', (request) => {
    if (!request.url().startsWith(origin)) faults.push(`asked another: ${request.url()}`);
  });
  page.on('response', (response) => {
    if (response.status() >= 400) faults.push(`${response.status()} ${response.url()}`);
  });
  page.on('requestfailed', (request) => {
    const reason = request.failure()?.errorText ?? '';
    // Leaving a page ends what it still had under way.
    if (reason !== 'net::ERR_ABORTED') faults.push(`${reason} ${request.url()}`);
  });
  return faults;
}

/** Holds the page, or a part of it, in light and in dark against WCAG 2.2 AA. */
export async function expectAccessible(page: Page, part = 'html'): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    const { violations } = await new AxeBuilder({ page })
      .include(part)
      // Where nothing may run axe waits for ever; what such a frame shows is looked at in a spec of its own.
      .exclude('iframe[sandbox]')
      .withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'])
      .analyze();
    const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(' | ')}`);
    expect(found, `${page.url()}, ${colorScheme}`).toEqual([]);
  }
}

/** Nothing of the page lies beyond the edge of the window. */
export async function expectToFit(page: Page): Promise<void> {
  const beyond = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  expect(beyond, `${page.url()} is wider than the window`).toBeLessThanOrEqual(0);
}
