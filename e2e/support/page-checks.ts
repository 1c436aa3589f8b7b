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

const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
/** What can differ between light and dark: the same page has the same structure in both. */
const RULES_OF_COLOUR = ['color-contrast', 'link-in-text-block'];

/** Holds the page, or a part of it, in light and in dark against WCAG 2.2 AA. */
export async function expectAccessible(page: Page, part = 'html'): Promise<void> {
  await expectNoViolation(page, part, 'light', (axe) => axe.withTags(RULES));
  await expectNoViolation(page, part, 'dark', (axe) => axe.withRules(RULES_OF_COLOUR));
}

async function expectNoViolation(
  page: Page,
  part: string,
  colorScheme: 'light' | 'dark',
  choose: (axe: AxeBuilder) => AxeBuilder,
): Promise<void> {
  await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
  // Where nothing may run axe waits for ever; what such a frame shows is looked at in a spec of its own.
  const axe = new AxeBuilder({ page }).include(part).exclude('iframe[sandbox]');
  const { violations } = await choose(axe).analyze();
  const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(' | ')}`);
  expect(found, `${page.url()}, ${colorScheme}`).toEqual([]);
}

/** Nothing of the page lies beyond the edge of the window. */
export async function expectToFit(page: Page): Promise<void> {
  const beyond = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  expect(beyond, `${page.url()} is wider than the window`).toBeLessThanOrEqual(0);
}
