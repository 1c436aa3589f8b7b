import { MESSAGES } from '@/components/status-page/messages';
import { findFreePort } from '@/lib/core/ports';
import { LANGUAGES } from '@/lib/schemas/language';
import { findBadControls } from '../support/measure-controls';
import { createOrganizationIn } from '../support/own-organization';
import { expectAccessible, expectToFit } from '../support/page-checks';
import { openServices } from '../support/service-access';
import { expect, test } from '../support/shared-service';
import { startService } from '../support/start-service';

const NARROW = { width: 360, height: 740 };

test('visitors subscribe from the top of a page, without scripts, by keyboard, on a narrow phone, in every language', async ({
  browser,
}) => {
  const port = String(await findFreePort());
  const url = `http://127.0.0.1:${port}`;
  // Nothing is sent: that there is a mail server is enough.
  const service = await startService({ env: { PORT: port, APP_URL: url, SMTP_URL: 'smtp://127.0.0.1:9' } });
  const access = await openServices(service.dataDir);
  try {
    const { api } = await createOrganizationIn({ ...service, access }, { plan: 'enterprise' });
    const links = [{ label: 'Our website', url: 'https://acme.test/', place: 'header' }];
    const name = 'Acme Payments and Banking';
    await api('POST', '/status-pages', { name, slug: 'acme', monitors: [], published: true, links });
    const context = await browser.newContext({ javaScriptEnabled: false, viewport: NARROW, hasTouch: true });
    const page = await context.newPage();
    for (const language of LANGUAGES) {
      await page.goto(`${url}/status/acme?lang=${language}`);
      const link = page.getByRole('banner').getByRole('link', {
        name: MESSAGES[language].subscription.link,
      });
      await expect(link).toBeInViewport();
      await expectToFit(page);
      expect(await findBadControls(page, { isTouch: true }), language).toEqual([]);
      await link.focus();
      await page.keyboard.press('Enter');
      await expect(page.locator('#email')).toBeVisible();
      await expect(page.getByRole('banner').getByRole('link', { name })).toBeVisible();
    }
    const wide = await browser.newPage({ viewport: { width: 1440, height: 900 } });
    await wide.goto(`${url}/status/acme`);
    await expectAccessible(wide);
  } finally {
    await access.close();
    await service.stop();
  }
});
