import { createECDH, randomBytes } from 'node:crypto';
import type { BrowserContext, Page, Worker } from '@playwright/test';
import { acknowledgeUrl } from '@/lib/domain/incidents/acknowledge/acknowledge-link';
import { createIncident } from '@/lib/domain/incidents/create-incident';
import { createMonitor } from '@/lib/domain/monitors/create-monitor';
import { createIncidentSchema } from '@/lib/schemas/incidents/incident';
import { createMonitorSchema } from '@/lib/schemas/monitor';
import type { PushContent, PushTarget } from '@/lib/schemas/push';
import { expectToFit, watchFaults } from '../support/page-checks';
import { expect, test } from '../support/shared-service';

/*
 * The browser of the tests has no push service and shows no notifications. Subscribing and showing are replaced by what remembers it; messages are
 * delivered to the real service worker by DevTools.
 */
type Shown = { title: string; body: string; tag: string; renotify?: boolean; actions: { action: string }[] };
declare const self: { shown: Shown[]; registration: object; dispatchEvent(event: object): void };

/** A browser with a push service, whose person allows notifications. */
async function pretend(context: BrowserContext, target: PushTarget) {
  await context.addInitScript((target) => {
    Object.defineProperty(Notification, 'permission', { value: 'default' });
    Notification.requestPermission = async () => 'granted';
    const subscription = { toJSON: () => ({ ...target, expirationTime: null }) };
    const push = { getSubscription: async () => null, subscribe: async () => subscription };
    Object.assign(PushManager.prototype, push);
  }, target);
}

/** The service worker of the page; `deliver` has it handle a message, and `press` a button of the first notification. */
async function openWorker(page: Page, origin: string) {
  const context = page.context();
  const worker: Worker = context.serviceWorkers()[0] ?? (await context.waitForEvent('serviceworker'));
  await worker.evaluate(() => {
    self.shown = [];
    Object.assign(self.registration, {
      getNotifications: async () => self.shown,
      showNotification: async (title: string, options: Omit<Shown, 'title'>) => {
        const others = self.shown.filter(({ tag }) => tag !== options.tag);
        self.shown = [...others, { title, ...options }];
      },
    });
  });
  const devtools = await context.newCDPSession(page);
  const registered = new Promise<string>((resolve) => {
    devtools.on('ServiceWorker.workerRegistrationUpdated', ({ registrations: [first] }) => {
      if (first) resolve(first.registrationId);
    });
  });
  await devtools.send('ServiceWorker.enable');
  const registrationId = await registered;
  return {
    shown: () => worker.evaluate(() => self.shown),
    deliver: (content: PushContent & { id: string }) =>
      devtools.send('ServiceWorker.deliverPushMessage', {
        origin,
        registrationId,
        data: JSON.stringify(content),
      }),
    /** As if the push service had replaced the address of the browser. */
    renew: (endpoint: string) =>
      worker.evaluate((endpoint) => {
        const keys = { p256dh: `B${'A'.repeat(86)}`, auth: 'A'.repeat(22) };
        const event = new ExtendableEvent('pushsubscriptionchange');
        const value = { toJSON: () => ({ endpoint, keys, expirationTime: null }) };
        self.dispatchEvent(Object.defineProperties(event, { newSubscription: { value } }));
      }, endpoint),
    press: (action: string) =>
      worker.evaluate((action) => {
        const event = new ExtendableEvent('notificationclick');
        const [first] = self.shown;
        const notification = { ...first, close: () => undefined };
        Object.defineProperties(event, { notification: { value: notification }, action: { value: action } });
        self.dispatchEvent(event);
      }, action),
  };
}

declare const ExtendableEvent: new (type: string) => object;

