import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { chromium, type Page } from '@playwright/test';
import { findBrowser } from '@/bin/testing/find-browser.mjs';
import { childEnvironment } from '@/lib/env';
import { startDemo } from '../dashboard/start-demo';
import { log, root } from '../playground';
import { listPictures, type Picture } from './list-pictures';

const WINDOWS = {
  '': { width: 1440, height: 900 },
  '-phone': { width: 390, height: 844 },
} as const;

/** Long enough for what is loaded once the page is there, such as strips of checks. */
const QUIET_MS = 3000;

/** Takes the screenshots in docs/pictures, or with `--all-dark` in `--directory`, from a service with demo data. */
export async function main(words: string[]): Promise<number> {
  const { values } = parseArgs({
    args: words,
    options: {
      directory: { type: 'string', default: join(root, 'docs', 'pictures') },
      'all-dark': { type: 'boolean', default: false },
    },
  });
  const executablePath = findBrowser(childEnvironment({}));
  if (executablePath === null) {
    console.error('No browser found to take screenshots. Install Chromium, or set CHROMIUM_PATH.');
    return 1;
  }
  const { directory } = values;
  await mkdir(directory, { recursive: true });
  const demo = await startDemo(log);
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-quic'] });
  try {
    for (const picture of await listPictures(demo)) {
      for (const isDark of [false, true]) {
        if (isDark && !picture.hasDark && !values['all-dark']) continue;
        for (const [suffix, viewport] of Object.entries(WINDOWS)) {
          const name = `${picture.name}${suffix}${isDark ? '-dark' : ''}`;
          log(name);
          const context = await browser.newContext({
            viewport,
            colorScheme: isDark ? 'dark' : 'light',
            timezoneId: 'UTC',
            locale: 'en-US',
          });
          if (!picture.isPublic)
            await context.addCookies([{ ...demo.cookie, url: demo.url, httpOnly: true }]);
          await take(await context.newPage(), demo.url, picture, join(directory, `${name}.png`));
          await context.close();
        }
      }
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
  await page.waitForLoadState('networkidle', { timeout: QUIET_MS }).catch(() => undefined);
  await page.evaluate(() => document.fonts.ready);
  await page.screenshot({ path: file, animations: 'disabled' });
}
