import { expect, type Page, test } from '@playwright/test';
import { WAIT_MS } from '@/bin/testing/patience.mjs';
import { visitEveryPage } from '../support/every-page';
import { observeShifts, readShifts } from '../support/layout-shifts';
import { findBadControls } from '../support/measure-controls';
import { expectAccessible, expectToFit } from '../support/page-checks';

/** Two phones, a tablet, and a large window, at 200 % zoom, too. Below `touch`, fingers are expected. */
const WINDOWS = [
  { width: 360, height: 740, isTouch: true, isLoaded: true },
  { width: 390, height: 844, isTouch: true, isLoaded: false },
  { width: 720, height: 450, isTouch: false, isLoaded: false },
  { width: 768, height: 1024, isTouch: false, isLoaded: false },
  { width: 1440, height: 900, isTouch: false, isLoaded: true },
];

const MAX_SHIFT = 0.01;

// Each has a service of its own.
test.describe.configure({ mode: 'parallel' });

test('every page is accessible, in light and dark', async ({ page }) => {
  const problems: string[] = [];
  await visitEveryPage(page, async (url) => {
    await page.goto(url);
    // All pages are looked at, whatever is wrong with one.
    await expectAccessible(page).catch((error: unknown) => problems.push(String(error)));
  });
  expect(problems).toEqual([]);
});

test('every page fits every window, shows its controls whole, large enough to a finger, and does not move while it loads', async ({
  page,
}) => {
  await observeShifts(page);
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await visitEveryPage(page, async (url) => {
    for (const { isTouch, isLoaded, ...size } of WINDOWS) {
      await page.setViewportSize(size);
      if (isLoaded) await loadWithoutShift(page, url);
      const at = `${url} at ${size.width} px`;
      await expectToFit(page);
      expect.soft(await findBadControls(page, { isTouch }), at).toEqual([]);
    }
  });
});

async function loadWithoutShift(page: Page, url: string): Promise<void> {
  await page.goto(url);
  await expect(page.locator('h1:visible').first()).toBeAttached();
  await page.waitForLoadState('networkidle', { timeout: WAIT_MS });
  const { sum, moved } = await readShifts(page);
  expect.soft(sum, `${url} moved while it loaded: ${moved.join('\n')}`).toBeLessThanOrEqual(MAX_SHIFT);
}
