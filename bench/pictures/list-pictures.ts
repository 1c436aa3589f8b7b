import type { Page } from '@playwright/test';
import type { RunningDemo } from '../dashboard/start-demo';

/** A screenshot for the documentation: the page, its appearance, and steps to prepare it. */
export type Picture = {
  name: string;
  path: string;
  isDark?: boolean;
  isNarrow?: boolean;
  prepare?(page: Page): Promise<void>;
};

/** All screenshots, in the order of the navigation. */
export async function listPictures({ monitorId }: RunningDemo): Promise<Picture[]> {
  const checkout = await monitorId('Checkout API');
  return [
    { name: 'monitors', path: '/monitors', prepare: awaitRows },
    { name: 'monitors-dark', path: '/monitors', isDark: true, prepare: awaitRows },
    { name: 'monitors-phone', path: '/monitors', isNarrow: true, prepare: awaitRows },
    {
      name: 'monitor',
      path: `/monitors/${checkout}?window=30d`,
      prepare: (page) => page.getByRole('heading', { name: 'Checkout API' }).waitFor(),
    },
    { name: 'monitor-edit', path: `/monitors/${checkout}/edit`, prepare: backtestThreshold },
    { name: 'new-monitor', path: '/monitors/new' },
    { name: 'incidents', path: '/incidents' },
    { name: 'status-pages', path: '/status-pages' },
    { name: 'status-page-editor', path: '/status-pages/demo', prepare: awaitPreview },
    { name: 'maintenance', path: '/maintenance' },
    { name: 'notifications', path: '/notifications' },
    { name: 'members', path: '/settings/members' },
    { name: 'audit', path: '/settings/audit' },
    { name: 'status-page', path: '/status/demo' },
    { name: 'status-page-dark', path: '/status/demo', isDark: true },
    { name: 'api', path: '/docs' },
  ];
}

/** Shows the backtest with an alert at the first failure. */
async function backtestThreshold(page: Page): Promise<void> {
  await page.getByLabel('Alert after').fill('1');
  const result = page.getByText(/you would have (had|known)/);
  await result.waitFor();
  await result.evaluate((element) => element.scrollIntoView({ block: 'center' }));
}

/** The last checks of the rows come after the rows. */
async function awaitRows(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Checkout API' }).waitFor();
  await page.waitForLoadState('networkidle', { timeout: 3000 }).catch(() => undefined);
}

async function awaitPreview(page: Page): Promise<void> {
  const frame = page.locator('iframe');
  await frame.waitFor();
  // The preview runs no scripts, so wait for the network instead.
  await page.waitForLoadState('networkidle', { timeout: 3000 }).catch(() => undefined);
}
