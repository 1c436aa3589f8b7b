import { expectToFit, watchFaults } from './support/page-checks';
import { expect, test } from './support/shared-service';
import { expectAccessibleIfThorough, THOROUGH } from './support/thorough';

test('an incident is opened, updated, resolved, and explained, also on the status page; viewers only read', async ({
  page,
  service,
  organization,
}) => {
  const { api, ctx } = organization;
  const faults = watchFaults(page, { origin: service.url });
  await organization.signIn(page.context());
  const target = { url: 'http://127.0.0.1:9/', enabled: false };
  const shop = (await api('POST', '/monitors', { name: 'Shop', ...target })).body.id;
  await api('POST', '/monitors', { name: 'Back office', ...target });
  const slug = `shop-${organization.id.slice(-12)}`;
  await api('POST', '/status-pages', { name: 'Acme status', slug, monitors: [shop], published: true });
  const main = page.getByRole('main');

  await test.step('the form explains errors and previews the public text', async () => {
    await page.goto(`${service.url}/incidents`);
    await expect(page.getByText('No incidents')).toBeVisible();
    await expectAccessibleIfThorough(page);
    await page.getByRole('link', { name: 'Open an incident' }).click();
    await page.getByLabel('First message').fill('Payments fail.');
    await page.getByRole('button', { name: 'Open incident' }).click();
    await expect(page.getByText('Enter a title.')).toBeVisible();
    await expect(page.getByLabel('Title')).toBeFocused();
    await expect(page.getByLabel('First message')).toHaveValue('Payments fail.');
    await page.getByRole('checkbox', { name: 'Back office' }).check();
    await expect(page.getByText('No status page shows what is affected.')).toBeVisible();
    await page.getByRole('checkbox', { name: 'Shop' }).check();
    await page.getByLabel('Title').fill('Checkout fails');
    await page.getByLabel('Severity').selectOption('critical');
    await expect(page.getByRole('link', { name: 'Acme status' })).toBeVisible();
    const preview = page.getByRole('region', { name: 'Public preview' });
    await expect(preview).toContainText('Critical · Investigating · Affects Shop');
    await expectAccessibleIfThorough(page);
    await page.getByRole('button', { name: 'Open incident' }).click();
  });

  await test.step('updates are posted on its page', async () => {
    await expect(page.getByRole('heading', { name: 'Checkout fails' })).toBeVisible();
    const timeline = page.getByRole('region', { name: 'Timeline' });
    await expect(timeline.getByRole('listitem').first()).toContainText('Payments fail.');
    await expect(timeline).toContainText('Shop was created');
    await expect(timeline).toContainText(`by ${organization.owner.email}`);
    await page.getByRole('button', { name: 'Post update' }).click();
    await expect(page.getByText('Enter a message.')).toBeVisible();
    await page.getByLabel('Message').fill('A certificate has run out.');
    await page.getByLabel('Status').selectOption('identified');
    await page.getByRole('button', { name: 'Post update' }).click();
    await expect(timeline.getByRole('listitem').first()).toContainText('A certificate has run out.');
    await expect(page.getByLabel('Message')).toHaveValue('');
    await expectAccessibleIfThorough(page);
    await page.setViewportSize({ width: 390, height: 844 });
    await expectToFit(page);
    await page.setViewportSize({ width: 1440, height: 900 });
  });

  await test.step('it is edited, left open while its monitor is down, and resolved', async () => {
    await api('POST', '/webhooks', { url: 'http://127.0.0.1:9/', description: 'Ops chat' });
    await ctx.db.statusPeriod.updateMany({ where: { monitorId: shop, to: null }, data: { state: 'down' } });
    await page.getByRole('link', { name: 'Edit' }).click();
    await page.getByLabel('Title').fill('Checkout failed');
    await page.getByRole('checkbox', { name: 'Back office' }).uncheck();
    await page.getByRole('button', { name: 'Save changes' }).click();
    await expect(page.getByRole('heading', { name: 'Checkout failed' })).toBeVisible();
    await expect(page.getByRole('region', { name: 'Affected monitors' })).not.toContainText('Back office');
    const resolve = page.getByRole('button', { name: 'Resolve', exact: true });
    await resolve.click();
    const dialog = page.getByRole('alertdialog', { name: 'Resolve “Checkout failed”?' });
    await expect(dialog).toContainText('Shop is still down.');
    await expect(dialog).toContainText('This notifies 1 channel (Ops chat).');
    await expect(dialog.getByRole('button', { name: 'Leave open' })).toBeFocused();
    await expectAccessibleIfThorough(page);
    await page.keyboard.press('Enter');
    await expect(dialog).toHaveCount(0);
    await expect(resolve).toBeFocused();
    await resolve.click();
    await dialog.getByRole('button', { name: 'Resolve anyway' }).click();
    await expect(main.getByText(/resolved after \d+s/)).toBeVisible();
    await expect(page.getByRole('button', { name: 'Reopen' })).toBeFocused();
    const sent = { organizationId: organization.id, kind: 'incident.resolved' };
    expect(await ctx.db.outboxEvent.count({ where: sent })).toBe(1);
  });

  await test.step('its postmortem has a live preview and becomes public once published', async () => {
    await page.getByRole('link', { name: 'Write postmortem' }).click();
    await expect(page.getByLabel('Text')).toHaveValue(/\*\*Affected:\*\* Shop/);
    await expect(page.getByLabel('Text')).toHaveValue(/\*\* Identified: A certificate has run out\./);
    await page.getByLabel('Text').fill('## Root cause\n\nNobody was **notified**.\n\n<b>Not bold</b>');
    const preview = page.getByRole('region', { name: 'Preview' });
    await expect(preview.getByRole('heading', { name: 'Root cause' })).toBeVisible();
    await expect(preview).toContainText('<b>Not bold</b>');
    await expectAccessibleIfThorough(page);
    await page.getByLabel('Publish on status pages').check();
    await page.getByRole('button', { name: 'Save postmortem' }).click();
    await expect(page.getByText('Published on status pages')).toBeVisible();
    const shown = page.getByRole('region', { name: 'Shown on' }).getByRole('link', { name: 'Acme status' });
    await page.goto(new URL((await shown.getAttribute('href')) ?? '', service.url).href);
    await expect(page.getByRole('heading', { name: 'Checkout failed' })).toBeVisible();
    await expect(page.getByText('Marked as resolved, but still affected: Shop')).toBeVisible();
    await expect(page.getByRole('heading', { name: 'Postmortem' })).toBeVisible();
    await expect(page.getByRole('heading', { name: 'Root cause' })).toBeVisible();
    await expect(page.getByText('<b>Not bold</b>')).toBeVisible();
    await expectAccessibleIfThorough(page);
  });

  await test.step('the list is filtered through the URL; viewers get no actions', async () => {
    await api('POST', '/incidents', { title: 'Slow search', severity: 'minor', affectedMonitors: [shop] });
    await organization.setRole('viewer');
    await page.goto(`${service.url}/incidents`);
    await expect(page.getByRole('heading', { level: 2 }).first()).toHaveText('Open');
    await expectAccessibleIfThorough(page);
    await page.setViewportSize({ width: 390, height: 844 });
    await expectToFit(page);
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.getByLabel('Status').focus();
    await page.getByLabel('Status').selectOption('resolved');
    await expect(page).toHaveURL(`${service.url}/incidents?status=resolved`);
    await expect(page.getByRole('link', { name: 'Slow search' })).toHaveCount(0);
    await expect(page.getByLabel('Status')).toBeFocused();
    await expect(page.getByRole('link', { name: 'Open an incident' })).toHaveCount(0);
    await page.getByRole('link', { name: 'Checkout failed' }).click();
    await expect(page.getByRole('region', { name: 'Timeline' })).toBeVisible();
    await expect(main.getByRole('button')).toHaveCount(0);
    await expectAccessibleIfThorough(page);
    for (const path of ['/incidents/new', `${new URL(page.url()).pathname}/edit`]) {
      await page.goto(`${service.url}${path}`);
      await expect(page.getByText('Your role is viewer')).toBeVisible();
    }
  });

  expect(faults).toEqual([]);
});

