import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { importText, onlyItem, unset } from '../testing/import-text';
import { FIELDS } from './fields';

const read = () => readFile(join(import.meta.dirname, 'testing', 'prometheus.yml'), 'utf8');
const STATUS = { source: 'status', property: null, comparison: 'oneOf', target: ['2xx'] };
const STANDARD = [
  { source_labels: ['__address__'], target_label: '__param_target' },
  { source_labels: ['__param_target'], target_label: 'instance' },
  { target_label: '__address__', replacement: '127.0.0.1:9115' },
];
const job = (settings: object, target = 'https://www.example.com/') => ({
  job_name: 'sites',
  metrics_path: '/probe',
  static_configs: [{ targets: [target] }],
  relabel_configs: STANDARD,
  ...settings,
});
const importJob = async (settings: object, more: object = {}) =>
  onlyItem(await importText('prometheus', { scrape_configs: [job(settings)], ...more }));
const importModule = async (module: object, target = 'https://www.example.com/') =>
  onlyItem(
    await importText('prometheus', {
      scrape_configs: [job({ params: { module: ['m'] } }, target)],
      modules: { m: module },
    }),
  );
const pattern = (
  source: string,
  comparison: string,
  target: string | null,
  property: string | null = null,
) => ({
  source,
  property,
  comparison,
  target,
});

