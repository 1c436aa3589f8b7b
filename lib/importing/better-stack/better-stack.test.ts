import { describe, expect, it } from 'vitest';
import { importText, onlyItem, unset } from '../testing/import-text';
import { FIELDS } from './fields';

const ATTRIBUTES = {
  url: 'https://shop.example.com/',
  pronounceable_name: 'Shop',
  monitor_type: 'status',
  monitor_group_id: null,
  status: 'up',
  required_keyword: null,
  verify_ssl: true,
  check_frequency: 180,
  http_method: 'get',
  request_timeout: 15,
  recovery_period: 0,
  confirmation_period: 0,
  request_headers: [],
  request_body: '',
  auth_username: '',
  auth_password: '',
  follow_redirects: true,
  paused_at: null,
  ssl_expiration: null,
  domain_expiration: null,
  regions: [],
  expected_status_codes: [],
  port: null,
};
const list = (attributes: object, others: object[] = []) => ({
  data: [{ id: '238', type: 'monitor', attributes: { ...ATTRIBUTES, ...attributes } }, ...others],
  pagination: { first: 'https://uptime.example.com/?page=1', last: null, prev: null, next: null },
});
const STATUS = { source: 'status', property: null, comparison: 'oneOf', target: ['2xx'] };

describe("a response of Better Stack's monitors API", () => {
  it('becomes a monitor with all its settings', async () => {
    const { items, notes } = await importText('better-stack', list({}));
    expect(items).toEqual([
      {
        name: 'Shop',
        kind: 'status',
        reason: null,
        changes: [],
        monitor: {
          ...unset(FIELDS, 'http'),
          name: 'Shop',
          ref: 'better-stack-238',
          type: 'http',
          url: 'https://shop.example.com/',
          method: 'GET',
          assertions: [STATUS],
          followRedirects: true,
          tlsVerify: true,
          interval: 180,
          timeout: 15,
          alertThreshold: 1,
          recoveryThreshold: 1,
          enabled: true,
        },
      },
    ]);
    expect(notes).toEqual([]);
  });

  it.each([
    [
      'exact codes',
      { monitor_type: 'expected_status_code', expected_status_codes: [301, 302] },
      { assertions: [{ ...STATUS, target: ['301-302'] }] },
      [],
    ],
    [
      'a keyword',
      { monitor_type: 'keyword', required_keyword: 'Welcome' },
      { keyword: 'Welcome', assertions: [STATUS] },
      [],
    ],
    [
      'absent text',
      { monitor_type: 'keyword_absence', required_keyword: ' Error' },
      {
        assertions: [STATUS, { source: 'body', property: null, comparison: 'notContains', target: ' Error' }],
      },
      [],
    ],
    [
      'a confirmation period',
      { confirmation_period: 300 },
      { alertThreshold: 3 },
      ['A confirmation period of 5 minutes becomes 3 failed checks in a row.'],
    ],
    [
      'a recovery period',
      { recovery_period: 180 },
      { recoveryThreshold: 2 },
      ['A recovery period of 3 minutes becomes 2 successful checks in a row.'],
    ],
    [
      'headers',
      { request_headers: [{ id: '1', name: 'X-Token', value: 'hush' }] },
      { headers: { 'X-Token': 'hush' } },
      [],
    ],
    [
      'a user name',
      { auth_username: 'ann', auth_password: 'hush' },
      { headers: { Authorization: 'Basic YW5uOmh1c2g=' } },
      ['The user name and password become an Authorization header.'],
    ],
    ['a body', { http_method: 'post', request_body: '{"a":1}' }, { method: 'POST', body: '{"a":1}' }, []],
    [
      'certificate warnings',
      { ssl_expiration: 14, verify_ssl: false },
      { tlsExpiryDays: 14, tlsVerify: false },
      [],
    ],
    [
      'domain warnings',
      { domain_expiration: 14 },
      {},
      ['The warning before the domain expires is not imported.'],
    ],
    [
      'three regions',
      { regions: ['us', 'eu', 'as'] },
      { regions: ['us-east', 'eu-west', 'ap-southeast'] },
      [],
    ],
    [
      'a region without counterpart',
      { regions: ['us', 'au'] },
      { regions: ['us-east'] },
      ['The regions become us-east; 1 region without a counterpart is left out.'],
    ],
    [
      'ping',
      { monitor_type: 'ping', url: '192.0.2.1', request_timeout: 500 },
      { type: 'ping', url: '192.0.2.1', timeout: 1 },
      ['Timeout 0.5 seconds becomes 1 second.'],
    ],
    [
      'a TCP port',
      { monitor_type: 'tcp', url: 'db.example.com', port: '5432', request_timeout: 5000 },
      { type: 'tcp', url: 'db.example.com:5432', timeout: 5 },
      [],
    ],
    [
      'a POP3 server without a port',
      { monitor_type: 'pop', url: 'mail.example.com', verify_ssl: false, request_timeout: 5000 },
      { type: 'tcp', url: 'mail.example.com:110', protocol: 'pop3', tlsVerify: false },
      [],
    ],
    [
      'an IMAP server without a port',
      { monitor_type: 'imap', url: 'mail.example.com', verify_ssl: true, request_timeout: 5000 },
      { type: 'tcp', url: 'mail.example.com:143', protocol: 'imap', tlsVerify: true },
      [],
    ],
    [
      'mail ports',
      { monitor_type: 'smtp', url: 'mail.example.com', port: '25,465', request_timeout: 5000 },
      { type: 'tcp', url: 'mail.example.com:25', protocol: 'smtp', tlsVerify: true },
      ['Only port 25 is monitored; 1 port left out.'],
    ],
    [
      'a name server',
      { monitor_type: 'dns', url: '192.0.2.53', request_body: 'example.com', request_timeout: 5000 },
      { type: 'dns', url: 'dns://192.0.2.53/example.com?type=A', timeout: 5 },
      [],
    ],
    ['a pause', { paused_at: '2026-01-01T00:00:00.000Z', status: 'paused' }, { enabled: false }, []],
  ])('with %s', async (_, attributes, expected, changes) => {
    const item = onlyItem(await importText('better-stack', list(attributes)));
    expect(item.monitor).toMatchObject(expected);
    expect(item.changes).toEqual(changes);
  });

  it.each([
    ['UDP', { monitor_type: 'udp', url: 'game.example.com' }, /UDP/],
    ['a browser', { monitor_type: 'playwright' }, /Browser/],
  ])('says why a monitor of %s is not imported', async (_, attributes, reason) => {
    expect(onlyItem(await importText('better-stack', list(attributes)))).toMatchObject({
      monitor: null,
      reason: expect.stringMatching(reason),
    });
  });

  it('becomes a heartbeat per heartbeat, with a URL of its own', async () => {
    const heartbeat = {
      id: '238',
      type: 'heartbeat',
      attributes: {
        url: 'https://uptime.example.com/api/v1/heartbeat/hush',
        name: 'Backup',
        period: 10_800,
        grace: 300,
        status: 'up',
        paused_at: null,
      },
    };
    const monitors = list({});
    const next = 'https://uptime.example.com/?page=2';
    const { items, notes } = await importText('better-stack', [
      { data: [heartbeat], pagination: { ...monitors.pagination, next } },
      monitors,
    ]);
    expect(items.map(({ monitor }) => monitor?.ref)).toEqual([
      'better-stack-heartbeat-238',
      'better-stack-238',
    ]);
    expect(items[0]).toEqual({
      name: 'Backup',
      kind: 'heartbeat',
      reason: null,
      changes: ['Its job must call another URL, which is shown after the import.'],
      monitor: {
        ...unset(FIELDS, 'heartbeat'),
        name: 'Backup',
        ref: 'better-stack-heartbeat-238',
        type: 'heartbeat',
        url: '',
        period: 10_800,
        grace: 300,
        enabled: true,
      },
    });
    expect(notes).toEqual([expect.stringContaining('pagination.next')]);
    const paused = {
      ...heartbeat,
      attributes: { ...heartbeat.attributes, period: 30, paused_at: '2026-01-01' },
    };
    const item = onlyItem(await importText('better-stack', { data: [paused] }));
    expect(item.monitor).toMatchObject({ period: 60, enabled: false });
    expect(item.changes).toContain('A call every 30 seconds becomes one every 1 minute.');
  });

  it('says what else the file has, and that pages are missing', async () => {
    const response = list({}, [{ id: '1', type: 'status_page', attributes: {} }]);
    const next = 'https://uptime.example.com/?page=2';
    const { notes } = await importText('better-stack', {
      ...response,
      pagination: { ...response.pagination, next },
    });
    expect(notes).toEqual([expect.stringContaining('pagination.next'), '1 status page is not imported.']);
  });

  it.each([
    ['an error response', { errors: 'Invalid Team API token' }, /error response/],
    [
      'another list',
      { data: [{ id: '1', type: 'incident', attributes: {} }] },
      /no monitors of Better Stack/,
    ],
    ['no JSON', 'name,url', /not a response of Better Stack/],
  ])('is rejected as %s', async (_, content, message) => {
    await expect(importText('better-stack', content)).rejects.toThrow(message);
  });
});
