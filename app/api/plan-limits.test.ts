import { describe, expect, it } from 'vitest';
import type { ApiResponse } from '@/e2e/support/api-client';
import { borrowTenant } from './testing/borrow-tenant';
import type { Tenant } from './testing/tenants';

const setting = borrowTenant({ inProcess: true });

/** The quotas of a plan: the limit of the free plan, and how to create the nth item. */
const COUNTED = [
  [
    'monitors',
    '/monitors',
    50,
    (n: number) => ({ name: `Shop ${n}`, url: 'http://127.0.0.1:9/', enabled: false }),
  ],
  [
    'status pages',
    '/status-pages',
    3,
    (n: number, { organizationId }: Tenant) => ({
      name: 'Acme',
      slug: `${organizationId.replace('_', '-')}-${n}`,
      monitors: [],
    }),
  ],
  ['webhook endpoints', '/webhooks', 3, (n: number) => ({ url: `http://127.0.0.1:9/${n}` })],
] as const;

const expectLimit = ({ status, body }: ApiResponse, message: RegExp) => {
  expect([status, body.error?.code]).toEqual([403, 'PLAN_LIMIT_EXCEEDED']);
  expect(body.error.message).toMatch(message);
};

describe.each(COUNTED)('%s of the free plan', (what, path, limit, bodyOf) => {
  const add = (tenant: Tenant, n: number) => tenant.api('POST', path, bodyOf(n, tenant));
  const fill = async (tenant: Tenant, count: number) => {
    const several = count > 3 ? count - 1 : 0;
    const monitors = Array.from({ length: several }, (_, n) => bodyOf(n, tenant));
    if (several > 0) expect((await tenant.api('POST', `${path}/bulk`, { monitors })).status).toBe(200);
    for (let n = several; n < count; n += 1) expect((await add(tenant, n)).status).toBe(201);
  };
  const count = async ({ api }: Tenant) => (await api('GET', path)).body.length;

  it(`are limited to ${limit}, and the error names the limit`, async () => {
    const tenant = await setting.backdoor.addTenant('free');
    await fill(tenant, limit);
    expectLimit(await add(tenant, limit), new RegExp(`free plan allows ${limit} ${what}`));
    expect(await count(tenant)).toBe(limit);

    const [first] = (await tenant.api('GET', path)).body;
    expect((await tenant.api('DELETE', `${path}/${first.slug ?? first.id}`)).status).toBe(200);
    expect((await add(tenant, limit + 1)).status).toBe(201);
  });

  it('stay within the limit under 20 parallel creates', async () => {
    const tenant = await setting.backdoor.addTenant('free');
    const free = Math.min(3, limit);
    await fill(tenant, limit - free);
    const responses = await Promise.all(Array.from({ length: 20 }, (_, n) => add(tenant, limit + n)));
    const created = responses.filter(({ status }) => status === 201);
    expect(created).toHaveLength(free);
    for (const response of responses) if (response.status !== 201) expectLimit(response, /free plan allows/);
    expect(await count(tenant)).toBe(limit);
  });
});

describe('members of the free plan', () => {
  const invite = ({ api }: Tenant, n: number) =>
    api('POST', '/invitations', { email: `invited-${n}@example.com` });

  it('are limited to 3 including open invitations, even under 20 parallel requests', async () => {
    const tenant = await setting.backdoor.addTenant('free');
    const responses = await Promise.all(Array.from({ length: 20 }, (_, n) => invite(tenant, n)));
    expect(responses.filter(({ status }) => status === 201)).toHaveLength(2);
    for (const response of responses)
      if (response.status !== 201) expectLimit(response, /free plan allows 3 members/);

    const [first] = (await tenant.api('GET', '/invitations')).body;
    expect((await tenant.api('POST', '/invitations', { email: first.email })).status).toBe(201);
    const [renewed] = (await tenant.api('GET', '/invitations')).body;
    expect((await tenant.api('DELETE', `/invitations/${renewed.id}`)).status).toBe(200);
    expect((await invite(tenant, 21)).status).toBe(201);
    expectLimit(await invite(tenant, 22), /free plan allows 3 members/);
  });
});

