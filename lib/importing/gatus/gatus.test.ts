import { describe, expect, it } from 'vitest';
import { importText, onlyItem, unset } from '../testing/import-text';
import { FIELDS } from './fields';

/** A placeholder of Gatus. */
const env = (name: string) => `\${${name}}`;

const CONFIG = `
alerting:
  email:
    host: mail.example.com
    password: "\${SMTP_PASSWORD}"
    default-alert:
      failure-threshold: 5
      success-threshold: 3
  discord:
    webhook-url: https://chat.example.com/hush

maintenance:
  start: 23:00
  duration: 1h

x-defaults: &defaults
  interval: 2m
  group: core
  client:
    timeout: 5s

endpoints:
  - name: website
    <<: *defaults
    url: https://www.example.com/
    headers:
      Authorization: "Bearer \${API_TOKEN}"
      X-Price: "5$$"
    conditions:
      - "[STATUS] == 200"
      - "[RESPONSE_TIME] < 500"
      - "[CERTIFICATE_EXPIRATION] > 48h"
      - "[BODY] == pat(*Welcome*)"
    alerts:
      - type: email
      - type: discord
        failure-threshold: 4
        success-threshold: 2
  - name: dns
    group: core
    url: 192.0.2.53
    dns:
      query-name: example.com
      query-type: MX
    conditions:
      - "[DNS_RCODE] == NOERROR"

external-endpoints:
  - name: backup
    group: jobs
    token: hush
    heartbeat:
      interval: 24h
    alerts:
      - type: email
        failure-threshold: 2
  - name: reports
    token: hush

suites:
  - name: checkout
    endpoints: []
`;

