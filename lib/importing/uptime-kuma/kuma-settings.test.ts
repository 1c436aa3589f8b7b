import { describe, expect, it } from 'vitest';
import { type ImportedMonitor, type ImportPlan, readImport } from '@/lib/importing';
import { createKumaDatabase, type KumaTables } from '../testing/create-kuma-database';
import { unset } from '../testing/import-text';
import { FIELDS } from './fields';

const HTTP = {
  name: 'Shop',
  type: 'http',
  url: 'https://shop.example.com/',
  timeout: 48,
  expiry_notification: 0,
};

/** What a row of the table `monitor` becomes. */
async function importRow(row: KumaTables[string][number], others: KumaTables = {}): Promise<ImportedMonitor> {
  const tables = { monitor: [{ ...HTTP, interval: 60, ...row }], ...others };
  const { items } = await readImport('uptime-kuma', await createKumaDatabase(tables));
  const [item] = items;
  if (item === undefined) throw new Error('no monitor');
  return item;
}

describe('a monitor of Uptime Kuma', () => {
  it.each([
    [
      'an interval of 20 seconds',
      { interval: 20 },
      { interval: 30 },
      'Interval 20 seconds becomes 30 seconds.',
    ],
    ['an interval of an hour', { interval: 3600 }, { interval: 300 }, 'Interval 1 hour becomes 5 minutes.'],
    ['an interval between two', { interval: 90 }, { interval: 60 }, 'Interval 90 seconds becomes 1 minute.'],
    ['a timeout that is too long', { timeout: 90 }, { timeout: 60 }, 'Timeout 90 seconds becomes 1 minute.'],
    ['IPv6 only', { ip_family: 'ipv6' }, { ipVersion: '6' }, null],
    ['any version of IP', { ip_family: null }, { ipVersion: 'any' }, null],
    [
      'IPv6 only, and an IPv4 address',
      { ip_family: 'ipv6', url: 'https://192.0.2.1/' },
      { ipVersion: 'any' },
      'The choice of IPv6 is not imported: the URL has an IPv4 address.',
    ],
    ['no timeout', { timeout: 0 }, { timeout: 48 }, null],
    ['retries', { maxretries: 2, retry_interval: 60 }, { alertThreshold: 3 }, null],
    ['fast retries', { maxretries: 2, retry_interval: 20 }, { alertThreshold: 3, confirmInterval: 20 }, null],
    [
      'slow retries',
      { maxretries: 2, retry_interval: 40 },
      { alertThreshold: 3 },
      'Retries after 40 seconds become regular checks.',
    ],
    [
      'many retries',
      { maxretries: 14 },
      { alertThreshold: 10 },
      'An alert after 15 failed checks becomes one after 10.',
    ],
    [
      'repeated notifications',
      { resend_interval: 5 },
      {},
      'Notifications are not repeated while it is down.',
    ],
    ['one accepted code', { accepted_statuscodes_json: '["204"]' }, { expectedStatusCode: 204 }, null],
    [
      'several codes',
      { accepted_statuscodes_json: '["301","401-403"]' },
      { assertions: [{ source: 'status', property: null, comparison: 'oneOf', target: ['401-403'] }] },
      null,
    ],
    [
      'several codes without redirects',
      { accepted_statuscodes_json: '["301","401-403"]', maxredirects: 0 },
      { assertions: [{ source: 'status', property: null, comparison: 'oneOf', target: [301, '401-403'] }] },
      null,
    ],
    ['no redirects', { maxredirects: 0 }, { followRedirects: false }, null],
    [
      'many redirects',
      { maxredirects: 25 },
      { followRedirects: true, maxRedirects: 10 },
      'At most 25 redirects becomes at most 10.',
    ],
    ['ignored TLS errors', { ignore_tls: 1 }, { tlsVerify: false }, null],
    ['a proxy', { proxy_id: 1 }, {}, 'The proxy is not imported: checks connect directly.'],
    ['a pause', { active: 0 }, { enabled: false }, null],
    [
      'a body with GET',
      { body: '{"a":1}' },
      { method: 'GET' },
      'The request body is left out, because the method is GET.',
    ],
    [
      'a form',
      { method: 'POST', body: 'a=1', http_body_encoding: 'form' },
      { body: 'a=1', headers: { 'Content-Type': 'application/x-www-form-urlencoded' } },
      null,
    ],
    [
      'a Host header',
      { headers: '{"Host":"a.example.com","Accept":"*/*"}' },
      { headers: { Accept: '*/*' } },
      'The header Host is left out. It is set by Pharos and cannot be overridden.',
    ],
    [
      'headers that are not JSON',
      { headers: 'Accept: */*' },
      {},
      'The headers are not valid JSON and are left out.',
    ],
    [
      'basic authentication',
      { auth_method: 'basic', basic_auth_user: 'ann', basic_auth_pass: 'hush' },
      { headers: { Authorization: 'Basic YW5uOmh1c2g=' } },
      'The user name and password become an Authorization header.',
    ],
    [
      'a bearer token',
      { auth_method: 'bearer', bearer_token: 'hush' },
      { headers: { Authorization: 'Bearer hush' } },
      'The bearer token becomes an Authorization header.',
    ],
    [
      'a URL with a password',
      { url: 'https://ann:hush@shop.example.com/' },
      { url: 'https://shop.example.com/', headers: { Authorization: 'Basic YW5uOmh1c2g=' } },
      'The user name and password become an Authorization header.',
    ],
    [
      'a keyword',
      { type: 'keyword', keyword: ' welcome ' },
      { keyword: 'welcome' },
      'Spaces around the keyword are removed.',
    ],
    [
      'a name of 120 characters',
      { name: 'x'.repeat(120) },
      { name: 'x'.repeat(100) },
      'The name is cut to 100 characters.',
    ],
    [
      'a database with a query',
      { type: 'postgres', database_connection_string: 'postgres://db.example.com' },
      { type: 'tcp', url: 'db.example.com:5432', protocol: 'postgresql' },
      'The PostgreSQL query is not imported: Pharos checks that the server is ready.',
    ],
    [
      'a Redis server behind TLS',
      { type: 'redis', database_connection_string: 'rediss://cache.example.com' },
      { type: 'tcp', url: 'cache.example.com:6379', protocol: 'tls' },
      'The Redis command is not imported: Pharos checks that the server is ready.',
    ],
    [
      'a MySQL server',
      { type: 'mysql', database_connection_string: 'mysql://u:p@db.example.com:3307/shop' },
      { type: 'tcp', url: 'db.example.com:3307', protocol: 'mysql' },
      'The MySQL query is not imported: Pharos checks that the server is ready.',
    ],
    [
      'a mail server that must offer TLS',
      { type: 'smtp', hostname: 'mail.example.com', port: 587, smtp_security: 'starttls' },
      { type: 'tcp', url: 'mail.example.com:587', protocol: 'smtp', tlsVerify: true },
      null,
    ],
    [
      'a mail server that need not offer TLS',
      { type: 'smtp', hostname: 'mail.example.com', port: 25, smtp_security: 'nostarttls' },
      { type: 'tcp', url: 'mail.example.com:25', protocol: 'smtp', tlsVerify: false },
      null,
    ],
    [
      'a mail server that begins with TLS on a port of its own',
      { type: 'smtp', hostname: 'mail.example.com', port: 4465, smtp_security: 'secure' },
      { type: 'tcp', url: 'mail.example.com:4465', protocol: 'tls', tlsVerify: true },
      null,
    ],
    [
      'a mail server on the port that begins with TLS',
      { type: 'smtp', hostname: 'mail.example.com', port: 465, smtp_security: 'secure' },
      { type: 'tcp', url: 'mail.example.com:465', protocol: 'smtp', tlsVerify: true },
      null,
    ],
  ] as const)('with %s', async (_, row, expected, change) => {
    const { monitor, changes } = await importRow({ accepted_statuscodes_json: '["200"]', ...row });
    expect(monitor).toMatchObject(expected);
    expect(changes).toEqual(change === null ? [] : [change]);
  });

  it('warns of its certificate as early as Uptime Kuma is set to', async () => {
    const setting = [{ key: 'tlsExpiryNotifyDays', value: '[30]' }];
    const { monitor } = await importRow({ expiry_notification: 1 }, { setting });
    expect(monitor?.tlsExpiryDays).toBe(30);
  });

  it('keeps its tags with their values, at most 20', async () => {
    const tag = Array.from({ length: 25 }, (_, index) => ({
      id: index + 1,
      name: `tag ${index + 1}`,
      color: '#000',
    }));
    const monitor_tag = tag.map(({ id }) => ({ monitor_id: 1, tag_id: id, value: id === 1 ? 'blue' : '' }));
    const { monitor, changes } = await importRow({}, { tag, monitor_tag });
    expect(monitor?.tags).toEqual([
      'tag 1: blue',
      ...Array.from({ length: 19 }, (_, index) => `tag ${index + 2}`),
    ]);
    expect(changes).toContain('Only the first 20 tags are imported; 5 tags left out.');
  });

  it('gets the names of its groups as tags, and is paused with them', async () => {
    const groups: KumaTables[string] = [
      { id: 10, name: 'Europe', type: 'group', active: 0, interval: 60 },
      { id: 11, name: 'Shop', type: 'group', parent: 10, interval: 60 },
    ];
    const file = await createKumaDatabase({
      monitor: [{ ...HTTP, id: 1, parent: 11, interval: 60 }, ...groups],
    });
    const { items } = await readImport('uptime-kuma', file);
    expect(items[0]?.monitor).toMatchObject({ tags: ['Shop', 'Europe'], enabled: false });
    expect(items[0]?.changes).toContain('It is paused, because its group is paused.');
  });
});

