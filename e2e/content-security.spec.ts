import type { Page } from '@playwright/test';
import { watchFaults } from './support/page-checks';
import { expect, test } from './support/shared-service';
import { thoroughStep } from './support/thorough';

/** Injects scripts into a page on its way to the browser: inline and as an event handler. */
async function injectScripts(page: Page, url: string): Promise<void> {
  await page.route(url, async (route) => {
    const response = await route.fetch();
    const injected =
      '<script>window.ranInline = true</script><img src="data:," onerror="window.ranEvent = true">';
    const body = (await response.text()).replace('</body>', `${injected}</body>`);
    await route.fulfill({ response, body });
  });
}

test('pages of the app run their own scripts, and no injected ones', async ({
  page,
  service,
  organization,
}) => {
  const faults = watchFaults(page, { origin: service.url });
  await organization.signIn(page.context());
  const { body: monitor } = await organization.api('POST', '/monitors', {
    name: '<img src=x onerror=alert(1)>',
    url: 'http://127.0.0.1:9/',
  });

  await test.step('every page has a policy; the specs of these pages fail if one violates it', async () => {
    for (const path of [
      '/monitors',
      `/monitors/${monitor.id}`,
      '/monitors/new',
      '/settings/members',
      '/docs',
    ]) {
      const response = await page.request.get(`${service.url}${path}`);
      expect(response.headers()['content-security-policy'], path).toContain("script-src 'self' 'nonce-");
    }
  });

  await test.step('injected scripts do not run, and are reported', async () => {
    for (const url of [`${service.url}/monitors`, `${service.url}/docs`]) {
      await injectScripts(page, url);
      await page.goto(url);
      const ran = await page.evaluate(() => ['ranInline' in window, 'ranEvent' in window]);
      expect(ran, url).toEqual([false, false]);
    }
    const violations = faults.filter((fault) => /Content Security Policy/.test(fault));
    expect(violations).toHaveLength(4);
    expect(faults).toEqual(violations);
  });
});

test('pages without a session follow the policy, too', async ({ page, service }) => {
  const faults = watchFaults(page, { origin: service.url });
  const icon = await page.request.get(`${service.url}/favicon.ico`);
  expect([icon.status(), icon.headers()['content-type']]).toEqual([200, 'image/svg+xml']);
  await thoroughStep('on all of them', async () => {
    for (const path of ['/forgot-password', '/reset-password?token=x']) await page.goto(service.url + path);
  });
  await page.goto(`${service.url}/sign-in`);
  await page.getByLabel('Email').fill('nobody@example.com');
  await page.getByLabel('Password').fill('not the password');
  await page.getByRole('button', { name: 'Sign in' }).click();
  // The error is returned by a server action, so the scripts of the page work.
  await expect(page.getByText('Incorrect email or password.')).toBeVisible();
  expect(page.url()).toBe(`${service.url}/sign-in`);
  expect(faults).toEqual([]);
});
