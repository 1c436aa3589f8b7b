import { findBadControls } from './support/measure-controls';
import { expectAccessibleInLight, expectToFit } from './support/page-checks';
import { addSamples } from './support/sample-objects';
import { expect, test } from './support/shared-service';

const PHONE = { width: 360, height: 740 };

test('one page of each kind is accessible in light, and its controls fit a phone and a finger', async ({
  page,
  service,
  organization,
}) => {
  const { monitor, slug } = await addSamples(organization, 'accessible');
  await organization.signIn(page.context());
  const kinds = {
    'a list': '/monitors',
    'one of it': `/monitors/${monitor}`,
    'a form': '/monitors/new',
    'a form in a row': '/settings/api-keys',
    'a log': '/settings/audit',
    'an editor': `/status-pages/${slug}`,
    'the public page': `/status/${slug}`,
    documentation: '/docs',
    'a form of visitors': '/sign-in',
  };
  for (const [kind, path] of Object.entries(kinds)) {
    await test.step(kind, async () => {
      if (path === '/sign-in') await page.context().clearCookies();
      await page.goto(`${service.url}${path}`);
      await expect(page).toHaveURL(`${service.url}${path}`);
      await expectAccessibleInLight(page);
      await page.setViewportSize(PHONE);
      await expectToFit(page);
      expect.soft(await findBadControls(page, { isTouch: true }), path).toEqual([]);
      await page.setViewportSize({ width: 1280, height: 900 });
    });
  }
});
