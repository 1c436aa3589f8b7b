import { formatCommand } from '@/lib/command-line';
import type { OwnOrganization } from './support/own-organization';
import { expect, test } from './support/shared-service';
import { addSilentMonitor } from './support/silent-monitor';
import { writeHistory } from './support/write-history';

// What pages say as the service sends them, which needs no browser.

/** Reads the main part of pages as the owner of an organization: its text, with one space between elements. */
async function createReader(url: string, { createCookie }: OwnOrganization) {
  const headers = { cookie: await createCookie() };
  return async (path: string) => {
    const html = await (await fetch(url + path, { headers })).text();
    const main = html.slice(html.indexOf('<main'));
    const markup = main.replace(/<!--.*?-->/gs, '').replace(/<(script|style)\b.*?<\/\1>/gs, '');
    return markup.replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' ');
  };
}

test('a monitor without data is marked in the list, on its page, and on the status page', async ({
  service,
  organization,
}) => {
  const read = await createReader(service.url, organization);
  const id = await addSilentMonitor(organization, 'Shop');
  const slug = `silent-${id.slice(-8)}`;
  const statusPage = { name: 'Acme', slug, monitors: [id], published: true };
  await organization.api('POST', '/status-pages', statusPage);
  expect(await read('/monitors')).toMatch(/No data since \d\d:\d\d UTC Shop/);
  expect(await read('/monitors?status=operational')).not.toContain('Shop');
  const detail = await read(`/monitors/${id}`);
  expect(detail).toMatch(/No data since/);
  expect(detail).toContain('The last known status is operational.');
  const visited = await read(`/status/${slug}`);
  expect(visited).toContain('Current status unknown');
  expect(visited).not.toContain('All systems operational');
});

test('regions that one machine probes are shown as this machine, once, and own regions by their name', async ({
  service,
  organization,
}) => {
  const { api } = organization;
  const read = await createReader(service.url, organization);
  const shop = { name: 'Shop', url: 'http://127.0.0.1:9/', enabled: false };
  const everywhere = { ...shop, regions: ['us-east', 'eu-west', 'ap-southeast'] };
  const { id } = (await api('POST', '/monitors', everywhere)).body;
  expect(await read(`/monitors/${id}/edit`)).toContain('Checked from this machine, with 3 checks each time');
  const settings = await read('/settings/regions');
  expect(settings).toMatch(/This machine Active .*IDs us-east, eu-west, and ap-southeast\./);
  expect(settings).not.toContain('Frankfurt');
  const office = { name: 'Hamburg office', place: 'hamburg' };
  const region = (await api('POST', '/regions', office)).body.id;
  const form = await read('/monitors/new');
  expect(form).toContain('This machine Where the checks of Pharos run.');
  expect(form).toContain('Hamburg, Germany. Probed by no worker yet.');
  await api('POST', '/monitors', { ...shop, name: 'Intranet', regions: [region] });
  const list = await read('/monitors');
  expect(list).toMatch(/Intranet .*Hamburg office/);
  expect(list).toMatch(/Shop .*This machine/);
  expect(list).not.toContain(region);
  expect(list).not.toContain('us-east');
});

test('a report shows the uptime of each monitor like the API', async ({ service, organization }) => {
  const { api, ctx } = organization;
  const read = await createReader(service.url, organization);
  expect(await read('/reports')).toContain('No monitors yet.');
  for (const name of ['Shop', 'Blog']) {
    await api('POST', '/monitors', { name, url: 'http://127.0.0.1:9/', enabled: false });
  }
  await writeHistory(ctx);
  const { monitors } = (await api('GET', '/reports/uptime')).body;
  const report = await read('/reports');
  for (const { name, uptimePercentage } of monitors) {
    expect(report).toContain(`${name} Uptime ${uptimePercentage.toFixed(3)}%`);
  }
});

test('viewers see that their role cannot create anything, and no link to it', async ({
  service,
  organization,
}) => {
  const read = await createReader(service.url, organization);
  await organization.setRole('viewer');
  const creating = {
    '/monitors/new': 'New monitor',
    '/monitors/import': 'Import',
    '/incidents/new': 'Open an incident',
    '/maintenance/new': 'Plan maintenance',
    '/status-pages/new': 'New status page',
    '/notifications/new': 'Add a channel',
  };
  for (const [path, label] of Object.entries(creating)) {
    expect(await read(path), path).toContain('Your role is viewer');
    expect(await read(path.replace(/\/\w+$/, '')), path).not.toContain(label);
  }
});

test('without limits, no screen mentions a plan', async ({ service, organization }) => {
  const read = await createReader(service.url, organization);
  const slug = `unlimited-${organization.id.slice(-6)}`;
  await organization.api('POST', '/status-pages', { name: 'Shop', slug, monitors: [] });
  const editor = ['', '/access', '/domain'].map((part) => `/status-pages/${slug}${part}`);
  const settings = ['profile', 'members', 'api-keys', 'regions', 'organization'].map(
    (part) => `/settings/${part}`,
  );
  for (const path of ['/monitors/new', '/status-pages/new', '/notifications/new', ...editor, ...settings]) {
    expect(await read(path), path).not.toMatch(/\bplan\b|\b(Pro|Enterprise)\b/i);
  }
  const headers = { cookie: await organization.createCookie() };
  expect((await fetch(`${service.url}/settings/plan`, { headers })).status).toBe(404);
});

test.describe('on the free plan', () => {
  test.use({ plan: 'free' });

  test('limits are explained where they apply', async ({ service, organization }) => {
    const read = await createReader(service.url, organization);
    expect(await read('/monitors/new')).toContain('Checked from this machine.');
    const slugs = [1, 2, 3].map((nth) => `limit-${nth}-${organization.id.slice(-6)}`);
    for (const slug of slugs) {
      await organization.api('POST', '/status-pages', { name: slug, slug, monitors: [] });
    }
    expect(await read('/status-pages')).toContain('The free plan allows 3 status pages, and all are in use.');
    expect(await read(`/status-pages/${slugs[0]}/domain`)).toContain(
      'The free plan does not include custom domains. The operator of this service can change the plan: Plan and usage',
    );
    expect(await read(`/status-pages/${slugs[0]}`)).toContain('Your plan does not include turning this off.');
    const raise = (plan: string) =>
      formatCommand('org plan ORGANIZATION PLAN', { values: { ORGANIZATION: organization.id, PLAN: plan } });
    expect(await read('/settings/plan')).toContain(raise('enterprise'));
    const page = { name: 'Fourth', slug: `${slugs[0]}-more`, monitors: [] };
    const { status, body } = await organization.api('POST', '/status-pages', page);
    expect([status, body.error.message]).toEqual([
      403,
      `The free plan allows 3 status pages, and all are in use. The operator of this service can change the plan: ${raise('pro')}`,
    ]);
  });
});
