import { expect, type Page } from '@playwright/test';
import axe, { type RunOptions } from 'axe-core';
import { twMerge } from 'tailwind-merge';
import { patience, WAIT_MS } from '@/bin/testing/patience.mjs';

/** How long an attempt within `toPass` waits: without it, one that came too early takes as long as a test waits for anything. */
export const ATTEMPT_MS = patience(2000);

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
const ANALYSIS_MS = 2 * WAIT_MS;

/** Checks the page, or a part of it, against WCAG 2.2 AA in light and dark, and that its classes do not contradict each other. */
export async function expectAccessible(page: Page, part = 'html'): Promise<void> {
  await expectAccessibleInLight(page, part);
  await expectNoViolation(page, part, 'dark', { type: 'rule', values: COLOR_RULES });
}

/** The same in light only, which finds everything but contrasts of the other colors. */
export async function expectAccessibleInLight(page: Page, part = 'html'): Promise<void> {
  // After a navigation in the browser, the title can arrive later than the content.
  await expect(page).toHaveTitle(/./);
  // So can the content: it is streamed after the frame of the page, hidden until it is complete.
  await expect(page.locator('h1:visible').first()).toBeAttached();
  expect(await findContradictions(page), page.url()).toEqual([]);
  await expectNoViolation(page, part, 'light', { type: 'tag', values: RULES });
}

/** Class lists that set a property twice: which of the two wins depends on the order of the style sheet. */
async function findContradictions(page: Page): Promise<string[]> {
  const lists = await page
    .locator('[class]')
    .evaluateAll((all) => all.map(({ classList }) => classList.value));
  const distinct = [...new Set(lists)].map((list) => list.split(/\s+/).filter(Boolean).join(' '));
  return distinct.filter((list) => twMerge(list) !== list);
}

async function expectNoViolation(
  page: Page,
  part: string,
  colorScheme: 'light' | 'dark',
  runOnly: RunOptions['runOnly'],
): Promise<void> {
  await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
  const message = `${page.url()}, ${colorScheme}`;
  // Polled, because a page that refreshes after an action has no title for a moment. The longest pages take seconds to analyze.
  const options = { message, timeout: ANALYSIS_MS };
  await expect.poll(() => findViolations(page, part, runOnly), options).toEqual([]);
}

/** The violations of WCAG 2.2 AA in a part of a page, or of other rules. */
export async function findViolations(
  page: Page,
  part = 'html',
  runOnly: RunOptions['runOnly'] = { type: 'tag', values: RULES },
): Promise<string[]> {
  // Half a megabyte of source: once per document.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source);
  const options: RunOptions = { runOnly, resultTypes: ['violations'] };
  const violations = await page.evaluate(
    async ([part, options]) => {
      const { axe } = window as unknown as { axe: typeof import('axe-core') };
      // It would wait forever for frames without scripts; their content has its own spec.
      const found = await axe.run({ include: [[part]], exclude: [['iframe[sandbox]']] }, options);
      return found.violations;
    },
    [part, options] as const,
  );
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(' | ')}`);
}

/** Checks that the page is not wider than the window. */
export async function expectToFit(page: Page): Promise<void> {
  const beyond = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  expect(beyond, `${page.url()} is wider than the window`).toBeLessThanOrEqual(0);
}

/** Scrolls until everything is loaded that waits to be seen. */
export async function seeAll(page: Page): Promise<void> {
  // What is streamed is hidden until it is complete.
  await expect(page.locator('h1:visible').first()).toBeAttached();
  const waiting = page.getByRole('status').filter({ hasText: /^Loading: / });
  await expect(async () => {
    await page.evaluate(() => window.scrollBy(0, window.innerHeight / 2));
    expect(await waiting.count()).toBe(0);
  }).toPass();
}
