import type { Page } from '@playwright/test';
import { addSamples } from './support/sample-objects';
import { expect, test } from './support/shared-service';

/** An overlay: what opens it, by which key, and what is done before. */
type Overlay = {
  name: string;
  path: string;
  opener: { role: 'button' | 'link' | 'searchbox'; name: RegExp };
  key?: string;
  prepare?: (page: Page) => Promise<void>;
};

const OVERLAY = ':is([role=dialog], [role=alertdialog], [role=menu])';

const WIDE = { width: 1440, height: 900 };
const PHONE = { width: 390, height: 844 };

test('every overlay returns the focus to what opened it', async ({
  page,
  context,
  service,
  organization,
}) => {
  const { api } = organization;
  const { slug } = await addSamples(organization, 'overlays');
  const { id: template } = (await api('POST', '/incident-templates', { name: 'Outage' })).body;
  await organization.signIn(context);

  const expectReturned = async ({ name, path, opener, key = 'Enter', prepare }: Overlay) =>
    test.step(name, async () => {
      await page.goto(`${service.url}${path}`, { waitUntil: 'networkidle' });
      await prepare?.(page);
      const control = page.getByRole(opener.role, { name: opener.name });
      await control.focus();
      await page.keyboard.press(key);
      await expect(page.locator(`${OVERLAY}:focus, ${OVERLAY} :focus`)).toHaveCount(1);
      await page.keyboard.press('Escape');
      await expect(control).toBeFocused();
    });

  await page.setViewportSize(WIDE);
  const ofWindow: Overlay[] = [
    { name: 'palette, by its button', path: '/monitors', opener: { role: 'button', name: /^Search/ } },
    {
      name: 'palette, by its key',
      path: '/monitors',
      opener: { role: 'searchbox', name: /Search monitors/ },
      key: 'Control+k',
    },
    { name: 'shortcuts', path: '/monitors', opener: { role: 'link', name: /^Shop/ }, key: '?' },
    { name: 'menu', path: '/monitors', opener: { role: 'button', name: /^Account menu/ } },
    {
      name: 'panel of the selection',
      path: '/monitors',
      opener: { role: 'button', name: /^Tags/ },
      prepare: (page) => page.getByRole('checkbox', { name: 'Select Shop' }).check(),
    },
    {
      name: 'confirmation',
      path: `/incidents/templates/${template}`,
      opener: { role: 'button', name: /^Delete/ },
    },
    {
      name: 'confirmation with a field',
      path: `/status-pages/${slug}`,
      opener: { role: 'button', name: /^Delete/ },
    },
    { name: 'form', path: '/settings/regions', opener: { role: 'button', name: /^New region/ } },
    {
      name: 'question before leaving',
      path: `/status-pages/${slug}`,
      opener: { role: 'link', name: /^Domain/ },
      prepare: (page) => page.getByLabel('Name', { exact: true }).fill('Acme Corp'),
    },
  ];
  for (const overlay of ofWindow) await expectReturned(overlay);

  await test.step('shortcuts, from a menu and from the palette', async () => {
    await page.goto(`${service.url}/monitors`, { waitUntil: 'networkidle' });
    // As on a busy machine: a menu returns the focus after the list has opened.
    await page.evaluate(() => {
      const { setTimeout: wait } = window;
      window.setTimeout = ((run: () => void, ms = 0) => wait(run, Math.max(ms, 300))) as typeof setTimeout;
    });
    const list = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
    const account = page.getByRole('button', { name: /^Account menu/ });
    const search = page.getByRole('button', { name: /^Search/ });
    for (const [opener, kind] of [
      [account, 'menuitem'],
      [search, 'option'],
    ] as const) {
      // The code of the list is there at the second time.
      for (const _ of ['loading', 'loaded']) {
        await opener.focus();
        await page.keyboard.press('Enter');
        await page.getByRole(kind, { name: 'Keyboard shortcuts' }).click();
        await expect(list).toBeVisible();
        await page.keyboard.press('Escape');
        await expect(list).toHaveCount(0);
        await expect(opener).toBeFocused();
      }
    }
  });

  await page.setViewportSize(PHONE);
  for (const [path, opener] of [
    ['/monitors', /^More$/],
    ['/monitors', /^Filters/],
    ['/settings/audit', /^Filters/],
    [`/status-pages/${slug}`, /^Preview/],
  ] as const) {
    await test.step(`sheet ${opener} of ${path}`, async () => {
      await page.goto(`${service.url}${path}`, { waitUntil: 'networkidle' });
      const control = page.getByRole('button', { name: opener });
      await control.focus();
      await page.keyboard.press('Enter');
      await page.keyboard.press('Tab');
      await expect(page.locator('[popover]:popover-open :focus')).toBeVisible();
      await page.keyboard.press('Escape');
      await expect(control).toBeFocused();
    });
  }
});
