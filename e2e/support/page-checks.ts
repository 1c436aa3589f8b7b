import AxeBuilder from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';

/** Collects faults of a page: console errors, and requests that fail or go to other origins. */
export function watchFaults(page: Page, { origin }: { origin: string }): string[] {
  const faults: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error') faults.push(`console: ${message.text()}`);
  });
  page.on('pageerror', (error) => faults.push(`page: ${error.message}`));
  page.on('request', (request) => {
    if (!request.url().startsWith(origin)) faults.push(`other origin: ${request.url()}`);
  });
  page.on('response', (response) => {
    if (response.status() >= 400) faults.push(`${response.status()} ${response.url()}`);
  });
  page.on('requestfailed', (request) => {
    const reason = request.failure()?.errorText ?? '';
    // Leaving a page aborts its pending requests.
    if (reason !== 'net::ERR_ABORTED') faults.push(`${reason} ${request.url()}`);
  });
  return faults;
}

const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
/** Rules that can differ between light and dark; the structure is the same in both. */
const COLOR_RULES = ['color-contrast', 'link-in-text-block'];

/** Checks the page, or a part of it, against WCAG 2.2 AA in light and dark. */
export async function expectAccessible(page: Page, part = 'html'): Promise<void> {
  // After a navigation in the browser, the title can arrive later than the content.
  await expect(page).toHaveTitle(/./);
  await expectNoViolation(page, part, 'light', (axe) => axe.withTags(RULES));
  await expectNoViolation(page, part, 'dark', (axe) => axe.withRules(COLOR_RULES));
}

async function expectNoViolation(
  page: Page,
  part: string,
  colorScheme: 'light' | 'dark',
  choose: (axe: AxeBuilder) => AxeBuilder,
): Promise<void> {
  await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
  // axe would wait forever for frames without scripts; their content has its own spec. The default mode opens a
  // tab for every analysis, for the sake of frames from other origins, which no page has.
  const axe = new AxeBuilder({ page }).setLegacyMode().include(part).exclude('iframe[sandbox]');
  const { violations } = await choose(axe).analyze();
  const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(' | ')}`);
  expect(found, `${page.url()}, ${colorScheme}`).toEqual([]);
}

/** Checks that the page is not wider than the window. */
export async function expectToFit(page: Page): Promise<void> {
  const beyond = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  expect(beyond, `${page.url()} is wider than the window`).toBeLessThanOrEqual(0);
}
