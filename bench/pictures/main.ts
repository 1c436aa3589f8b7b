import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { chromium, type Page } from '@playwright/test';
import { findBrowser } from '@/bin/testing/find-browser.mjs';
import { childEnvironment } from '@/lib/env';
import { startDemo } from '../dashboard/start-demo';
import { log, root } from '../playground';
import { listPictures, type Picture } from './list-pictures';

const WIDE = { width: 1440, height: 900 };
const NARROW = { width: 390, height: 844 };

/** Takes the screenshots in docs/pictures from a service with demo data. */
export async function main(): Promise<number> {
  const executablePath = findBrowser(childEnvironment({}));
  if (executablePath === null) {
    console.error('No browser found to take screenshots. Install Chromium, or set CHROMIUM_PATH.');
    return 1;
  }
  const directory = join(root, 'docs', 'pictures');
  await mkdir(directory, { recursive: true });
  const demo = await startDemo(log);
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-quic'] });
  try {
    for (const picture of await listPictures(demo)) {
      log(picture.name);
      const context = await browser.newContext({
        viewport: picture.isNarrow ? NARROW : WIDE,
        colorScheme: picture.isDark ? 'dark' : 'light',
        timezoneId: 'UTC',
        locale: 'en-US',
      });
      await context.addCookies([{ ...demo.cookie, url: demo.url, httpOnly: true }]);
      const page = await context.newPage();
      await take(page, demo.url, picture, join(directory, `${picture.name}.png`));
      await context.close();
    }
  } finally {
    await browser.close();
    await demo.stop();
  }
  return 0;
}

async function take(page: Page, url: string, { path, prepare }: Picture, file: string): Promise<void> {
  await page.goto(url + path);
  // Not of a page that is still loading.
  await page.getByRole('heading', { level: 1 }).first().waitFor();
  await prepare?.(page);
  await page.waitForLoadState('load');
  await page.evaluate(() => document.fonts.ready);
  await page.screenshot({ path: file, animations: 'disabled' });
}
