import type { Page } from '@playwright/test';
import type { RunningDemo } from '../dashboard/start-demo';

/** A page in the catalogue, and steps to prepare it. */
export type Picture = {
  name: string;
  path: string;
  /** Also in dark. */
  hasDark?: boolean;
  /** Of somebody who is not signed in. */
  isPublic?: boolean;
  prepare?(page: Page): Promise<void>;
};

/** A page of each kind, in the order of the navigation. */
export async function listPictures(demo: RunningDemo): Promise<Picture[]> {
  const checkout = await demo.monitorId('Checkout API');
  const { incident, maintenance, endpoint, delivery } = await demo.newestIds();
  return [
    { name: 'monitors', path: '/monitors', hasDark: true, prepare: awaitRows },
    {
      name: 'monitor',
      path: `/monitors/${checkout}?window=30d`,
      hasDark: true,
      prepare: (page) => page.getByRole('heading', { name: 'Checkout API' }).waitFor(),
    },
    { name: 'monitor-edit', path: `/monitors/${checkout}/edit`, prepare: backtestThreshold },
    { name: 'new-monitor', path: '/monitors/new' },
    { name: 'import', path: '/monitors/import' },
    { name: 'incidents', path: '/incidents' },
    { name: 'incident', path: `/incidents/${incident}`, hasDark: true },
    { name: 'new-incident', path: '/incidents/new' },
    { name: 'incident-templates', path: '/incidents/templates' },
    { name: 'status-pages', path: '/status-pages' },
    { name: 'status-page-editor', path: '/status-pages/demo', prepare: awaitPreview },
    { name: 'status-page-access', path: '/status-pages/demo/access' },
    { name: 'status-page-share', path: '/status-pages/demo/share' },
    { name: 'subscribers', path: '/status-pages/demo/subscribers' },
    { name: 'maintenance', path: '/maintenance' },
    { name: 'maintenance-window', path: `/maintenance/${maintenance}` },
    { name: 'reports', path: '/reports' },
    { name: 'notifications', path: '/notifications' },
    { name: 'endpoint', path: `/notifications/${endpoint}` },
    { name: 'new-endpoint', path: '/notifications/new' },
    { name: 'deliveries', path: '/notifications/deliveries' },
    ...(delivery === null ? [] : [{ name: 'delivery', path: `/notifications/deliveries/${delivery}` }]),
    { name: 'organization', path: '/settings/organization' },
    { name: 'members', path: '/settings/members' },
    { name: 'api-keys', path: '/settings/api-keys' },
    { name: 'regions', path: '/settings/regions' },
    { name: 'audit', path: '/settings/audit' },
    { name: 'profile', path: '/settings/profile' },
    { name: 'sign-in', path: '/sign-in', isPublic: true },
    { name: 'status-page', path: '/status/demo', isPublic: true, hasDark: true },
    { name: 'status-page-history', path: '/status/demo/history', isPublic: true },
    { name: 'status-page-incident', path: `/status/demo/incidents/${incident}`, isPublic: true },
    { name: 'api', path: '/docs', isPublic: true },
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
}

/** A narrow window has it behind a button. */
async function awaitPreview(page: Page): Promise<void> {
  const open = page.getByRole('button', { name: 'Preview' });
  if (await open.isVisible()) return;
  await page.locator('iframe').waitFor();
}
