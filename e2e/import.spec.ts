import { createKumaDatabase, type KumaTables } from '@/lib/importing/testing/create-kuma-database';
import { kumaTables, SECRET } from '@/lib/importing/testing/kuma-monitors';
import { startTarget } from '@/lib/testing/target';
import { expectToFit, watchFaults } from './support/page-checks';
import { expect, test } from './support/shared-service';
import { expectAccessibleIfThorough, THOROUGH } from './support/thorough';

test.use({ permissions: ['clipboard-read', 'clipboard-write'] });

const PHONE = { width: 390, height: 844 };
const DESKTOP = { width: 1440, height: 900 };

test(
  'a kuma.db is reviewed and imported, and a second run changes nothing',
  THOROUGH,
  async ({ page, service, organization }) => {
    const faults = watchFaults(page, { origin: service.url });
    const sent: string[] = [];
    page.on('request', (request) => {
      if (request.method() === 'POST') sent.push(new URL(request.url()).pathname);
    });
    const file = {
      name: 'kuma.db',
      mimeType: 'application/octet-stream',
      buffer: Buffer.from(await createKumaDatabase(kumaTables())),
    };
    await organization.signIn(page.context());
    await page.goto(`${service.url}/monitors`);
    await page.getByRole('link', { name: 'Import monitors' }).click();
    const show = page.getByRole('button', { name: 'Show monitors' });

    await test.step('what is missing or wrong is said', async () => {
      await show.click();
      await expect(page.getByText('Choose a file.')).toBeVisible();
      await expectAccessibleIfThorough(page);
      const wrong = {
        name: 'photo.jpg',
        mimeType: 'image/jpeg',
        buffer: Buffer.from([0xff, 0xd8, 0xff, 0x00]),
      };
      await page.getByLabel('File').setInputFiles(wrong);
      await show.click();
      await expect(page.getByText(/^The file is not a text\./)).toBeVisible();
    });

    await test.step('the file is read in the browser: only its monitors are sent, to be compared', async () => {
      await page.getByLabel('File').setInputFiles(file);
      await show.click();
      await expect(page.getByText(/of 200 monitors can be imported/)).toBeVisible();
      await expect(page.getByRole('button', { name: /^Import \d+ monitors$/ })).toBeEnabled();
      expect(new Set(sent)).toEqual(new Set(['/monitors/import/create']));
      expect((await organization.api('GET', '/monitors')).body).toEqual([]);
      await expect(page.getByText('New', { exact: true }).first()).toBeVisible();
      await expect(page.getByText('Cannot be imported').first()).toBeVisible();
      await expect(page.locator('main')).not.toContainText(SECRET);
      await expectAccessibleIfThorough(page);
      await page.setViewportSize(PHONE);
      await expectToFit(page);
      await page.setViewportSize(DESKTOP);
    });

    const selected = await page.getByText(/^\d+ selected$/).textContent();
    const importable = Number(selected?.split(' ')[0]);
    const run = page.getByRole('button', { name: `Import ${importable} monitors` });
    const summary = page.getByRole('status').filter({ hasText: 'rejected' });

    await test.step('every monitor that can be imported is created', async () => {
      await run.click();
      await expect(summary).toContainText(`${importable} created, 0 updated, 0 unchanged, 0 rejected.`);
      expect((await organization.api('GET', '/monitors')).body).toHaveLength(importable);
    });

    await test.step('a second run repairs what is missing or different', async () => {
      const [first, second] = (await organization.api('GET', '/monitors')).body;
      await organization.api('DELETE', `/monitors/${first.id}`);
      await organization.api('PUT', `/monitors/${second.id}`, { name: 'Renamed' });
      await page.getByRole('button', { name: 'Choose another file' }).click();
      await page.getByLabel('File').setInputFiles(file);
      await show.click();
      await page.getByRole('button', { name: 'Changes 1', exact: true }).click();
      await expect(page.getByText(/^Name: Renamed → .* \(overwrites your change\)$/)).toBeVisible();
      await run.click();
      const unchanged = importable - 2;
      await expect(summary).toContainText(`1 created, 1 updated, ${unchanged} unchanged, 0 rejected.`);
    });
    expect(faults).toEqual([]);
  },
);