describe('the free plan', () => {
  it('does not include ap-southeast: not for a new monitor, a changed one or a dry run', async () => {
    const { api } = await setting.backdoor.addTenant('free');
    const shop = { name: 'Shop', url: 'http://127.0.0.1:9/', enabled: false };
    const regions = ['us-east', 'ap-southeast'];
    const message = /does not include ap-southeast/;
    expectLimit(await api('POST', '/monitors', { ...shop, regions }), message);
    expectLimit(await api('POST', '/monitors/test', { ...shop, regions: ['ap-southeast'] }), message);
    const { body: created } = await api('POST', '/monitors', { ...shop, regions: ['us-east', 'eu-west'] });
    expectLimit(await api('PUT', `/monitors/${created.id}`, { regions }), message);
    expect((await api('GET', `/monitors/${created.id}`)).body).toEqual(created);
  });

  it('does not include custom domains: not for a new page or a changed one', async () => {
    const { api } = await setting.backdoor.addTenant('free');
    const page = { name: 'Acme', slug: 'no-domain', monitors: [] };
    const customDomain = 'status.acme.test';
    expectLimit(await api('POST', '/status-pages', { ...page, customDomain }), /custom domain/);
    const { body: created } = await api('POST', '/status-pages', page);
    expectLimit(await api('PUT', '/status-pages/no-domain', { customDomain }), /custom domain/);
    expect((await api('GET', '/status-pages/no-domain')).body).toEqual(created);
  });

  it('does not include private pages: not for a new page or a changed one', async () => {
    const { api } = await setting.backdoor.addTenant('free');
    const page = { name: 'Acme', slug: 'not-private', monitors: [] };
    expectLimit(await api('POST', '/status-pages', { ...page, visibility: 'members' }), /private/);
    const { body: created } = await api('POST', '/status-pages', page);
    const secret = { visibility: 'password', password: 'correct horse' };
    expectLimit(await api('PUT', '/status-pages/not-private', secret), /private/);
    expect((await api('GET', '/status-pages/not-private')).body).toEqual(created);
  });

  it('is shown by GET /me, with current usage', async () => {
    const { api } = await setting.backdoor.addTenant('free');
    await api('POST', '/webhooks', { url: 'http://127.0.0.1:9/' });
    expect((await api('GET', '/me')).body).toMatchObject({
      organization: { plan: 'free' },
      limits: {
        monitors: 50,
        statusPages: 3,
        webhooks: 3,
        regions: ['us-east', 'eu-west'],
        customDomain: false,
        privatePages: false,
      },
      usage: { monitors: 0, statusPages: 0, webhooks: 1 },
    });
  });
});

describe('a downgrade', () => {
  it('keeps everything that exists and rejects growth', async () => {
    const tenant = await setting.backdoor.addTenant('pro');
    const { api } = tenant;
    const pages = ['a', 'b', 'c', 'd'].map((letter) => `down-${letter}`);
    for (const slug of pages) await api('POST', '/status-pages', { name: 'Acme', slug, monitors: [] });
    await api('PUT', '/status-pages/down-a', { customDomain: 'status.acme.test' });
    const shop = { name: 'Shop', url: 'http://127.0.0.1:9/', enabled: false };
    const { body: far } = await api('POST', '/monitors', { ...shop, regions: ['ap-southeast'] });

    await setting.backdoor.changePlan(tenant, 'free');

    expect((await api('GET', '/status-pages')).body).toHaveLength(4);
    expect((await api('GET', '/status-pages/down-a')).body.customDomain).toBe('status.acme.test');
    expect((await api('GET', `/monitors/${far.id}`)).body).toEqual(far);
    expectLimit(
      await api('POST', '/status-pages', { name: 'Acme', slug: 'down-e', monitors: [] }),
      /free plan allows 3 status pages/,
    );
    expectLimit(await api('POST', '/monitors', { ...shop, regions: ['ap-southeast'] }), /ap-southeast/);
    // What does not grow may still be changed, and taken away.
    expect((await api('PUT', `/monitors/${far.id}`, { name: 'Store' })).status).toBe(200);
    expect((await api('PUT', '/status-pages/down-a', { name: 'Acme 2' })).status).toBe(200);
    expect((await api('DELETE', '/status-pages/down-b')).status).toBe(200);
  });

  it('accepts a fetched object unchanged, even with features that the plan no longer includes', async () => {
    const tenant = await setting.backdoor.addTenant('pro');
    const { api } = tenant;
    const shop = { name: 'Shop', url: 'http://127.0.0.1:9/', enabled: false, regions: ['ap-southeast'] };
    const { body: monitor } = await api('POST', '/monitors', shop);
    const page = { name: 'Acme', slug: 'whole', monitors: [], customDomain: 'whole.acme.test' };
    const { body: created } = await api('POST', '/status-pages', page);
    await setting.backdoor.changePlan(tenant, 'free');
    expect((await api('PUT', `/monitors/${monitor.id}`, { ...monitor, name: 'Store' })).status).toBe(200);
    expect((await api('PUT', '/status-pages/whole', { ...created, name: 'Acme 2' })).status).toBe(200);
  });
});
