import { startTarget, type Target } from '@/lib/testing/target';
import { expectToFit, watchFaults } from './support/page-checks';
import { expect, test } from './support/shared-service';
import { expectAccessibleIfThorough, thoroughStep } from './support/thorough';

let target: Target;

test.use({ timezoneId: 'Europe/Berlin' });

test.beforeAll(async () => {
  target = await startTarget();
});

test.afterAll(() => target?.close());

test('a window is planned, shown on its monitor, ended, repeated, and deleted; viewers only read', async ({
  page,
  service,
  organization,
}) => {
  const { api } = organization;
  const faults = watchFaults(page, { origin: service.url });
  await organization.signIn(page.context());
  const shop = (await api('POST', '/monitors', { name: 'Shop', url: target.url, interval: 30 })).body.id;
  await api('POST', '/monitors', { name: 'Mail', url: target.url, enabled: false });

  await test.step('the form defaults to the reader’s time zone, explains errors, and keeps the input', async () => {
    await page.goto(`${service.url}/maintenance`);
    await expect(page.getByText('No maintenance planned')).toBeVisible();
    await expectAccessibleIfThorough(page);
    await page.getByRole('link', { name: 'Plan maintenance' }).click();
    await expect(page.getByLabel('Time zone')).toHaveValue('Europe/Berlin');
    await expect(page.getByLabel('Start')).toHaveValue(/^\d{4}-\d\d-\d\dT\d\d:00$/);
    await page.getByLabel('Message').fill('Short interruptions are possible.');
    await page.getByRole('button', { name: 'Plan maintenance' }).click();
    await expect(page.getByText('Enter a title.')).toBeVisible();
    await expect(page.getByText('Select at least one monitor.')).toBeVisible();
    await expect(page.getByLabel('Title')).toBeFocused();
    await expect(page.getByLabel('Message')).toHaveValue('Short interruptions are possible.');
    await expectAccessibleIfThorough(page);
  });

  await thoroughStep('recurrences are previewed, and impossible rules explained', async () => {
    await page.getByLabel('Start').fill('2098-03-29T01:30');
    await page.getByLabel('End').fill('2098-03-29T02:30');
    await page.getByLabel('Repeat').selectOption('daily');
    const preview = page.getByRole('status').filter({ hasText: /Next|Rule|Calculating/ });
    await expect(preview.getByRole('listitem')).toHaveText([
      'Sat, Mar 29, 2098, 01:30 – 02:30',
      'Sun, Mar 30, 2098, 01:30 – 03:30',
      'Mon, Mar 31, 2098, 01:30 – 02:30',
    ]);
    await page.getByLabel('Repeat').selectOption('custom');
    await page.getByRole('textbox', { name: 'Rule' }).fill('FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30');
    await expect(preview).toHaveText('Rule never recurs after the start.');
    await page.getByRole('textbox', { name: 'Rule' }).fill('FREQ=MONTHLY;BYDAY=-1SU');
    await expect(preview.getByRole('listitem').nth(1)).toHaveText('Sun, Mar 30, 2098, 01:30 – 03:30');
    await expectAccessibleIfThorough(page);
  });

  await test.step('a started window is active, and its monitor shows it', async () => {
    await page.getByLabel('Title').fill('Database upgrade');
    await page.getByLabel('Repeat').selectOption('once');
    await page.getByLabel('Time zone').selectOption('UTC');
    await page.getByLabel('Start').fill(fromNow(-10));
    await page.getByLabel('End').fill(fromNow(120));
    await page.getByRole('searchbox', { name: 'Search monitors' }).fill('sho');
    await expect(page.getByRole('checkbox', { name: 'Mail' })).toBeHidden();
    await page.getByRole('checkbox', { name: 'Shop' }).check();
    await page.getByRole('button', { name: 'Plan maintenance' }).click();
    const row = page.getByRole('listitem').filter({ hasText: 'Database upgrade' });
    await expect(row).toContainText('Active');
    await expect(row).toContainText('Shop');
    await expectAccessibleIfThorough(page);
    await page.setViewportSize({ width: 390, height: 844 });
    await expectToFit(page);
    await page.setViewportSize({ width: 1440, height: 900 });

    await page.goto(`${service.url}/monitors/${shop}`);
    const note = page.getByRole('region', { name: 'Maintenance' });
    await expect(note).toContainText('In maintenance until');
    await expectAccessibleIfThorough(page);
    await note.getByRole('link', { name: 'Database upgrade' }).click();
  });

  await test.step('ended manually, it is finished and its monitor leaves maintenance', async () => {
    await expect(page.getByRole('heading', { name: 'Database upgrade' })).toBeVisible();
    await page.getByRole('button', { name: 'End now' }).click();
    const row = page.getByRole('listitem').filter({ hasText: 'Database upgrade' });
    await expect(row).toContainText('Finished');
    await expect.poll(async () => (await api('GET', `/monitors/${shop}`)).body.maintenance).toBe(false);
    await row.getByRole('link').click();
  });

  await thoroughStep('changed to repeat, it is upcoming; then it is deleted', async () => {
    await page.getByLabel('Start').fill('2098-06-01T10:00');
    await page.getByLabel('End').fill('2098-06-01T11:00');
    await page.getByLabel('Repeat').selectOption('weekly');
    await page.getByRole('button', { name: 'Save changes' }).click();
    const row = page.getByRole('listitem').filter({ hasText: 'Database upgrade' });
    await expect(page.getByRole('heading', { name: 'Upcoming' })).toBeVisible();
    await expect(row).toContainText('Sun, Jun 1, 2098, 10:00 – 11:00 UTC');
    await expect(row).toContainText('Weekly');
    await row.getByRole('link').click();
    await expect(page.getByLabel('Repeat')).toHaveValue('weekly');
    await page.getByRole('button', { name: 'Delete' }).click();
    await expectAccessibleIfThorough(page);
    await page.getByRole('button', { name: 'Delete window' }).click();
    await expect(page.getByText('No maintenance planned')).toBeVisible();
  });

  await thoroughStep('viewers read, and get no actions', async () => {
    const times = { startsAt: '2098-06-01T10:00:00Z', endsAt: '2098-06-01T11:00:00Z' };
    await api('POST', '/maintenance', { title: 'Planned', monitors: [shop], ...times });
    await organization.setRole('viewer');
    await page.goto(`${service.url}/maintenance`);
    await expect(page.getByRole('link', { name: 'Plan maintenance' })).toHaveCount(0);
    await page.getByRole('link', { name: 'Planned' }).click();
    await expect(page.getByRole('definition').filter({ hasText: 'Shop' })).toBeVisible();
    await expect(page.getByRole('main').getByRole('button')).toHaveCount(0);
    await expectAccessibleIfThorough(page);
    await page.goto(`${service.url}/maintenance/new`);
    await expect(page.getByText('Your role is viewer')).toBeVisible();
  });

  expect(faults).toEqual([]);
});

/** The value of a `datetime-local` input, in UTC. */
function fromNow(minutes: number): string {
  return new Date(Date.now() + minutes * 60_000).toISOString().slice(0, 16);
}