test('the file of a second installation, with the IDs of the first, asks for its name, and both have their monitors', async ({
  page,
  service,
  organization,
}) => {
  const faults = watchFaults(page, { origin: service.url });
  const fileOf = async (name: string, host: string) => {
    const monitor = Array.from({ length: 20 }, (_, index) => {
      return { name: `${name} ${index + 1}`, type: 'http', url: `https://${host}/${index}`, interval: 60 };
    });
    const buffer = Buffer.from(await createKumaDatabase({ monitor }));
    return { name: `${name}.db`, mimeType: 'application/octet-stream', buffer };
  };
  await organization.signIn(page.context());
  await page.goto(`${service.url}/monitors/import`);
  const show = async (file: Awaited<ReturnType<typeof fileOf>>) => {
    await page.getByLabel('File').setInputFiles(file);
    await page.getByRole('button', { name: 'Show monitors' }).click();
  };
  const run = page.getByRole('button', { name: 'Import 20 monitors' });
  const summary = page.getByRole('status').filter({ hasText: 'rejected' });
  await show(await fileOf('Shop', 'shop.example.com'));
  await run.click();
  await expect(summary).toContainText('20 created, 0 updated, 0 unchanged, 0 rejected.');
  await expect(page.getByRole('button', { name: 'Nothing to import' })).toBeDisabled();
  await expect(page.getByRole('table').getByText('New', { exact: true })).toHaveCount(0);

  await page.getByRole('button', { name: 'Choose another file' }).click();
  await show(await fileOf('Center', 'center.example.org'));
  const question = page.getByRole('form', { name: 'Source of the file' });
  await expect(question).toContainText(
    '20 monitors would get another name and, except heartbeats, another target: Shop 1 → Center 1,',
  );
  await expect(run).toBeDisabled();
  await expectAccessibleIfThorough(page);
  await page.setViewportSize(PHONE);
  await expectToFit(page);
  await page.setViewportSize(DESKTOP);
  await question.getByLabel('Name of the other one').fill('Branch Office');
  await question.getByRole('button', { name: 'Add as another source' }).click();
  await expect(question).toContainText('must have only a–z, 0–9 and single hyphens between them');
  await question.getByLabel('Name of the other one').fill('main');
  await question.getByRole('button', { name: 'Add as another source' }).click();
  await expect(question).toContainText('This is the name of the first source.');
  await question.getByLabel('Name of the other one').fill('branch');
  await question.getByRole('button', { name: 'Add as another source' }).click();
  await expect(page.getByText('source branch')).toBeVisible();
  await run.click();
  await expect(summary).toContainText('20 created, 0 updated, 0 unchanged, 0 rejected.');
  expect((await organization.api('GET', '/monitors')).body).toHaveLength(40);
  expect(faults).toEqual([]);
});

test(
  'an imported push monitor shows the URL that its job must call now',
  THOROUGH,
  async ({ page, service, organization }) => {
    const faults = watchFaults(page, { origin: service.url });
    const monitor: KumaTables[string] = [
      { name: 'Nightly backup', type: 'push', push_token: SECRET, interval: 3600 },
      { name: 'Shop', type: 'http', url: 'https://shop.example.com/', interval: 60, active: 0 },
    ];
    const buffer = Buffer.from(await createKumaDatabase({ monitor }));
    await organization.signIn(page.context());
    await page.goto(`${service.url}/monitors/import`);
    await page
      .getByLabel('File')
      .setInputFiles({ name: 'kuma.db', mimeType: 'application/octet-stream', buffer });
    await page.getByRole('button', { name: 'Show monitors' }).click();
    await page.getByRole('button', { name: 'Import 2 monitors' }).click();
    const rowOf = (name: string) => page.getByRole('row').filter({ hasText: name });
    const [backup, shop] = [rowOf('Nightly backup'), rowOf('Shop')];
    await expect(shop.getByText('Created')).toBeVisible();
    await expect(shop.getByText('The job must call')).toHaveCount(0);
    await expect(backup.getByText('The job must call')).toBeVisible();
    await backup.getByRole('button', { name: 'Copy URL' }).click();
    const url = await page.evaluate(() => navigator.clipboard.readText());
    await expect(backup.getByText(url, { exact: true })).toBeVisible();
    expect((await fetch(url, { method: 'HEAD' })).status).toBe(200);
    await expectAccessibleIfThorough(page);
    for (const size of [DESKTOP, PHONE]) {
      await page.setViewportSize(size);
      await expectToFit(page);
    }
    expect(faults).toEqual([]);
  },
);