test(
  'an incident opened by a monitor shows why, and is deleted after confirmation',
  THOROUGH,
  async ({ page, service, organization }) => {
    const { api, ctx } = organization;
    await organization.signIn(page.context());
    const monitor = (
      await api('POST', '/monitors', {
        name: 'Shop',
        url: 'http://127.0.0.1:9/',
        interval: 30,
        alertThreshold: 1,
      })
    ).body.id;
    await expect.poll(() => ctx.db.incident.count({ where: { monitorId: monitor } })).toBe(1);
    await page.goto(`${service.url}/monitors/${monitor}`);
    await page.getByRole('region', { name: 'Open incident' }).getByRole('link').click();
    await expect(page.getByRole('heading', { name: 'Shop is down' })).toBeVisible();
    await expect(page.getByRole('region', { name: 'Timeline' })).toContainText(
      /Why \(not public\): .*connection refused/,
    );
    const timeline = page.getByRole('region', { name: 'Timeline' });
    await timeline.getByText('Shop: went down', { exact: true }).click();
    await expect(timeline.getByText(/^This machine: failing, one failed check/)).toBeVisible();
    await timeline.getByText('Copy as Markdown').click();
    await expect(timeline.getByText(/- \*\*[0-9:]+\*\* Investigating: Shop is down\./)).toBeVisible();
    await timeline.getByText('Shop: first failed check from this machine', { exact: true }).click();
    await timeline.getByRole('link', { name: 'View evidence' }).click();
    await expect(page.getByRole('region', { name: 'Evidence' })).toBeVisible();
    await page.goBack();
    await page.getByRole('button', { name: 'Delete' }).click();
    await expectAccessibleIfThorough(page);
    await page.getByRole('button', { name: 'Delete incident' }).click();
    await expect(page).toHaveURL(`${service.url}/incidents`);
    await expect(page.getByText('No incidents')).toBeVisible();
  },
);

test('without scripts, the filters have a button', THOROUGH, async ({ browser, service, organization }) => {
  await organization.api('POST', '/incidents', { title: 'Slow search', severity: 'minor' });
  const context = await browser.newContext({ javaScriptEnabled: false });
  await organization.signIn(context);
  const page = await context.newPage();
  await page.goto(`${service.url}/incidents`);
  await page.getByLabel('Severity').selectOption('critical');
  await page.getByRole('button', { name: 'Apply' }).click();
  await expect(page.getByText('No matching incidents.')).toBeVisible();
  await expect(page.getByLabel('Severity')).toHaveValue('critical');
  await page.getByRole('link', { name: 'Clear filters' }).click();
  await expect(page.getByRole('link', { name: 'Slow search' })).toBeVisible();
  await context.close();
});
