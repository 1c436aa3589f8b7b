import { readdirSync } from 'node:fs';
import { expect, type Page, test } from '@playwright/test';
import { findFreePort } from '@/lib/core/ports';
import { emitIncident } from './deliveries';
import { createOrganizationIn, type OwnOrganization } from './own-organization';
import { openServices } from './service-access';
import { startService } from './start-service';
import { writeHistory } from './write-history';

/** The routes of all pages, such as `/monitors/[id]`. */
const ROUTES = readdirSync(new URL('../../app', import.meta.url), { recursive: true, encoding: 'utf8' })
  .filter((file) => /(^|\/)page\.tsx$/.test(file))
  .map((file) => `/${file.replace(/\([^)]*\)\//g, '').replace(/\/?page\.tsx$/, '')}`)
  .sort();

/** Routes that lead to another page. */
const REDIRECTS = ['/', '/settings'];

/** Opens every page of a service that has one of everything, each with a check of its own; a route without an example fails. */
export async function visitEveryPage(page: Page, check: (url: string) => Promise<void>): Promise<void> {
  // More pages than any other test has.
  test.slow();
  const port = String(await findFreePort());
  const url = `http://127.0.0.1:${port}`;
  // Nothing listens for mail: sign-up only has to offer its form.
  const open = { SIGN_UP: 'open', APP_URL: url, SMTP_URL: 'smtp://127.0.0.1:9' };
  const service = await startService({ env: { PORT: port, TARGET_POLICY: 'private', ...open } });
  const access = await openServices(service.dataDir);
  try {
    const visit = async (path: string) => {
      await test.step(path, () => check(new URL(path, url).href));
    };
    await visit(service.setupUrl);
    const organization = await createOrganizationIn({ url, access }, { plan: 'enterprise' });
    const ids = await fill(organization);
    const visitors: Record<string, string[]> = {
      '/setup': [],
      '/sign-in': ['/sign-in'],
      '/sign-up': ['/sign-up'],
      '/sign-up/confirm': ['/sign-up/confirm?token=unknown'],
      '/forgot-password': ['/forgot-password'],
      '/reset-password': ['/reset-password?token=unknown'],
      '/invitation/[token]': [ids.invitation, '/invitation/unknown'],
      '/acknowledge/[token]': ['/acknowledge/unknown'],
      '/docs': ['/docs'],
      '/docs/[topic]': ['/docs/monitors', '/docs/events', '/docs/objects'],
      '/docs/guide/[[...page]]': ['/docs/guide', '/docs/guide/operate/settings'],
    };
    const statusPages = ['', '/history', `/incidents/${ids.incident}`, '/subscribe', '/unknown'];
    const members: Record<string, string[]> = {
      '/incidents/[id]': [`/incidents/${ids.incident}`],
      '/incidents/[id]/edit': [`/incidents/${ids.incident}/edit`],
      '/incidents/[id]/postmortem': [`/incidents/${ids.incident}/postmortem`],
      '/incidents/[id]/updates/[updateId]': [
        `/incidents/${ids.incident}/updates/${ids.update}`,
        `/incidents/${ids.incident}/updates/${ids.published}`,
      ],
      '/incidents/templates/[id]': [`/incidents/templates/${ids.template}`],
      '/maintenance/[id]': [`/maintenance/${ids.maintenance}`],
      '/monitors/[id]': [`/monitors/${ids.monitor}`, '/monitors/mon_00000000000000000000000000'],
      '/monitors/[id]/corrections': [`/monitors/${ids.monitor}/corrections`],
      '/monitors/[id]/edit': [`/monitors/${ids.monitor}/edit`],
      '/notifications/[id]': [`/notifications/${ids.webhook}`],
      '/notifications/[id]/edit': [`/notifications/${ids.webhook}/edit`],
      '/notifications/email/[id]': [`/notifications/email/${ids.recipient}`],
      '/notifications/new/[channel]': ['/notifications/new/slack', '/notifications/new/custom'],
      '/notifications/deliveries/[id]': [`/notifications/deliveries/${ids.delivery}`],
      '/status-pages/[slug]': ['/status-pages/acme', '/status-pages/unknown'],
      '/status-pages/[slug]/access': ['/status-pages/acme/access'],
      '/status-pages/[slug]/domain': ['/status-pages/acme/domain'],
      '/status-pages/[slug]/share': ['/status-pages/acme/share'],
      '/status-pages/[slug]/subscribers': ['/status-pages/acme/subscribers'],
      '/status-pages/[slug]/subscribers/import': ['/status-pages/acme/subscribers/import'],
    };
    for (const path of Object.values(visitors).flat()) await visit(path);
    for (const path of statusPages) await visit(`/status/acme${path}`);
    await organization.signIn(page.context());
    const others = ROUTES.filter((route) => !(route in visitors) && !REDIRECTS.includes(route));
    const paths = others.flatMap((route) => members[route] ?? [route]);
    expect(
      paths.filter((path) => path.includes('[')),
      'routes without an example',
    ).toEqual([]);
    for (const path of paths) await visit(path);
  } finally {
    await access.close();
    await service.stop();
  }
}

/** Creates one of everything that has a page, with a history. */
async function fill({ api, ctx }: OwnOrganization) {
  const create = async (path: string, body: object) => {
    const response = await api('POST', path, body);
    expect(response.status, `${path} ${JSON.stringify(response.body)}`).toBeLessThan(300);
    return response.body;
  };
  const monitor = (
    await create('/monitors', { name: 'Shop', url: 'http://127.0.0.1:9/', tags: ['eu', 'shop'] })
  ).id;
  await create('/monitors', { name: 'Paused', url: 'http://127.0.0.1:9/', enabled: false });
  await writeHistory(ctx);
  const webhook = (await create('/webhooks', { url: 'http://127.0.0.1:9/hook' })).id;
  await emitIncident(ctx, 'Checkout failed');
  const [delivery] = (await api('GET', '/deliveries')).body;
  const incident = await create('/incidents', {
    title: 'Checkout failed',
    severity: 'major',
    affectedMonitors: [monitor],
  });
  const { scheduledUpdates } = await create(`/incidents/${incident.id}/updates`, {
    message: 'More soon.',
    publishAt: new Date(Date.now() + 3_600_000),
  });
  const template = await create('/incident-templates', { name: 'Outage', affectedMonitors: [monitor] });
  const maintenance = await create('/maintenance', {
    title: 'Database upgrade',
    monitors: [monitor],
    startsAt: '2098-01-01T00:00:00Z',
    endsAt: '2098-01-01T01:00:00Z',
  });
  await create('/status-pages', { name: 'Acme', slug: 'acme', monitors: [monitor], published: true });
  const recipient = (await create('/email-recipients', { email: 'agency@example.com' })).id;
  const invitation = await create('/invitations', { email: 'bob@example.com' });
  return {
    monitor,
    webhook,
    recipient,
    delivery: delivery.id,
    incident: incident.id,
    template: template.id,
    update: scheduledUpdates[0].id,
    published: incident.updates[0].id,
    maintenance: maintenance.id,
    invitation: new URL(invitation.url).pathname,
  };
}
