import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { describe, expect, it, onTestFinished } from 'vitest';
import { parse } from 'yaml';
import { borrowTenant } from '@/app/api/testing/borrow-tenant';
import { CLOSED } from '@/app/api/testing/fixtures';
import type { Tenant } from '@/app/api/testing/tenants';
import { useFolder } from '@/e2e/support/use-folder';
import { listenLocally } from '@/lib/testing/http-listener';
import { callPharos } from '../cli/testing/call-pharos';
import { formatSchema } from './commands';

const TOKEN = 't0ken-of-somebody';
const setting = borrowTenant();
const folder = useFolder();

const runFor = ({ apiKey }: Tenant, args: string[], variables: Record<string, string> = {}) =>
  callPharos(args, { PHAROS_URL: setting.service.url, PHAROS_API_KEY: apiKey, ...variables });

/** One of everything, with secrets. */
async function fill({ api }: Tenant, slug: string): Promise<void> {
  const monitors: string[] = [];
  for (const monitor of [
    {
      name: 'Shop',
      url: CLOSED,
      method: 'POST',
      headers: { Authorization: TOKEN },
      body: TOKEN,
      tags: ['web'],
    },
    { name: 'Database', type: 'tcp', url: '127.0.0.1:9', interval: 300 },
    { name: 'Gateway', type: 'ping', url: '127.0.0.1' },
    { name: 'Names', type: 'dns', url: 'shop.example.com' },
    // biome-ignore lint/suspicious/noTemplateCurlyInString: a name can look like a variable
    { name: 'Not a ${VARIABLE}', url: CLOSED, alertThreshold: 4 },
  ]) {
    const ref = monitor.name.toLowerCase().replaceAll(/\W+/g, '-');
    const { status, body } = await api('POST', '/monitors', { ...monitor, ref, enabled: false });
    expect([status, body.error]).toEqual([201, undefined]);
    monitors.push(body.id);
  }
  await api('POST', '/webhooks', {
    url: `http://127.0.0.1:9/${TOKEN}`,
    ref: 'chat',
    format: 'slack',
    events: ['monitor.down'],
  });
  const theme = { primaryColor: '#22c55e', backgroundColor: '#ffffff', textColor: '#000000' };
  await api('POST', '/status-pages', { name: 'Shop', slug, monitors, published: true, theme });
  const window = {
    startsAt: '2030-01-01T02:00:00Z',
    endsAt: '2030-01-01T03:00:00Z',
    monitors: monitors.slice(0, 2),
  };
  await api('POST', '/maintenance', { ...window, title: 'Upgrade' });
  await api('POST', '/maintenance', {
    ...window,
    title: 'Weekly',
    rrule: 'FREQ=WEEKLY;BYDAY=TU',
    timeZone: 'Europe/Berlin',
  });
}

describe('pharos export', () => {
  it('writes a file without secrets, which changes nothing here and makes the same elsewhere', async () => {
    const [here, there] = [await setting.backdoor.addTenant(), await setting.backdoor.addTenant()];
    const slug = `as-code-${Date.now()}`;
    await fill(here, slug);
    const exported = await runFor(here, ['export']);
    expect([exported.code, exported.stderr]).toEqual([0, '']);
    expect(exported.stdout).not.toContain(TOKEN);
    const { monitors, webhooks, maintenance } = parse(exported.stdout);
    expect([monitors.length, webhooks.length, maintenance.length]).toEqual([5, 1, 2]);
    expect(monitors[2]).toEqual({
      ref: 'gateway',
      name: 'Gateway',
      url: '127.0.0.1',
      type: 'ping',
      enabled: false,
    });
    const file = await folder.save('exported.yaml', exported.stdout);
    const same = await runFor(here, ['plan', file, '--prune']);
    expect([same.code, same.stdout]).toEqual([0, '0 to create, 0 to change, 0 to delete, 9 unchanged.\n']);

    const unset = await runFor(there, ['plan', file]);
    expect([unset.code, unset.stdout]).toEqual([1, '']);
    expect(unset.stderr).toMatch(/exported\.yaml:\d+: The variable SHOP_HEADERS_AUTHORIZATION is not set/);
    // Slugs are unique in the service.
    await here.api('DELETE', `/status-pages/${slug}`);
    const variables = {
      SHOP_HEADERS_AUTHORIZATION: TOKEN,
      SHOP_BODY: TOKEN,
      CHAT_URL: `http://127.0.0.1:9/${TOKEN}`,
    };
    const applied = await runFor(there, ['apply', file, '--yes'], variables);
    expect([applied.code, applied.stderr]).toEqual([0, '']);
    expect(applied.stdout).not.toContain(TOKEN);
    expect(applied.stdout).toContain('9 to create, 0 to change, 0 to delete, 0 unchanged.');
    expect((await runFor(there, ['export'])).stdout).toBe(exported.stdout);
    const shop = (await there.api('GET', '/monitors/by-ref/shop')).body;
    expect(shop).toMatchObject({ headers: { Authorization: TOKEN }, body: TOKEN });
    expect((await runFor(there, ['plan', file], variables)).code).toBe(0);
  });
});