describe('a backup of Uptime Kuma', () => {
  const backup = {
    version: '1.23.9',
    notificationList: [{ id: 1, name: 'Email', config: '{"smtpPassword":"hush"}' }],
    monitorList: [
      {
        id: 4,
        name: 'Shop',
        type: 'keyword',
        url: 'https://shop.example.com/',
        method: 'GET',
        interval: 60,
        retryInterval: 60,
        maxretries: 1,
        timeout: 48,
        active: true,
        forceInactive: true,
        keyword: 'welcome',
        invertKeyword: false,
        ignoreTls: true,
        upsideDown: false,
        expiryNotification: false,
        maxredirects: 10,
        accepted_statuscodes: ['200'],
        tags: [{ tag_id: 1, monitor_id: 4, value: 'blue', name: 'stage', color: '#000' }],
        headers: '{"Accept":"text/html"}',
        authMethod: 'basic',
        basic_auth_user: 'ann',
        basic_auth_pass: 'hush',
      },
    ],
  };
  const read = (content: unknown): Promise<ImportPlan> =>
    readImport('uptime-kuma', new TextEncoder().encode(JSON.stringify(content)));

  it('leads to the same monitors as the database', async () => {
    expect(await read(backup)).toEqual({
      source: 'uptime-kuma',
      notes: ['1 notification setting is not imported.'],
      items: [
        {
          name: 'Shop',
          kind: 'keyword',
          reason: null,
          changes: [
            'The user name and password become an Authorization header.',
            'It is paused, because its group is paused.',
          ],
          monitor: {
            ...unset(FIELDS, 'http'),
            name: 'Shop',
            ref: 'uptime-kuma-4',
            type: 'http',
            url: 'https://shop.example.com/',
            method: 'GET',
            headers: { Accept: 'text/html', Authorization: 'Basic YW5uOmh1c2g=' },
            keyword: 'welcome',
            expectedStatusCode: 200,
            assertions: [],
            followRedirects: true,
            maxRedirects: 10,
            tlsVerify: false,
            interval: 60,
            timeout: 48,
            alertThreshold: 2,
            recoveryThreshold: 1,
            tags: ['stage: blue'],
            enabled: false,
          },
        },
      ],
    });
  });

  it('is rejected if it is something else', async () => {
    await expect(read({ monitors: [] })).rejects.toThrow(/has no monitors of Uptime Kuma.*Choose kuma\.db/);
  });
});
