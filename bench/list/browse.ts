import { type CDPSession, chromium, type Page } from '@playwright/test';
import { findBrowser } from '@/bin/testing/find-browser.mjs';
import { childEnvironment } from '@/lib/env';
import type { Seeded } from '../seed-history';

/** Measurements in a browser. */
export type Visit = Awaited<ReturnType<typeof browse>>;

export const STEP_PX = 400;
/** How much slower the processor is for interactions. */
export const SLOWED = 4;
/** Time for late requests after the page has loaded. */
const SETTLED_MS = 1000;

/**
 * Opens the list of monitors, scrolls through it, searches, and uses it on a slowed processor, then the page of one; null without a browser.
 */
export async function browse(
  origin: string,
  { cookie, monitors, monitorId }: Pick<Seeded, 'cookie' | 'monitors' | 'monitorId'>,
) {
  const url = `${origin}/monitors`;
  const executablePath = findBrowser(childEnvironment({}));
  if (executablePath === null) return null;
  const args = ['--no-sandbox', '--disable-quic', '--disable-background-networking'];
  const browser = await chromium.launch({ executablePath, args });
  try {
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
    const [name = '', value = ''] = cookie.split('=');
    await context.addCookies([{ name, value, url }]);
    const page = await context.newPage();
    await page.addInitScript(watchPage);
    const cdp = await context.newCDPSession(page);
    // Thread time does not include waiting on a busy machine.
    await cdp.send('Performance.enable', { timeDomain: 'threadTicks' });
    const spent = async () => {
      const { metrics } = await cdp.send('Performance.getMetrics');
      return 1000 * (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0);
    };
    await page.goto(url, { waitUntil: 'load' });
    await page.waitForTimeout(SETTLED_MS);
    /** CPU of the main thread until the page is loaded and idle. */
    const loadMs = await spent();
    /** From the navigation to the first frame with rows. */
    const firstRowsMs = await page.evaluate(() => window.firstRowsAt ?? Number.NaN);
    const elements = await page.evaluate(() => document.getElementsByTagName('*').length);
    const { frames, longestFrameMs } = await page.evaluate(scrollThrough, STEP_PX);
    /** CPU per frame while scrolling from top to bottom. */
    const frameMs = ((await spent()) - loadMs) / frames;
    const listBytes = await page.evaluate(countScriptBytes);
    /** From typing the name of a monitor to the frame that shows only that. Its number must not occur in the targets. */
    const searchMs = await page.evaluate(search, `Service ${monitors - 5}`);
    const interactionMs = await interact(page, cdp);
    const slow = { firstRowsMs, longestFrameMs, searchMs, interactionMs };
    const other = await context.newPage();
    await other.goto(`${url}/${monitorId}`, { waitUntil: 'load' });
    await other.waitForTimeout(SETTLED_MS);
    const monitorBytes = await other.evaluate(countScriptBytes);
    return { elements, loadMs, frameMs, listBytes, monitorBytes, ...slow };
  } finally {
    await browser.close();
  }
}

declare global {
  interface Window {
    firstRowsAt?: number;
    /** The longest interaction so far, from input to the next frame. */
    longestInteraction?: number;
  }
}

/** Runs in the page before its scripts. */
function watchPage(): void {
  const look = () => {
    if (document.querySelector('tr[data-row]')) window.firstRowsAt = performance.now();
    else requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) {
      window.longestInteraction = Math.max(window.longestInteraction ?? 0, duration);
    }
  }).observe({ type: 'event', durationThreshold: 16, buffered: true } as PerformanceObserverInit);
}

/** Runs in the page: the compressed size of its JavaScript. */
function countScriptBytes(): number {
  return performance
    .getEntriesByType('resource')
    .filter((entry): entry is PerformanceResourceTiming => entry.name.endsWith('.js'))
    .reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0);
}

/** Runs in the page: scrolls to the end, one step per frame; returns the number of frames, and the longest time between two. */
async function scrollThrough(step: number): Promise<{ frames: number; longestFrameMs: number }> {
  const nextFrame = () => new Promise<number>((resolve) => requestAnimationFrame(resolve));
  let [frames, longestFrameMs, before] = [0, 0, await nextFrame()];
  for (let top = 0; top < document.documentElement.scrollHeight; top += step) {
    window.scrollTo(0, top);
    const now = await nextFrame();
    longestFrameMs = Math.max(longestFrameMs, now - before);
    before = now;
    frames += 1;
  }
  // A page that failed scrolls smoothly.
  if (!document.querySelector('tr[data-row]')) return { frames, longestFrameMs: Number.NaN };
  // Frames last multiples of a sixtieth of a second, which the clock of a page blurs by a tenth of a millisecond.
  return { frames, longestFrameMs: Math.round(longestFrameMs) };
}

/** Runs in the page: searches for one row; returns how long it took to be the only one. */
async function search(text: string): Promise<number> {
  window.scrollTo(0, 0);
  const input = document.querySelector<HTMLInputElement>('main input[type=search]');
  // Past React's own property, so that it notices a change.
  const { set } = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value') ?? {};
  if (!input || !set) return Number.NaN;
  const begun = performance.now();
  set.call(input, text);
  input.dispatchEvent(new Event('input', { bubbles: true }));
  while (document.querySelectorAll('tr[data-row]').length !== 1) {
    if (performance.now() - begun > 10_000) return Number.NaN;
    await new Promise((resolve) => requestAnimationFrame(resolve));
  }
  return performance.now() - begun;
}

/** The longest of some interactions on a slowed processor, from input to the next frame: types, sorts, filters and selects. */
async function interact(page: Page, cdp: CDPSession): Promise<number> {
  await page.getByRole('button', { name: 'Clear filters' }).first().click();
  await page.waitForTimeout(SETTLED_MS);
  await cdp.send('Emulation.setCPUThrottlingRate', { rate: SLOWED });
  await page.evaluate(() => {
    window.longestInteraction = 0;
  });
  await page.getByRole('searchbox', { name: 'Search monitors' }).pressSequentially('ser', { delay: 400 });
  await page.getByRole('button', { name: 'Monitor', exact: true }).click();
  await page.waitForTimeout(SETTLED_MS);
  await page.getByRole('checkbox').nth(1).click();
  await page.waitForTimeout(SETTLED_MS);
  await page.getByRole('group', { name: 'Status' }).getByRole('button').first().click();
  await page.waitForTimeout(SETTLED_MS);
  return page.evaluate(() => window.longestInteraction ?? Number.NaN);
}
