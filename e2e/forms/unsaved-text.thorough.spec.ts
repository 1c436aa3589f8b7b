import type { Locator, Page } from '@playwright/test';
import { listDashboardPaths } from '@/app/api/testing/dashboard-paths';
import type { OwnOrganization } from '../support/own-organization';
import { expect, test } from '../support/shared-service';

/** Routes of exports and of responses to scripts, which have no forms. */
const NO_PAGE =
  /^\/(live|preview)\/|\/(export|runs|test|backtest|check|try|create)$|\/check\/result$|^\/settings$/;

/** An address of each page with a parameter. */
async function listPages({ api, id: organizationId }: OwnOrganization) {
  const monitors = [
    (await api('POST', '/monitors', { name: 'Shop', url: 'tcp.invalid:1', type: 'tcp' })).body.id,
  ];
  const incident = (await api('POST', '/incidents', { title: 'Checkout fails', affectedMonitors: monitors }))
    .body.id;
  const webhook = (await api('POST', '/webhooks', { url: 'http://127.0.0.1:9/' })).body.id;
  const slug = `unsaved-${organizationId.slice(-12).toLowerCase()}`;
  await api('POST', '/status-pages', { name: 'Shop', slug, monitors });
  const startsAt = new Date(Date.now() + 3_600_000).toISOString();
  const endsAt = new Date(Date.now() + 7_200_000).toISOString();
  const window = (await api('POST', '/maintenance', { title: 'Upgrade', monitors, startsAt, endsAt })).body
    .id;
  const template = (await api('POST', '/incident-templates', { name: 'Outage' })).body.id;
  const ids: Record<string, string> = {
    incidents: incident,
    maintenance: window,
    monitors: monitors[0],
    notifications: webhook,
    'status-pages': slug,
  };
  return listDashboardPaths()
    .filter((path) => !NO_PAGE.test(path) && !path.startsWith('/notifications/deliveries/'))
    .map((route) => {
      const path = route
        .replace('/new/[channel]', '/new/slack')
        .replace('templates/[id]', `templates/${template}`)
        .replace(/^\/([a-z-]+)\/\[\w+\]/, (_, place: string) => `/${place}/${ids[place]}`);
      return { route, path };
    });
}

/** The fields for text of a form, apart from passwords. */
const TEXTS = 'textarea, input:is([type=text], [type=url], [type=email], :not([type]))';

/** The fields of the first form that is long, with a text area or several texts, and does not filter what is shown; none on other pages. */
async function findTexts(page: Page): Promise<Locator> {
  const forms = await page.locator('main form:not([action^="/"])').all();
  for (const form of forms) {
    const texts = form.locator(TEXTS).filter({ visible: true });
    if ((await texts.count()) > 1 || (await form.locator('textarea').count()) > 0) return texts;
  }
  return page.locator('main [data-none]');
}

test('every long form asks before unsaved text is lost', async ({ page, service, organization }) => {
  await organization.signIn(page.context());
  const dialog = page.getByRole('alertdialog', { name: 'Leave without saving?' });
  const guarded: string[] = [];
  for (const { route, path } of await listPages(organization)) {
    await test.step(route, async () => {
      await page.goto(`${service.url}${path}`);
      const texts = await findTexts(page);
      if ((await texts.count()) === 0) return;
      await expect(
        page.getByRole('button', { name: 'Search' }).getByText('K', { exact: true }),
      ).toBeVisible();
      const text = texts.last();
      await text.fill('typed');
      await page.getByRole('link', { name: 'Status pages' }).first().click();
      await expect(dialog).toBeVisible();
      await dialog.getByRole('button', { name: 'Cancel' }).click();
      await expect(text).toHaveValue('typed');
      await page.keyboard.press('Escape');
      await page.getByRole('link', { name: 'Monitors' }).first().click();
      await dialog.getByRole('button', { name: 'Leave' }).click();
      await expect(page).not.toHaveURL(`${service.url}${path}`);
      guarded.push(route);
    });
  }
  expect(guarded).toEqual([
    '/incidents/[id]',
    '/incidents/[id]/postmortem',
    '/incidents/new',
    '/incidents/templates/[id]',
    '/incidents/templates/new',
    '/maintenance/[id]',
    '/maintenance/new',
    '/monitors/[id]/corrections',
    '/monitors/[id]/edit',
    '/monitors/new',
    '/notifications/[id]/edit',
    '/notifications/new/[channel]',
    '/status-pages/[slug]',
    '/status-pages/[slug]/subscribers/import',
    '/status-pages/new',
  ]);
});
