import { chromium } from '@playwright/test';
import { findBrowser } from '@/bin/testing/find-browser.mjs';
import { childEnvironment } from '@/lib/env';

/** Measurements in a browser. */
export type Visit = Awaited<ReturnType<typeof browse>>;

export const STEP_PX = 400;
/** Time for late requests after the page has loaded. */
const SETTLED_MS = 1000;

/** Opens the page and scrolls through it; null without a browser. */
export async function browse(url: string, cookie: string) {
  const executablePath = findBrowser(childEnvironment({}));
  if (executablePath === null) return null;
  const args = ['--no-sandbox', '--disable-quic', '--disable-background-networking'];
  const browser = await chromium.launch({ executablePath, args });
  try {
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
    const [name = '', value = ''] = cookie.split('=');
    await context.addCookies([{ name, value, url }]);
    const page = await context.newPage();
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
    const elements = await page.evaluate(() => document.getElementsByTagName('*').length);
    const frames = await page.evaluate(scrollThrough, STEP_PX);
    /** CPU per frame while scrolling from top to bottom. */
    const frameMs = ((await spent()) - loadMs) / frames;
    /** Compressed size of JavaScript. */
    const scriptBytes = await page.evaluate(() =>
      performance
        .getEntriesByType('resource')
        .filter((entry): entry is PerformanceResourceTiming => entry.name.endsWith('.js'))
        .reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0),
    );
    return { elements, loadMs, frameMs, scriptBytes };
  } finally {
    await browser.close();
  }
}

/** Runs in the page: scrolls to the end, one step per frame; returns the number of frames. */
async function scrollThrough(step: number): Promise<number> {
  let frames = 0;
  for (let top = 0; top < document.documentElement.scrollHeight; top += step) {
    window.scrollTo(0, top);
    await new Promise((resolve) => requestAnimationFrame(resolve));
    frames += 1;
  }
  return frames;
}