describe('the configurations of Prometheus and its blackbox exporter', () => {
  it('become a monitor per target, or a reason why not', async () => {
    const { items, notes } = await importText('prometheus', await read());
    expect(items.map(({ name, kind, monitor, reason }) => [name, kind, monitor?.url, reason])).toEqual([
      ['www.example.com', 'http', 'https://www.example.com', null],
      ['shop.example.com/health', 'http', 'https://shop.example.com/health?key=1', null],
      ['example.org', 'http', 'http://example.org', null],
      ['Old login', 'http', 'https://old.example.com/login', null],
      ['legacy.example.com', 'http', 'https://legacy.example.com', null],
      ['API', 'http', 'https://api.example.com/v1/status', null],
      ['gateway.example.com', 'icmp', 'gateway.example.com', null],
      ['192.0.2.10', 'icmp', '192.0.2.10', null],
      ['db.example.com:5432', 'tcp', 'db.example.com:5432', null],
      ['cache.example.com:6379', 'tcp', 'cache.example.com:6379', null],
      ['git.example.com:22', 'tcp', 'git.example.com:22', null],
      ['mail.example.com:25', 'tcp', 'mail.example.com:25', null],
      ['cache.example.com:6379', 'tcp', 'cache.example.com:6379', null],
      ['pop.example.com:995', 'tcp', 'pop.example.com:995', null],
      ['rpc.example.com:443', 'grpc', 'rpc.example.com:443', null],
      ['wss://socket.example.com/live', 'websocket', 'socket.example.com:443', null],
      ['/run/app.sock', 'unix', undefined, expect.stringContaining('Unix sockets')],
      ['192.0.2.53', 'dns', 'dns://192.0.2.53/example.com?type=MX', null],
      ['ns1.example.com:5353', 'dns', 'dns://ns1.example.com:5353/example.com?type=MX', null],
      ['example.com@http_2xx', 'http', undefined, expect.stringContaining('relabeling')],
    ]);
    expect(notes).toEqual([
      '1 service discovery is not imported.',
      '1 rule file is not imported.',
      '2 jobs of other exporters are not imported.',
    ]);
  });

  it('become the same plan again', async () => {
    const first = await importText('prometheus', await read());
    expect(await importText('prometheus', await read())).toEqual(first);
    const refs = first.items.flatMap(({ monitor }) => monitor?.ref ?? []);
    expect(new Set(refs).size).toBe(18);
  });

  it('have the refs of the targets in whatever order they are', async () => {
    const [ports, sites] = [job({ job_name: 'a' }), job({ job_name: 'b' })];
    const refs = async (scrape_configs: object[]) =>
      (await importText('prometheus', { scrape_configs })).items.map(({ monitor }) => monitor?.ref);
    expect(await refs([ports, sites])).toEqual((await refs([sites, ports])).reverse());
  });

  it('have the defaults of the exporter for what a module does not set', async () => {
    expect(await importModule({ prober: 'http' })).toEqual({
      name: 'www.example.com',
      kind: 'http',
      reason: null,
      changes: [],
      monitor: {
        ...unset(FIELDS, 'http'),
        name: 'www.example.com',
        ref: expect.stringMatching(/^prometheus-sites-www-example-com-\w{8}$/),
        type: 'http',
        url: 'https://www.example.com/',
        timeout: 10,
        maxRedirects: 10,
        assertions: [STATUS],
        tags: ['sites'],
      },
    });
  });

  it.each([
    [
      'basic authentication',
      { basic_auth: { username: 'ann', password: 'hush' } },
      { headers: { Authorization: 'Basic YW5uOmh1c2g=' } },
    ],
    [
      'a password in a file',
      { basic_auth: { username: 'ann', password_file: '/p' } },
      { headers: { Authorization: '[hidden]' } },
    ],
    [
      'a secret that the exporter hides',
      { bearer_token: '<secret>' },
      { headers: { Authorization: '[hidden]' } },
    ],
    [
      'a token',
      { authorization: { type: 'Token', credentials: 'hush' } },
      { headers: { Authorization: 'Token hush' } },
    ],
    ['a token in a file', { bearer_token_file: '/t' }, { headers: { Authorization: '[hidden]' } }],
    [
      'headers with lists',
      { http_headers: { Accept: { values: ['a', 'b'] }, 'X-Key': { files: ['/k'] } } },
      { headers: { Accept: 'b', 'X-Key': '[hidden]' } },
    ],
    ['a body in a file', { method: 'POST', body_file: '/b' }, { method: 'POST', body: '[hidden]' }],
    ['no redirects', { follow_redirects: false }, { followRedirects: false }],
    ['codes', { valid_status_codes: [200, 204] }, { assertions: [{ ...STATUS, target: [200, 204] }] }],
    ['no verification', { tls_config: { insecure_skip_verify: true } }, { tlsVerify: false }],
    [
      'patterns for the body',
      { fail_if_body_matches_regexp: ['Error'], fail_if_body_not_matches_regexp: ['Welcome', 'to'] },
      {
        assertions: [
          STATUS,
          pattern('body', 'notMatches', 'Error'),
          pattern('body', 'matches', 'Welcome'),
          pattern('body', 'matches', 'to'),
        ],
      },
    ],
    [
      'patterns for headers',
      {
        fail_if_header_matches: [
          { header: 'Set-Cookie', regexp: '.*', allow_missing: true },
          { header: 'Server', regexp: 'old' },
        ],
        fail_if_header_not_matches: [{ header: 'Access-Control-Allow-Origin', regexp: 'example' }],
      },
      {
        assertions: [
          STATUS,
          pattern('header', 'notMatches', '.*', 'Set-Cookie'),
          pattern('header', 'notMatches', 'old', 'Server'),
          pattern('header', 'exists', null, 'Server'),
          pattern('header', 'matches', 'example', 'Access-Control-Allow-Origin'),
        ],
      },
    ],
  ])('become a request with %s', async (_, http, expected) => {
    expect((await importModule({ prober: 'http', http })).monitor).toMatchObject(expected);
  });

  it('say what a request is imported without', async () => {
    const http = {
      fail_if_ssl: true,
      fail_if_body_json_matches_cel: 'body.a',
      fail_if_header_not_matches: [{ header: 'A', regexp: 'b', allow_missing: true }],
      proxy_url: 'http://127.0.0.1:3128',
      tls_config: { ca_file: '/c', server_name: 'a.example.com' },
    };
    const { changes } = await importModule({ prober: 'http', http });
    expect(changes).toEqual([
      'The condition on a header is not imported: in Pharos a header that must match cannot be missing.',
      'The condition on the JSON of the response is not imported: Pharos does not evaluate CEL.',
      'The condition on TLS is not imported: Pharos cannot require that there is none.',
      'The certificate authority is not imported: workers use their own list.',
      'The TLS server name is not imported: it is the host of the URL.',
      'The proxy is not imported: checks connect directly.',
    ]);
  });

  it('keep as many conditions as Pharos permits', async () => {
    const patterns = Array.from({ length: 1000 }, (_, n) => `p${n}`);
    const http = { fail_if_body_not_matches_regexp: patterns };
    const { monitor, changes } = await importModule({ prober: 'http', http });
    expect(monitor?.assertions).toHaveLength(20);
    expect(changes).toEqual([expect.stringContaining('at most 20 assertions')]);
  });

  it.each([
    ['TLS', { tls: true }, 'tls', true],
    ['TLS without verification', { tls: true, tls_config: { insecure_skip_verify: true } }, 'tls', false],
    [
      'STARTTLS of SMTP',
      {
        query_response: [
          { expect: '^220' },
          { send: 'EHLO a' },
          { expect: '^250-STARTTLS' },
          { send: 'STARTTLS' },
          { starttls: true },
        ],
      },
      'smtp',
      true,
    ],
    [
      'STARTTLS of IMAP',
      { query_response: [{ send: '. STARTTLS' }, { expect: 'OK' }, { starttls: true }] },
      'imap',
      true,
    ],
    [
      'STLS of POP3',
      { query_response: [{ send: 'STLS' }, { expect: 'OK' }, { starttls: true }] },
      'pop3',
      true,
    ],
    [
      'AUTH TLS of FTP',
      { query_response: [{ send: 'AUTH TLS' }, { expect: '234' }, { starttls: true }] },
      'ftp',
      true,
    ],
    ['no TLS', { query_response: [{ expect: '^SSH-2.0-' }] }, 'none', true],
  ])('become a connection with the protocol of %s', async (_, tcp, protocol, tlsVerify) => {
    const { monitor } = await importModule({ prober: 'tcp', tcp }, 'a.example.com:1');
    expect(monitor).toMatchObject({ type: 'tcp', protocol, tlsVerify });
  });

  it.each([
    ['a banner', [{ expect: '^SSH-2.0-' }], [pattern('banner', 'matches', '(?m)^SSH-2.0-')], null, []],
    [
      'a line, whose end the exporter does not see',
      [{ expect: '^220 .*$' }],
      [pattern('banner', 'matches', '(?m)^220 .*\\r?$')],
      null,
      [],
    ],
    [
      'a request and its response',
      [{ send: 'NICK a\r' }, { send: 'PING\r' }, { expect: 'PONG' }],
      [pattern('banner', 'matches', '(?m)PONG')],
      'NICK a\r\nPING\r\n',
      [],
    ],
    ['bytes', [{ expect_bytes: '+OK' }], [pattern('banner', 'matches', '^\\+OK')], null, []],
    [
      'a longer conversation',
      [{ expect: 'PING', send: 'PONG' }, { expect: '001' }],
      [pattern('banner', 'matches', '(?m)PING')],
      null,
      ['The conversation is not imported after its first response.'],
    ],
    [
      'nothing but requests',
      [{ send: 'QUIT' }],
      [],
      null,
      ['The conversation is not imported: Pharos checks that the port accepts connections.'],
    ],
  ])('become a connection with %s', async (_, query_response, assertions, send, changes) => {
    const item = await importModule({ prober: 'tcp', tcp: { query_response } }, 'a.example.com:1');
    expect(item.monitor).toMatchObject({ type: 'tcp', assertions, send });
    expect(item.changes).toEqual(changes);
  });

  it.each([
    [{ query_name: 'example.com', query_type: 'A' }, { url: 'dns://192.0.2.53/example.com?type=A' }, []],
    [
      { query_name: 'gone.example.com', query_type: 'A', valid_rcodes: ['NXDOMAIN'] },
      { expectedAnswer: 'none' },
      [],
    ],
    [
      { query_name: 'example.com', query_type: 'A', valid_rcodes: ['REFUSED'], transport_protocol: 'tcp' },
      { expectedAnswer: 'records' },
      [
        'The transport protocol is not imported.',
        'The condition on the response code is not imported: Pharos expects records, or none.',
      ],
    ],
  ])('become a query %j', async (dns, expected, changes) => {
    const item = await importModule({ prober: 'dns', dns }, '192.0.2.53');
    expect(item.monitor).toMatchObject(expected);
    expect(item.changes).toEqual(changes);
  });

  it.each([
    ['OAuth', { prober: 'http', http: { oauth2: { client_id: 'a' } } }, /OAuth/],
    [
      'a client certificate',
      { prober: 'http', http: { tls_config: { cert_file: '/c' } } },
      /Client certificates/,
    ],
    ['any record', { prober: 'dns', dns: { query_name: 'example.com' } }, /type ANY/],
    ['no name to resolve', { prober: 'dns' }, /which name to resolve/],
    ['DNS over TLS', { prober: 'dns', dns: { query_name: 'a.example.com', dns_over_tls: true } }, /over TLS/],
    ['no port', { prober: 'tcp' }, /no host, port or URL/],
    ['a prober of the future', { prober: 'quic' }, /no check of this type/],
  ])('say why a target with %s is not imported', async (_, module, reason) => {
    expect(await importModule(module, 'www.example.com')).toMatchObject({
      monitor: null,
      reason: expect.stringMatching(reason),
    });
  });

  it.each([
    ['http_2xx', 'https://a.example.com', { type: 'http' }, /comes with the exporter/],
    ['http_post_2xx', 'https://a.example.com', { type: 'http', method: 'POST' }, /comes with the exporter/],
    ['icmp_ipv4', 'a.example.com', { type: 'ping' }, /from its name/],
    ['tls_check', 'a.example.com:443', { type: 'tcp' }, /from its name/],
    ['shop', 'https://a.example.com', { type: 'http' }, /from the target/],
    ['shop', 'a.example.com:443', { type: 'tcp' }, /from the target/],
    ['shop', 'a.example.com', { type: 'ping' }, /from the target/],
  ])(
    'take the module %s of %s from its name or target if it is not there',
    async (module, target, expected, doubt) => {
      const scrape_configs = [job({ params: { module: [module] } }, target)];
      const item = onlyItem(await importText('prometheus', { scrape_configs }));
      expect(item.monitor).toMatchObject(expected);
      expect(item.changes).toEqual([expect.stringMatching(doubt)]);
    },
  );

  it('keep what only the module could say if it is not there', async () => {
    const { monitor } = await importJob({ params: { module: ['http_login'] } });
    for (const name of ['method', 'headers', 'body']) expect(monitor).not.toHaveProperty(name);
    const scrape_configs = [job({ params: { module: ['tcp_irc'] } }, 'irc.example.com:6667')];
    expect(onlyItem(await importText('prometheus', { scrape_configs })).monitor).not.toHaveProperty('send');
  });

  it.each([
    [{}, {}, { interval: 60, timeout: 10 }],
    [{ scrape_interval: '2m', scrape_timeout: '30s' }, {}, { interval: 120, timeout: 30 }],
    [{}, { scrape_interval: '3m', scrape_timeout: '15s' }, { interval: 180, timeout: 15 }],
    [{ scrape_interval: '1d' }, {}, { interval: 300 }],
  ])('have the times of a job %j or of all %j', async (settings, global, expected) => {
    expect((await importJob(settings, { global })).monitor).toMatchObject(expected);
  });

  it('have labels and the job as tags, and the name that a target has alone', async () => {
    const labels = { env: 'production', instance: 'Site' };
    const one = await importJob({
      static_configs: [{ targets: ['https://a.example.com'], labels }],
      relabel_configs: STANDARD.slice(0, 1),
    });
    expect(one.monitor).toMatchObject({ name: 'Site', tags: ['sites', 'env: production'] });
    const targets = ['https://a.example.com', 'https://b.example.com'];
    const scrape_configs = [
      job({ static_configs: [{ targets, labels }], relabel_configs: STANDARD.slice(0, 1) }),
    ];
    const { items } = await importText('prometheus', { scrape_configs });
    expect(items.map(({ monitor }) => [monitor?.name, monitor?.tags])).toEqual([
      ['a.example.com', ['sites', 'env: production', 'instance: Site']],
      ['b.example.com', ['sites', 'env: production', 'instance: Site']],
    ]);
  });

  it.each([
    ['a constant module', { target_label: '__param_module', replacement: 'http_other' }, /from its name/],
    ['a choice of targets', { action: 'keep', source_labels: ['env'], regex: 'a' }, /keep or drop targets/],
    ['other labels', { source_labels: ['job'], regex: '(.)(.*)', target_label: 'a' }, /tags may be missing/],
  ])('apply the rules of a job with %s, or say that they do not', async (_, rule, change) => {
    const { changes } = await importJob({ relabel_configs: [...STANDARD, rule] });
    expect(changes).toContainEqual(expect.stringMatching(change));
  });

  it('can pass the target as a parameter', async () => {
    const params = { module: ['http_2xx'], target: ['https://a.example.com'] };
    const { monitor } = await importJob({ params, relabel_configs: undefined });
    expect(monitor?.url).toBe('https://a.example.com');
  });

  it.each([
    ['a list of targets', [{ targets: ['https://a.example.com'], labels: { module: 'http_2xx' } }]],
    ['a list of jobs', [job({}, 'https://a.example.com')]],
  ])('can be %s alone', async (_, content) => {
    for (const text of [JSON.stringify(content), stringify(content)]) {
      const { monitor } = onlyItem(await importText('prometheus', text));
      expect(monitor).toMatchObject({ type: 'http', url: 'https://a.example.com', assertions: [STATUS] });
    }
  });

  it('count lists in files that are not there', async () => {
    const scrape_configs = [job({ file_sd_configs: [{ files: ['a.yml'] }] })];
    const { notes } = await importText('prometheus', { scrape_configs });
    expect(notes).toEqual(['1 list of targets in another file is not imported.']);
  });

  it.each([
    [
      'other jobs',
      { scrape_configs: [{ job_name: 'node', static_configs: [] }] },
      /no targets of the blackbox/,
    ],
    ['only modules', { modules: { http_2xx: { prober: 'http' } } }, /no targets of the blackbox/],
    ['too many documents', '---\na: 1\n'.repeat(1001), /not valid YAML, or too large/],
    ['no YAML', 'scrape_configs: [', /not valid YAML/],
    [
      'targets that share too much',
      [{ targets: Array.from({ length: 5000 }, () => 'a'), labels: { a: 'b'.repeat(5000) } }],
      /too large\. Split the file/,
    ],
  ])('are rejected as %s', async (_, content, message) => {
    await expect(importText('prometheus', content)).rejects.toThrow(message);
  });
});