test('a pasted list is tried, and what failed is left out', async ({ page, service, organization }) => {
  const faults = watchFaults(page, { origin: service.url });
  const target = await startTarget();
  try {
    await organization.signIn(page.context());
    await page.goto(`${service.url}/monitors/import`);
    await page.getByLabel('Source').selectOption({ label: 'CSV or list of URLs' });
    await page.getByLabel('Or paste a list').fill(`# ours\n${target.url}\nhttp://127.0.0.1:9/\nnot a target`);
    await page.getByRole('button', { name: 'Show monitors' }).click();
    await expect(page.getByText('2 of 3 monitors can be imported')).toBeVisible();
    await page.getByRole('button', { name: 'Test targets' }).click();
    const rows = page.getByRole('row');
    await expect(rows.filter({ hasText: target.url })).toContainText('OK');
    await expect(rows.filter({ hasText: '127.0.0.1:9/' })).toContainText('Failed');
    await page.getByRole('button', { name: 'Deselect 1 that failed' }).click();
    await expectAccessibleIfThorough(page);
    await page.getByRole('button', { name: /^Cannot be imported/ }).click();
    await expect(rows).toHaveCount(2);
    await page.getByRole('button', { name: /^All/ }).click();
    await page.getByRole('button', { name: 'Import 1 monitor' }).click();
    await expect(page.getByText('1 created, 0 updated, 0 unchanged, 0 rejected.')).toBeVisible();
    expect((await organization.api('GET', '/monitors')).body).toMatchObject([{ url: target.url }]);
    await page.getByRole('link', { name: 'View', exact: true }).click();
    await expect(page).toHaveURL(/\/monitors\/mon_/);
    expect(faults).toEqual([]);
  } finally {
    await target.close();
  }
});

test(
  'what the service rejects says why, and viewers import nothing',
  THOROUGH,
  async ({ page, service, organization }) => {
    await organization.signIn(page.context());
    await page.goto(`${service.url}/monitors/import`);
    await page.getByLabel('Source').selectOption('csv');
    await page.getByLabel('Or paste a list').fill('http://169.254.169.254/');
    await page.getByRole('button', { name: 'Show monitors' }).click();
    await page.getByRole('button', { name: 'Would be rejected 1', exact: true }).click();
    await expect(page.getByText(/: 0 of 1 monitor can be imported\./)).toBeVisible();
    await expect(page.getByRole('button', { name: 'Import 0 monitors' })).toBeDisabled();
    await page.getByLabel('Import 169.254.169.254').check();
    await page.getByRole('button', { name: 'Import 1 monitor' }).click();
    await expect(page.getByText('Rejected', { exact: true })).toBeVisible();
    await expect(page.getByText('This address is blocked as a target.').first()).toBeVisible();
    await organization.setRole('viewer');
    await page.goto(`${service.url}/monitors/import`);
    await expect(page.getByText('Your role is viewer')).toBeVisible();
    await page.goto(`${service.url}/monitors`);
    await expect(page.getByRole('link', { name: 'Import' })).toHaveCount(0);
  },
);
