import { findFreePort } from '@/lib/core/ports';
import { startMailServer } from '@/lib/testing/mailbox';
import { expectAccessible, expectToFit } from './support/page-checks';
import { expect, test } from './support/shared-service';
import { startService } from './support/start-service';

test.use({ viewport: { width: 1440, height: 900 } });

const OWNER = { email: 'ada@example.com', password: 'correct horse battery' };

test('the owner sets up a mail server and adds an address without an account, which gets alerts once it is confirmed', async ({
  page,
  browser,
}) => {
  const mail = await startMailServer();
  const port = String(await findFreePort());
  const url = `http://127.0.0.1:${port}`;
  const service = await startService({ env: { PORT: port, APP_URL: url } });
  const linkIn = async (subject: RegExp) => {
    const { parsed } = await mail.waitFor((each) => subject.test(each.parsed.subject ?? ''));
    return /https?:\/\/\S+/.exec(parsed.text ?? '')?.[0] ?? '';
  };
  const expectWhole = async () => {
    await expectAccessible(page);
    await page.setViewportSize({ width: 390, height: 844 });
    await expectToFit(page);
    await page.setViewportSize({ width: 1440, height: 900 });
  };
  try {
    await page.goto(service.setupUrl);
    await page.getByLabel('Organization').fill('Acme');
    await page.getByLabel('Email').fill(OWNER.email);
    await page.getByLabel('Password').fill(OWNER.password);
    await page.getByRole('button', { name: 'Set up' }).click();
    await expect(page.getByText(/^ph_live_/)).toBeVisible();

    await test.step('from where email is missed to a mail server that sends', async () => {
      await page.goto(`${url}/notifications`);
      await page.getByRole('link', { name: 'Set up a mail server' }).click();
      await expect(page).toHaveURL(`${url}/settings/mail-server`);
      await expectWhole();
      const { hostname, port: smtpPort } = new URL(mail.url);
      const save = page.getByRole('button', { name: 'Send a test email and save' });
      await page.getByLabel('Encryption').selectOption('None (unencrypted)');
      await page.getByLabel('Host').fill(hostname);
      await page.getByLabel('Port').fill(smtpPort);
      await page.getByLabel('Sender').fill('Acme <alerts@example.com>');
      await page.getByLabel('Your own password').fill('not mine');
      await save.click();
      await expect(page.getByText('Your own password is incorrect.')).toBeVisible();
      await page.getByLabel('Your own password').fill(OWNER.password);
      mail.refuseWith(550);
      await save.click();
      await expect(page.getByText(/^Not saved: the test email was not sent/)).toBeVisible();
      await expect(page.getByLabel('Host')).toHaveValue(hostname);
      mail.refuseWith(null);
      await page.getByLabel('Your own password').fill(OWNER.password);
      await save.click();
      await expect(page.getByText(/^Email is sent through/)).toBeVisible();
      await expectWhole();
    });

    await test.step('every process uses it without a restart', async () => {
      await page.goto(`${url}/settings/profile`);
      await page.getByRole('button', { name: 'Send a test email' }).click();
      await expect(page.getByText(/^Sent to ada@example\.com\./)).toBeVisible();
    });

    await test.step('an address without an account confirms, and shows who is notified', async () => {
      await page.goto(`${url}/notifications`);
      await page.getByRole('link', { name: 'Add an email address' }).click();
      await page.getByLabel('Email address').fill('oncall@agency.example');
      await page.getByLabel('Description').fill('The agency');
      await expectWhole();
      await page.getByRole('button', { name: 'Create recipient' }).click();
      await expect(page.getByText('Not confirmed')).toBeVisible();
      await expectWhole();
      const stranger = await browser.newContext();
      const their = await stranger.newPage();
      await their.goto(await linkIn(/^Confirm alerts of Acme/));
      await expect(their.getByText('Acme will email this address')).toBeVisible();
      await their.getByRole('button', { name: 'Confirm' }).click();
      await expect(their.getByRole('heading', { name: 'Address confirmed' })).toBeVisible();
      await expectAccessible(their);
      await stranger.close();
      await page.goto(`${url}/notifications`);
      await expect(page.getByRole('listitem').filter({ hasText: 'oncall@agency.example' })).toContainText(
        'Active',
      );
      await expectWhole();
    });
  } finally {
    await service.stop();
    await mail.close();
  }
});
