import { startTarget, type Target } from '@/lib/testing/target';
import { passThrough } from './support/cuttable-connection';
import { watchFaults } from './support/page-checks';
import { expect, test } from './support/shared-service';
import { expectAccessibleIfThorough } from './support/thorough';

let target: Target;

test.beforeAll(async () => {
  target = await startTarget();
  target.respondWith(503);
});

test.afterAll(() => target?.close());

test('a list updates without a reload, and shows when it cannot', async ({
  page,
  context,
  service,
  organization,
}) => {
  const connection = await passThrough(service.url);
  await organization.signIn(context);
  await context.addCookies(
    (await context.cookies()).map((cookie) => ({
      ...cookie,
      url: connection.url,
      domain: undefined,
      path: undefined,
    })),
  );
  const faults = watchFaults(page, { origin: connection.url });
  // What changes before the stream is open is not reported, and appears with the next regular refresh.
  const stream = page.waitForResponse(`${connection.url}/live/events`);
  await page.goto(`${connection.url}/monitors`);
  await stream;
  const addMonitor = (name: string) =>
    organization.api('POST', '/monitors', { name, url: target.url, alertThreshold: 1 });
  const mark = page.getByRole('status').filter({ hasText: 'Connection lost' });

  await test.step('a monitor appears, and goes down', async () => {
    await addMonitor('Shop');
    await expect(page.getByRole('row', { name: /Shop/ })).toContainText('Down');
    await expect(mark).toHaveCount(0);
    expect(faults).toEqual([]);
  });

  await test.step('a cut connection is shown, and missed changes appear once it is back', async () => {
    connection.cut();
    await expect(mark).toBeVisible();
    await expectAccessibleIfThorough(page);
    await addMonitor('Forum');
    connection.mend();
    await expect(page.getByText('Forum')).toBeVisible();
    await expect(mark).toHaveCount(0);
  });
  await connection.close();
});

test('a session that ends before its page listens for changes is signed out right away', async ({
  page,
  context,
  service,
  organization,
}) => {
  await organization.signIn(context);
  let listen = () => {};
  const ended = new Promise<void>((resolve) => {
    listen = resolve;
  });
  await page.route('**/live/events', async (route) => {
    await ended;
    await route.continue();
  });
  await page.goto(`${service.url}/monitors`);
  await expect(page.getByRole('heading', { name: 'Monitors', exact: true })).toBeVisible();
  await service.access.services.db.session.deleteMany({ where: { userId: organization.owner.id } });
  listen();
  await expect(page).toHaveURL(/\/sign-in/);
});