test('a member turns notifications on in a browser, and acknowledges an incident from one', async ({
  page,
  service,
  organization,
}) => {
  const { ctx, owner } = organization;
  const { services } = service.access;
  const browser = createECDH('prime256v1');
  const keys = { p256dh: browser.generateKeys('base64url'), auth: randomBytes(16).toString('base64url') };
  await pretend(page.context(), { endpoint: 'https://127.0.0.1:9/push', keys });
  await organization.signIn(page.context());
  const faults = watchFaults(page, { origin: service.url });
  await page.goto(`${service.url}/settings/profile`);
  const section = page.getByRole('region', { name: 'Push notifications' });

  await test.step('the browser is listed', async () => {
    await section.getByRole('button', { name: 'Turn on in this browser' }).click();
    await expect(section.getByRole('listitem')).toContainText('This browser');
    await expect(section.getByRole('button', { name: 'Turn on in this browser' })).toHaveCount(0);
    const stored = await services.db.pushSubscription.findMany({ where: { userId: owner.id } });
    expect(stored).toHaveLength(1);
    await expectToFit(page);
  });

  await test.step('a test shows why it was not sent: not into the network of the service', async () => {
    await section.getByRole('button', { name: /^Send a test/ }).click();
    await expect(section.getByRole('alert')).toContainText(/^Not sent: .*not allowed/);
  });

  const input = { name: 'Shop', url: 'https://shop.example.com/', enabled: false };
  const monitor = await createMonitor(ctx, createMonitorSchema.parse(input));
  const opened = {
    title: 'Shop is down',
    affectedMonitors: [monitor.id],
    severity: 'critical',
    description: 'Down',
  };
  const incident = await createIncident(ctx, createIncidentSchema.parse(opened));
  const link = { incidentIds: [incident.id], userId: owner.id, now: new Date() };
  const acknowledge = new URL(acknowledgeUrl(services.keyring, service.url, link)).search;
  const content = {
    title: 'Shop is down',
    body: 'responded with 503',
    path: `/monitors/${monitor.id}`,
    tag: 'a',
  };
  const worker = await openWorker(page, service.url);

  await test.step('a message is shown with its buttons; sent twice, it is shown once', async () => {
    await worker.deliver({ id: 'pms_1', ...content, acknowledge });
    await expect
      .poll(worker.shown)
      .toMatchObject([{ title: content.title, body: content.body, renotify: true }]);
    await worker.deliver({ id: 'pms_1', ...content, acknowledge });
    await expect.poll(worker.shown).toMatchObject([{ title: content.title, renotify: false }]);
    const [shown] = await worker.shown();
    expect(shown?.actions.map(({ action }) => action)).toEqual(['acknowledge', 'open']);
  });

  await test.step('Acknowledge does so without a page, once, and says so', async () => {
    const before = page.context().pages().length;
    await worker.press('acknowledge');
    await expect.poll(worker.shown).toMatchObject([{ title: 'Acknowledged', body: content.title }]);
    const stored = await services.db.incident.findUniqueOrThrow({ where: { id: incident.id } });
    expect(stored.acknowledgedBy).toBe(owner.email);
    expect(page.context().pages()).toHaveLength(before);
    await worker.deliver({ id: 'pms_2', ...content, acknowledge });
    await expect.poll(worker.shown).toMatchObject([{ title: content.title }]);
    await worker.press('acknowledge');
    await expect.poll(worker.shown).toMatchObject([{ title: 'Not acknowledged', body: /already used/ }]);
  });

  await test.step('another address from the push service is stored', async () => {
    const { endpointHash } = await services.db.pushSubscription.findFirstOrThrow({
      where: { userId: owner.id },
    });
    await worker.renew('https://push.invalid/2');
    await expect
      .poll(() => services.db.pushSubscription.count({ where: { userId: owner.id, endpointHash } }))
      .toBe(0);
    expect(await services.db.pushSubscription.count({ where: { userId: owner.id } })).toBe(1);
  });

  await test.step('the browser is removed', async () => {
    await section.getByRole('button', { name: /^Stop notifications/ }).click();
    await expect(section.getByRole('button', { name: 'Turn on in this browser' })).toBeVisible();
    expect(await services.db.pushSubscription.count({ where: { userId: owner.id } })).toBe(0);
  });
  expect(faults).toEqual([]);
});

test('a browser that blocks notifications, or cannot show any, is said so', async ({
  page,
  service,
  organization,
}) => {
  await organization.signIn(page.context());
  const section = page.getByRole('region', { name: 'Push notifications' });
  await page.goto(`${service.url}/settings/profile`);
  await expect(section).toContainText('This browser blocks notifications');
  await page.addInitScript(() => {
    Object.defineProperty(window, 'isSecureContext', { value: false });
  });
  await page.reload();
  await expect(section).toContainText('only over https');
  await expect(section.getByRole('button')).toHaveCount(0);
});