describe('the configuration of Gatus', () => {
  it('becomes a monitor per endpoint', async () => {
    const { items, notes } = await importText('gatus', CONFIG);
    expect(items).toEqual([
      {
        name: 'website',
        kind: 'http',
        reason: null,
        changes: [
          'The value of the header Authorization is not in the file. Enter it in Pharos; a later import keeps it.',
          'The group core becomes a tag.',
        ],
        monitor: {
          ...unset(FIELDS, 'http'),
          name: 'website',
          ref: expect.stringMatching(/^gatus-core-website-[0-9a-f]{8}$/),
          type: 'http',
          url: 'https://www.example.com/',
          headers: { Authorization: '[hidden]', 'X-Price': '5$' },
          expectedStatusCode: 200,
          assertions: [
            { source: 'responseTime', property: null, comparison: 'lessThan', target: 500 },
            { source: 'certificateDays', property: null, comparison: 'greaterThan', target: 1 },
            { source: 'body', property: null, comparison: 'contains', target: 'Welcome' },
          ],
          followRedirects: true,
          tlsVerify: true,
          timeout: 5,
          interval: 120,
          alertThreshold: 4,
          recoveryThreshold: 2,
          tags: ['core'],
          enabled: true,
        },
      },
      expect.objectContaining({
        name: 'dns',
        kind: 'dns',
        monitor: expect.objectContaining({ type: 'dns', url: 'dns://192.0.2.53/example.com?type=MX' }),
      }),
      expect.objectContaining({
        name: 'backup',
        changes: [
          'Its job must call another URL, which is shown after the import.',
          'The group jobs becomes a tag.',
        ],
        monitor: {
          ...unset(FIELDS, 'heartbeat'),
          name: 'backup',
          ref: expect.stringMatching(/^gatus-jobs-backup-[0-9a-f]{8}$/),
          type: 'heartbeat',
          url: '',
          period: 86_400,
          grace: 0,
          alertThreshold: 2,
          recoveryThreshold: 3,
          tags: ['jobs'],
          enabled: true,
        },
      }),
      expect.objectContaining({
        name: 'reports',
        monitor: null,
        reason: expect.stringContaining('no heartbeat interval'),
      }),
    ]);
    expect(notes).toEqual([
      "Some values are in the environment of Gatus. Put its variables into a file, as NAME=value, and import with --variables FILE on the command line; or run envsubst '$API_TOKEN' < config.yaml > full.yaml with them set, and import full.yaml.",
      '2 alerting providers are not imported.',
      '1 suite is not imported.',
      '1 maintenance window is not imported.',
    ]);
  });

  it('mentions no secret', async () => {
    const { items, notes } = await importText('gatus', CONFIG);
    const shown = items.map(({ changes, reason }) => [changes, reason]);
    expect(JSON.stringify([shown, notes])).not.toMatch(/hush|Bearer/);
  });

  /** The plan of one endpoint. */
  const read = async (endpoint: object) =>
    onlyItem(
      await importText('gatus', {
        endpoints: [{ name: 'api', url: 'https://api.example.com/', ...endpoint }],
      }),
    );

  it.each([
    ['a TCP port', { url: 'tcp://db.example.com:5432' }, { type: 'tcp', url: 'db.example.com:5432' }],
    [
      'what is sent to a port, and that it responds',
      { url: 'tcp://cache.example.com:6379', body: '[ENDPOINT_NAME]\r\n' },
      {
        send: 'api\r\n',
        assertions: [{ source: 'banner', property: null, comparison: 'matches', target: '(?s).' }],
      },
    ],
    ['ping', { url: 'icmp://2001:db8::1' }, { type: 'ping', url: '2001:db8::1' }],
    [
      'TLS',
      { url: 'tls://mail.example.com:993' },
      { type: 'tcp', url: 'mail.example.com:993', protocol: 'tls', tlsVerify: true },
    ],
    [
      'STARTTLS',
      { url: 'starttls://mail.example.com:587' },
      { type: 'tcp', url: 'mail.example.com:587', protocol: 'smtp' },
    ],
    ['SSH', { url: 'ssh://host.example.com' }, { type: 'tcp', url: 'host.example.com:22', protocol: 'ssh' }],
    ['WebSocket', { url: 'wss://live.example.com/socket' }, { type: 'tcp', url: 'live.example.com:443' }],
    ['gRPC', { url: 'grpc://grpc.example.com:50051' }, { type: 'tcp', url: 'grpc.example.com:50051' }],
    ['GraphQL', { method: 'POST', graphql: true, body: '{ ok }' }, { body: '{"query":"{ ok }"}' }],
    ['a short timeout', { client: { timeout: '500ms' } }, { timeout: 1 }],
    [
      'no redirects',
      { client: { 'ignore-redirect': true, insecure: true } },
      { followRedirects: false, tlsVerify: false },
    ],
    [
      'alerts without thresholds',
      { alerts: [{ type: 'email' }] },
      { alertThreshold: 3, recoveryThreshold: 2 },
    ],
    ['a pause', { enabled: false }, { enabled: false }],
  ])('imports %s', async (_, endpoint, expected) => {
    expect((await read(endpoint)).monitor).toMatchObject(expected);
  });

  it.each([
    ['UDP', { url: 'udp://game.example.com:27015' }, /UDP/],
    ['SCTP', { url: 'sctp://core.example.com:38412' }, /SCTP/],
    [
      'a failure',
      { url: 'tcp://db.example.com:5432', conditions: ['[CONNECTED] == false'] },
      /cannot invert/,
    ],
    [
      'a name whose lookup fails',
      { url: '192.0.2.53', dns: { 'query-name': 'a.example.com' }, conditions: ['[DNS_RCODE] != NOERROR'] },
      /cannot invert/,
    ],
    ['no status', { conditions: ['[STATUS] == 200', '[STATUS] == 204'] }, /accept no status code/],
    ['OAuth', { client: { oauth2: { 'client-secret': 'hush' } } }, /OAuth/],
    ['a client certificate', { client: { tls: { 'private-key-file': 'key.pem' } } }, /Client certificates/],
    ['a tunnel', { client: { tunnel: 'bastion' } }, /SSH tunnels/],
    [
      'a placeholder as host',
      { url: `https://${env('HOST')}/health` },
      /The host is the placeholder \$\{HOST\}/,
    ],
    [
      'a NAPTR record',
      { url: '192.0.2.53', dns: { 'query-name': 'a.example.com', 'query-type': 'NAPTR' } },
      /type NAPTR/,
    ],
  ])('says why it does not import %s', async (_, endpoint, reason) => {
    expect(await read(endpoint)).toMatchObject({ monitor: null, reason: expect.stringMatching(reason) });
  });

  it('derives refs from group and name alone', async () => {
    const endpoint = { name: 'api', group: 'core', url: 'https://api.example.com/' };
    const [alone, among] = await Promise.all([
      importText('gatus', { endpoints: [endpoint] }),
      importText('gatus', {
        endpoints: [
          { ...endpoint, group: '' },
          { ...endpoint, url: 'https://new.example.com/' },
        ],
      }),
    ]);
    expect(among.items[1]?.monitor?.ref).toBe(alone.items[0]?.monitor?.ref);
    expect(among.items[0]?.monitor?.ref).toBe('gatus-api');
  });

  it.each([
    ['another YAML', 'services: {}', /no endpoints of Gatus/],
    ['no YAML', 'endpoints: [', /not valid YAML/],
  ])('is rejected as %s', async (_, content, message) => {
    await expect(importText('gatus', content)).rejects.toThrow(message);
  });
});

it('durations that are not understood become those that Gatus uses without them, and the plan says so', async () => {
  const { changes, monitor } = onlyItem(
    await importText('gatus', {
      endpoints: [{ name: 'a', url: 'http://a.test/', interval: 'banana', client: { timeout: 'long' } }],
    }),
  );
  expect(changes).toEqual(
    expect.arrayContaining([
      'Timeout “long” is not understood and becomes 10 seconds.',
      'Interval “banana” is not understood and becomes 1 minute.',
    ]),
  );
  expect(monitor).toMatchObject({ interval: 60, timeout: 10 });
});