describe('pharos plan and apply', () => {
  const FILE = `version: 1
monitors:
  - ref: shop
    name: Shop
    url: ${CLOSED}
    enabled: false
    headers: { X-Key: "\${KEY}" }
status-pages: []
`;

  it('plan exits with 2 on drift and shows it, apply mends it, and a second apply changes nothing', async () => {
    const tenant = await setting.backdoor.addTenant();
    const file = await folder.save('drift.yaml', FILE);
    expect((await runFor(tenant, ['apply', file, '--yes'], { KEY: TOKEN })).code).toBe(0);
    await tenant.api('PUT', '/monitors/by-ref/shop', { name: 'Store', headers: { 'X-Key': 'other' } });
    const drift = await runFor(tenant, ['plan', file], { KEY: TOKEN });
    expect(drift.code).toBe(2);
    expect(drift.stdout).toBe(
      '~ monitor shop\n    name: "Store" → "Shop"\n    headers: (changed)\n\n0 to create, 1 to change, 0 to delete, 0 unchanged.\n',
    );
    const colored = await runFor(tenant, ['plan', file], { KEY: TOKEN, FORCE_COLOR: '1' });
    expect(colored.stdout).toContain('\u001b[33m~ monitor shop\u001b[39m');
    expect((await runFor(tenant, ['apply', file], { KEY: TOKEN })).stderr).toContain('add --yes');
    expect((await runFor(tenant, ['apply', file, '--yes'], { KEY: TOKEN })).code).toBe(0);
    const { version } = (await tenant.api('GET', '/monitors/by-ref/shop')).body;
    const again = await runFor(tenant, ['apply', file, '--yes', '--json'], { KEY: TOKEN });
    expect(JSON.parse(again.stdout)).toEqual({ changes: [], unchanged: 1, failures: [] });
    expect((await tenant.api('GET', '/monitors/by-ref/shop')).body).toMatchObject({ version, name: 'Shop' });
  });

  it('show no variable, and keep no secret for another host', async () => {
    const tenant = await setting.backdoor.addTenant();
    const file = await folder.save('host.yaml', FILE);
    await runFor(tenant, ['apply', file, '--yes'], { KEY: TOKEN });
    expect((await runFor(tenant, ['plan', file])).code).toBe(0);
    const moved = await folder.save('moved.yaml', FILE.replace(CLOSED, 'http://127.0.0.2:9/'));
    expect((await runFor(tenant, ['plan', moved])).stderr).toContain('The variable KEY is not set');
    const shown = await folder.save('shown.yaml', FILE.replace('name: Shop', `name: "\${KEY}"`));
    for (const args of [
      ['plan', shown],
      ['plan', shown, '--json'],
    ]) {
      const { code, stdout } = await runFor(tenant, args, { KEY: TOKEN });
      expect(code).toBe(2);
      expect(stdout).not.toContain(TOKEN);
    }
    expect((await runFor(tenant, ['plan', shown])).stderr).toMatch(/:4: The variable KEY is not set/);
  });

  it('give a monitor without a ref its first one', async () => {
    const tenant = await setting.backdoor.addTenant();
    const { id } = (await tenant.api('POST', '/monitors', { name: 'Old', url: CLOSED, enabled: false })).body;
    const file = await folder.save(
      'ref.yaml',
      `version: 1\nmonitors: [{id: ${id}, ref: old, name: Old, url: "${CLOSED}", enabled: false}]`,
    );
    expect((await runFor(tenant, ['apply', file, '--yes'])).code).toBe(0);
    expect((await tenant.api('GET', '/monitors')).body).toMatchObject([{ id, ref: 'old' }]);
  });

  it('delete what a section does not name only with --prune, and nothing of other sections', async () => {
    const tenant = await setting.backdoor.addTenant();
    const file = await folder.save('prune.yaml', FILE);
    await tenant.api('POST', '/monitors', { name: 'Old', url: CLOSED, enabled: false });
    await tenant.api('POST', '/webhooks', { url: 'http://127.0.0.1:9/' });
    await runFor(tenant, ['apply', file, '--yes'], { KEY: 'a' });
    expect((await tenant.api('GET', '/monitors')).body).toHaveLength(2);
    const pruned = await runFor(tenant, ['apply', file, '--yes', '--prune'], { KEY: 'a' });
    expect(pruned.stdout).toContain('- monitor mon_');
    expect((await tenant.api('GET', '/monitors')).body).toMatchObject([{ ref: 'shop' }]);
    expect((await tenant.api('GET', '/webhooks')).body).toHaveLength(1);
  });

  it('apply does what it can, and names what the service rejects with its line', async () => {
    const tenant = await setting.backdoor.addTenant('free');
    const regions = 'regions: [us-east, eu-west, ap-southeast]';
    const file = await folder.save(
      'rejected.yaml',
      `${FILE}  # none\n`
        .replace('    name: Shop', `    name: Shop\n    ${regions}`)
        .replace(
          'status-pages: []',
          `  - { ref: fine, name: Fine, url: "${CLOSED}", enabled: false, interval: 300 }`,
        ),
    );
    const { code, stderr } = await runFor(tenant, ['apply', file, '--yes'], { KEY: 'a' });
    expect([code, stderr]).toEqual([1, expect.stringMatching(/rejected\.yaml:3: monitor "shop": /)]);
    expect((await tenant.api('GET', '/monitors')).body).toMatchObject([{ ref: 'fine' }]);
  });

  it.each([
    ['monitors: []', /:1: `version` must be 1/],
    ['version: 1\nmonitor: []', /:2: `monitor` is not a section/],
    ['version: 1\nmonitors:\n  - name: a', /:3: A monitor needs a `ref`/],
    [
      'version: 1\nmonitors:\n  - {ref: a, name: a, url: "http://a.example.com"}\n  - {ref: a}',
      /:4: Another entry of the file is the same monitor as "a"/,
    ],
    [
      'version: 1\nmonitors:\n  - ref: a\n    name: a\n    url: http://a.example.com/\n    periodicity: 60',
      /:6: `periodicity` is not a recognized field/,
    ],
    [
      'version: 1\nmonitors:\n  - ref: a\n    name: a\n    url: http://a.example.com/\n    interval: 61',
      /:6: `interval` must be/,
    ],
    [
      'version: 1\nstatus-pages:\n  - slug: a-page\n    name: a\n    monitors: [nothing]',
      /:5: There is no monitor "nothing"/,
    ],
    ['version: 1\nmonitors:\n  - &a {ref: a, name: *a}', /:3: A monitor must be a map of its fields/],
    ['version: 1\nmonitors: {', /:\d+: The YAML is not valid/],
  ])('say what is wrong, and where: %j', async (text, message) => {
    const tenant = await setting.backdoor.addTenant();
    const { code, stdout, stderr } = await runFor(tenant, [
      'plan',
      await folder.save(`wrong-${message.source.length}.yaml`, text),
    ]);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(message);
    expect(stderr).not.toContain('    at ');
  });
});

