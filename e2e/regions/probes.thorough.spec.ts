import { noteLive } from '@/lib/platform/live/note-live';
import { expectAccessible, expectToFit, watchFaults } from '../support/page-checks';
import { expect, test } from '../support/shared-service';
import { startWorker } from '../support/start-worker';

test('a region and a token created in the browser are all that a probe needs, and revoking the token ends it', async ({
  page,
  service,
  organization,
}) => {
  const faults = watchFaults(page, { origin: service.url });
  await organization.signIn(page.context());
  const main = page.getByRole('main');
  await page.goto(`${service.url}/settings/regions`);
  await expect(main.getByText('No own regions yet.')).toBeVisible();
  await expect(main.getByText(/IDs us-east, eu-west, and ap-southeast/)).toBeVisible();

  await test.step('a region has a name and a city from the list', async () => {
    await main.getByRole('button', { name: 'New region' }).click();
    const dialog = page.getByRole('dialog', { name: 'New region' });
    await dialog.getByLabel('Name').fill('Hamburg office');
    await dialog.getByLabel('City').fill('Atlantis');
    await dialog.getByRole('button', { name: 'Create region' }).click();
    await expect(dialog.getByText('Fix the highlighted fields.')).toBeVisible();
    await expectAccessible(page);
    await dialog.getByLabel('City').fill('hamburg, germany');
    await dialog.getByRole('button', { name: 'Create region' }).click();
    await expect(dialog).toBeHidden();
  });

  const region = main.getByRole('region', { name: /^Hamburg office/ });
  await expect(region.getByText('Not served yet')).toBeVisible();
  const token = await test.step('a token is shown once, with the commands that use it', async () => {
    await region.getByRole('button', { name: 'New token for Hamburg office' }).click();
    const dialog = page.getByRole('dialog', { name: /New token for/ });
    await dialog.getByLabel('Name').fill('Rack 2');
    await dialog.getByRole('button', { name: 'Create token' }).click();
    await expect(dialog.getByRole('heading', { name: 'New token “Rack 2”' })).toBeFocused();
    const shown = (await dialog.getByText(/^ph_probe_\w+$/).textContent()) ?? '';
    await expect(dialog.getByText(`pharos-probe --url ${service.url} --token ${shown}`)).toBeVisible();
    await expectAccessible(page);
    await page.setViewportSize({ width: 390, height: 844 });
    await expectToFit(page);
    await page.setViewportSize({ width: 1280, height: 800 });
    await dialog.getByRole('button', { name: 'Close' }).click();
    await expect(page.getByText(shown)).toHaveCount(0);
    return shown;
  });
  await expect(region.getByText('Rack 2')).toBeVisible();
  await expect(region.getByText(/never used/)).toBeVisible();

  const probe = await startWorker(
    { PHAROS_URL: service.url, PHAROS_PROBE_TOKEN: token, LOG_LEVEL: 'fatal' },
    'probe',
  );
  try {
    const row = region.getByRole('table').getByRole('row').nth(1);
    await test.step('its probe appears without a reload, and how it does', async () => {
      await expect(row).toContainText(/\d+\.\d+\.\d+/);
      await expect(row).toContainText('Active');
      await expect(row).toContainText('127.0.0.1');
      await expect(region.getByText('Active').first()).toBeVisible();
      const [{ id = '' } = {}] = await organization.ctx.db.region.findMany({
        where: { organizationId: organization.id },
      });
      const shop = { name: 'Shop', url: `${service.url}/api/live`, interval: 30, regions: [id] };
      await organization.api('POST', '/monitors', shop);
      await expect(row.getByRole('cell').nth(5)).toContainText(/0\.\d|[1-9]/);
      await expect(row.getByRole('cell').nth(6)).toContainText(/ms|s$/);
      await expect(region.getByText('1 monitor')).toBeVisible();
      await expectAccessible(page);
      await page.setViewportSize({ width: 390, height: 844 });
      await expectToFit(page);
      await page.setViewportSize({ width: 1280, height: 800 });
    });

    await test.step('rotating shows a new token, and the old one works until the overlap ends', async () => {
      await region.getByRole('button', { name: /^Rotate Rack 2/ }).click();
      await page.getByRole('button', { name: 'Rotate token' }).click();
      await expect(region.getByRole('heading', { name: 'New token “Rack 2”' })).toBeVisible();
      await expect(region.getByText(/replaced, expires in/)).toBeVisible();
    });

    await test.step('revoking ends it immediately', async () => {
      const old = region.getByRole('listitem').filter({ hasText: 'replaced' });
      await old.getByRole('button', { name: /^Revoke Rack 2/ }).click();
      await page.getByRole('button', { name: 'Revoke token' }).click();
      await expect(row).toBeHidden();
      await expect(region.getByText(/^No probe has reported/)).toBeVisible();
      // As after a minute, when probes of the organization are next heard of.
      const { db, organizationId } = organization.ctx;
      await db.$executeRaw`
        UPDATE worker SET seen_at = seen_at - interval '1 minute'
         WHERE regions && ARRAY(SELECT id FROM region WHERE organization_id = ${organizationId})`;
      await noteLive(db, [{ kind: 'probes', organizationIds: [organizationId] }]);
      await expect(region.getByText('Silent')).toBeVisible();
    });
  } finally {
    await probe.kill();
  }

  await test.step('those who only read see no actions', async () => {
    await organization.setRole('viewer');
    await page.reload();
    await expect(region.getByText('Rack 2').first()).toBeVisible();
    await expect(main.getByRole('button', { name: /New|Edit|Delete|Rotate|Revoke/ })).toHaveCount(0);
  });
  expect(faults).toEqual([]);
});
