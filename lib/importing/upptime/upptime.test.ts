import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { importText, onlyItem, unset } from '../testing/import-text';
import { FIELDS } from './fields';

const read = () => readFile(join(import.meta.dirname, 'testing', 'upptimerc.yml'), 'utf8');
const site = (settings: object) =>
  importText('upptime', { sites: [{ name: 'Shop', url: 'https://shop.example.com/', ...settings }] });

/** Without redirects, which are followed. */
const STATUS = {
  source: 'status',
  property: null,
  comparison: 'oneOf',
  target: ['200-208', 226, 300, '304-306'],
};
const SECRET_TARGET = expect.stringContaining('a secret of the repository');

describe('the configuration of Upptime', () => {
  it('becomes a monitor per site, or a reason why not', async () => {
    const { items } = await importText('upptime', await read());
    expect(items.map(({ name, monitor, reason }) => [name, monitor?.type, monitor?.url, reason])).toEqual([
      ['Website', 'http', 'https://www.example.com', null],
      ['Shop', 'http', 'https://shop.example.com/', null],
      ['API', 'http', 'https://api.example.com/health', null],
      ['Login', 'http', 'https://login.example.com/session', null],
      ['Search', 'http', 'https://search.example.com/?q=$DYNAMIC_RANDOM_NUMBER', null],
      ['Form', 'http', 'https://forms.example.com/echo', null],
      ['Blog', 'http', 'https://blog.example.com', null],
      ['Documentation', 'http', 'https://docs.example.com', null],
      ['System status', 'http', 'https://example.com/api/system/status', null],
      ['Intranet', 'http', 'https://intranet.example.com', null],
      ['Old server', 'http', 'https://old.example.com', null],
      ['Without scheme', 'http', 'http://example.org', null],
      ['Secret page', undefined, undefined, SECRET_TARGET],
      ['Secret host', undefined, undefined, SECRET_TARGET],
      ['Mail', 'tcp', 'mail.example.com:25', null],
      ['Name server', 'tcp', '192.0.2.53:53', null],
      ['IPv6', 'tcp', 'v6.example.com:80', null],
      ['Socket', 'tcp', 'socket.example.com:443', null],
      ['Certificate', 'http', 'https://secure.example.com/', null],
      ['From Germany', 'ping', 'gateway.example.com', null],
    ]);
  });

  it('becomes the same plan again', async () => {
    const first = await importText('upptime', await read());
    expect(await importText('upptime', await read())).toEqual(first);
  });

  it('notes what else it has', async () => {
    const { notes } = await importText('upptime', await read());
    expect(notes).toEqual([
      '1 notification is not imported.',
      '1 assignee is not imported.',
      '1 icon is not imported.',
      '1 status website is not imported.',
    ]);
  });

  it('has the defaults of Upptime for what a site does not set', async () => {
    expect(onlyItem(await site({}))).toEqual({
      name: 'Shop',
      kind: 'http',
      reason: null,
      changes: [],
      monitor: {
        ...unset(FIELDS, 'http'),
        name: 'Shop',
        ref: expect.stringMatching(/^upptime-shop-\w{8}$/),
        type: 'http',
        url: 'https://shop.example.com/',
        interval: 300,
        timeout: 60,
        alertThreshold: 3,
        confirmInterval: 10,
        degradedThreshold: 60_000,
        followRedirects: true,
        maxRedirects: 3,
        assertions: [STATUS],
      },
    });
  });

  it.each([
    [
      'a header that is a secret',
      { headers: ['Authorization: Bearer $API_TOKEN'] },
      { headers: { Authorization: '[hidden]' } },
      [
        'The value of the header Authorization is not in the file. Enter it in Pharos; a later import keeps it.',
      ],
    ],
    [
      'a body with a secret',
      { method: 'POST', body: '{"a":"$TOKEN"}' },
      {
        method: 'POST',
        body: '[hidden]',
        headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
      },
      ['The request body is not in the file. Enter it in Pharos; a later import keeps it.'],
    ],
    [
      'a random value',
      { url: 'https://shop.example.com/?$DYNAMIC_ALPHANUMERIC_STRING' },
      { url: 'https://shop.example.com/?$DYNAMIC_ALPHANUMERIC_STRING' },
      ['Random values are imported as text: each check sends the same.'],
    ],
    ['one code', { expectedStatusCodes: [401] }, { expectedStatusCode: 401, assertions: [] }, []],
    [
      'a code that does not exist',
      { expectedStatusCodes: [200, 601] },
      { expectedStatusCode: 200 },
      ['Accepted status codes that are not valid are left out.'],
    ],
    [
      'no redirects',
      { maxRedirects: 0 },
      { followRedirects: false, assertions: [{ ...STATUS, target: ['200-208', 226, '300-308'] }] },
      [],
    ],
    ['a slow response', { maxResponseTime: 8000 }, { degradedThreshold: 8000 }, []],
    [
      'texts',
      { __dangerous__body_down: 'Error', __dangerous__body_down_if_text_missing: 'UP' },
      {
        keyword: 'UP',
        assertions: [STATUS, { source: 'body', property: null, comparison: 'notContains', target: 'Error' }],
      },
      [],
    ],
    [
      'a secret text',
      { __dangerous__body_down: '$TEXT' },
      { assertions: [STATUS] },
      ['The condition on the response body is not imported: it contains a secret of the repository.'],
    ],
    [
      'a text for degraded',
      { __dangerous__body_degraded_if_text_missing: 'fast' },
      { keyword: null },
      ['A text for degraded is not imported: in Pharos a text decides between up and down.'],
    ],
    ['no verification', { __dangerous__insecure: true }, { tlsVerify: false }, []],
    [
      'half a verification',
      { __dangerous__disable_verify_peer: true },
      { tlsVerify: false },
      ['Certificates are not verified at all, neither issuer nor host name.'],
    ],
    [
      'a certificate',
      { check: 'ssl', url: 'shop.example.com', port: 8443 },
      {
        url: 'https://shop.example.com:8443/',
        tlsVerify: false,
        followRedirects: false,
        assertions: [
          { ...STATUS, target: ['100-599'] },
          { source: 'certificateDays', property: null, comparison: 'greaterThan', target: 6 },
        ],
      },
      [],
    ],
    [
      'Globalping',
      { type: 'globalping', url: 'shop.example.com' },
      { url: 'https://shop.example.com' },
      [
        'https:// is added to the URL, as Upptime does.',
        'Checks run from the regions of Pharos instead of the Globalping network.',
      ],
    ],
    [
      'IPv6',
      { check: 'tcp-ping', url: 'shop.example.com', port: '80', ipv6: true },
      { type: 'tcp', url: 'shop.example.com:80' },
      ['Checks use IPv4 or IPv6, not only IPv6.'],
    ],
    [
      'WebSocket',
      { check: 'ws', url: 'ws://shop.example.com/live' },
      { type: 'tcp', url: 'shop.example.com:80' },
      [
        'The WebSocket connection and message are not imported: Pharos checks that the port accepts connections.',
      ],
    ],
  ])('with %s', async (_, settings, expected, changes) => {
    const item = onlyItem(await site(settings));
    expect(item.monitor).toMatchObject(expected);
    expect(item.changes).toEqual(changes);
  });

  it.each([
    ['a secret URL', { url: 'https://$HOST/' }, /secret of the repository/],
    [
      'a secret port',
      { check: 'tcp-ping', url: 'db.example.com', port: '$PORT' },
      /secret of the repository/,
    ],
    ['no URL', { url: null }, /no host, port or URL/],
    ['no port', { check: 'tcp-ping', url: 'db.example.com' }, /no host, port or URL/],
    ['a check of the future', { check: 'quic' }, /no check of this type/],
  ])('says why a site with %s is not imported', async (_, settings, reason) => {
    expect(onlyItem(await site(settings))).toMatchObject({
      monitor: null,
      reason: expect.stringMatching(reason),
    });
  });

  it.each([
    ['*/5 * * * *', 300, []],
    ['* * * * *', 60, []],
    ['7,22,37,52 * * * *', 300, ['Interval 15 minutes becomes 5 minutes.']],
    ['not a schedule', 300, []],
  ])('is checked as often as its workflow runs (%s)', async (uptime, interval, changes) => {
    const sites = [{ name: 'Shop', url: 'https://shop.example.com/' }];
    const item = onlyItem(await importText('upptime', { sites, workflowSchedule: { uptime } }));
    expect(item.monitor?.interval).toBe(interval);
    expect(item.changes).toEqual(changes);
  });

  it('identifies a site by its slug, or else by its name', async () => {
    const renamed = onlyItem(await site({ name: 'New shop', slug: 'shop' }));
    expect(renamed.monitor?.ref).toBe('upptime-shop');
    const moved = onlyItem(await site({ url: 'https://new.example.com/' }));
    expect(moved.monitor?.ref).toBe(onlyItem(await site({})).monitor?.ref);
  });

  it.each([
    ['another YAML', 'endpoints: []', /no sites of Upptime\. Choose \.upptimerc\.yml/],
    ['no YAML', 'sites: [', /not valid YAML/],
  ])('is rejected as %s', async (_, content, message) => {
    await expect(importText('upptime', content)).rejects.toThrow(message);
  });
});

it('numbers that are not understood become those of Upptime, and the plan says so', async () => {
  const site = {
    name: 'Shop',
    url: 'http://a.test/',
    maxResponseTime: 'slow',
    requestTimeout: -1,
    maxRedirects: 'few',
  };
  const { changes } = onlyItem(await importText('upptime', { sites: [site] }));
  expect(changes).toEqual([
    'Timeout “-1” is not understood and becomes 1 minute.',
    'Maximum redirects “few” is not understood and becomes 3.',
    'Maximum response time “slow” is not understood and becomes 1m.',
  ]);
});