it('the service serves the JSON Schema that exported files name', async () => {
  const tenant = await setting.backdoor.addTenant();
  const [first = ''] = (await runFor(tenant, ['export'])).stdout.split('\n');
  expect(first).toMatch(/^# yaml-language-server: \$schema=http/);
  const response = await fetch(first.replace(/^.*=/, ''));
  const text = await response.text();
  // Run "npm run -s pharos -- schema > public/pharos.schema.json" after a change.
  expect(text).toBe(formatSchema());
  expect((await runFor(tenant, ['schema'])).stdout).toBe(text);
});

it('apply of 260 monitors is two requests to change them, and plan and apply read them in pages', async () => {
  const tenant = await setting.backdoor.addTenant();
  const monitors = Array.from({ length: 260 }, (_, index) => ({
    ref: `shop-${index}`,
    name: `Shop ${index}`,
    url: `${CLOSED}${index}`,
    enabled: false,
    headers: { Accept: 'text/html' },
    tags: ['shop'],
  }));
  const file = await folder.save('many.yaml', JSON.stringify({ version: 1, monitors }));
  const requests: string[] = [];
  const counting = await listenLocally(
    createServer(async (request, response) => {
      const { method = '', url = '', headers } = request;
      requests.push(`${method} ${url.split('?')[0]}`);
      const body = method === 'GET' ? undefined : await text(request);
      const { authorization = '', 'content-type': type = 'application/json' } = headers;
      const sent = { method, body, headers: { authorization, 'content-type': type } };
      const forwarded = await fetch(`${setting.service.url}${url}`, sent);
      // The link to the next page leads to the service itself: only its path matters here.
      const link = forwarded.headers.get('link')?.replaceAll(setting.service.url, counting.url);
      response.writeHead(forwarded.status, { ...(link ? { link } : {}), 'content-type': 'application/json' });
      response.end(await forwarded.text());
    }),
  );
  onTestFinished(counting.close);
  const run = async (args: string[]) => {
    requests.length = 0;
    const { code, stderr } = await runFor(tenant, args, { PHAROS_URL: counting.url });
    expect([code, stderr]).toEqual([0, '']);
    return requests.filter((request) => !request.startsWith('GET '));
  };
  expect(await run(['apply', file, '--yes'])).toEqual(Array(2).fill('POST /api/monitors/bulk'));
  expect(await run(['plan', file])).toEqual([]);
  expect(requests.length).toBeLessThanOrEqual(8);
});
