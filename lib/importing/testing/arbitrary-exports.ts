import fc from 'fast-check';
import { type ImportPlan, type ImportSource, readImport } from '@/lib/importing';
import { createKumaDatabase } from './create-kuma-database';
import { importText } from './import-text';

const URLS = ['https://shop.example.com/', 'https://shop.example.com/health', 'https://blog.example.org/'];
const url = fc.constantFrom(...URLS);
const method = fc.constantFrom('GET', 'POST', 'HEAD');
const seconds = fc.constantFrom(30, 60, 300);
const word = fc.constantFrom('welcome', 'healthy', 'ready');
const flag = fc.boolean();
const headers = fc.dictionary(fc.constantFrom('Accept', 'Authorization', 'X-Token'), word, { maxKeys: 2 });

/** Each monitor has some of these settings. */
const some = <Settings extends object>(
  settings: { [Name in keyof Settings]: fc.Arbitrary<Settings[Name]> },
) => fc.record(settings, { requiredKeys: [] });

/** Up to three monitors, numbered in their order, so that two exports have some in common. */
const numbered = <Monitor>(monitor: fc.Arbitrary<Monitor>) =>
  fc.array(monitor, { minLength: 1, maxLength: 3 });

const kumaRow = some({
  type: fc.constantFrom('http', 'keyword', 'ping', 'port', 'dns', 'push'),
  method,
  body: fc.constant('{"a": 1}'),
  headers: headers.map((each) => JSON.stringify(each)),
  auth_method: fc.constantFrom('basic', ''),
  basic_auth_user: word,
  keyword: word,
  interval: seconds,
  maxretries: fc.nat(3),
  retry_interval: fc.constantFrom(0, 10, 60),
  maxredirects: fc.nat(3),
  description: word,
  active: fc.nat(1),
  ignore_tls: fc.nat(1),
  url,
});

const robot = some({
  type: fc.constantFrom(1, 2, 3, 5),
  http_method: fc.constantFrom(1, 2, 3),
  post_value: word,
  http_username: fc.constantFrom('', 'ann'),
  custom_http_headers: headers,
  keyword_type: fc.constantFrom(1, 2),
  keyword_value: word,
  interval: seconds,
  status: fc.constantFrom(0, 2),
  url,
});

const stack = some({
  monitor_type: fc.constantFrom('status', 'keyword', 'expected_status_code', 'ping'),
  http_method: method,
  request_headers: headers.map((each) => Object.entries(each).map(([name, value]) => ({ name, value }))),
  auth_username: fc.constantFrom('', 'ann'),
  request_body: word,
  required_keyword: word,
  expected_status_codes: fc.constant([200, 301]),
  check_frequency: seconds,
  confirmation_period: fc.constantFrom(0, 120),
  regions: fc.subarray(['us', 'eu']),
  follow_redirects: flag,
  url,
});

const endpoint = some({
  method,
  interval: fc.constantFrom('30s', '5m'),
  body: word,
  headers,
  group: word,
  enabled: flag,
  conditions: fc.subarray([
    '[STATUS] == 200',
    '[BODY].a == 1',
    '[RESPONSE_TIME] < 500',
    '[BODY] == pat(*a*)',
  ]),
  client: some({ insecure: flag, 'ignore-redirect': flag, timeout: fc.constant('5s') }),
  alerts: fc.constant([{ type: 'email', 'failure-threshold': 5, 'success-threshold': 3 }]),
  url: fc.oneof(url, fc.constantFrom('tcp://db.example.com:5432', 'icmp://gateway.example.com')),
});

const openstatus = some({
  kind: fc.constantFrom('http', 'tcp', 'dns'),
  frequency: fc.constantFrom('30s', '5m'),
  regions: fc.subarray(['iad', 'fra']),
  retry: fc.nat(4),
  degradedAfter: fc.constantFrom(500, 5000),
  active: flag,
  followRedirects: flag,
  assertions: fc.subarray([
    { kind: 'statusCode', compare: 'eq', target: 201 },
    { kind: 'textBody', compare: 'contains', target: 'ready' },
  ]),
});
const openstatusRequest = some({ method, headers, body: word });

const site = some({
  method,
  headers: headers.map((each) => Object.entries(each).map(([name, value]) => `${name}: ${value}`)),
  body: word,
  expectedStatusCodes: fc.constantFrom([200], [200, 301]),
  maxResponseTime: fc.constantFrom(500, 5000),
  maxRedirects: fc.nat(3),
  __dangerous__insecure: flag,
  __dangerous__body_down: word,
  check: fc.constantFrom('http', 'tcp-ping'),
  url,
});

const call = some({
  desc: word,
  tags: word,
  status: fc.constantFrom('up', 'paused'),
  grace: fc.constantFrom(60, 600),
});
const callTime = fc.oneof(
  fc.record({ timeout: fc.constantFrom(60, 3600) }),
  fc.record({ schedule: fc.constant('30 3 * * *'), tz: fc.constantFrom('UTC', 'Europe/Berlin') }),
);

const probeModule = fc.oneof(
  some({
    prober: fc.constant('http'),
    http: some({
      method,
      headers,
      body: word,
      valid_status_codes: fc.constant([200, 301]),
      fail_if_body_not_matches_regexp: fc.constant(['ready']),
      follow_redirects: flag,
    }),
  }),
  some({ prober: fc.constant('icmp'), timeout: fc.constant('5s') }),
  some({
    prober: fc.constant('tcp'),
    tcp: fc.constant({ query_response: [{ send: 'PING' }, { expect: 'PONG' }] }),
  }),
);

const row = some({
  type: fc.constantFrom('http', 'ping', 'heartbeat'),
  method,
  headers: headers.map((each) => JSON.stringify(each)),
  body: word,
  keyword: word,
  interval: seconds.map(String),
  timeout: fc.constant('5'),
  tags: fc.constantFrom('a', 'a;b'),
  regions: fc.constantFrom('us-east', 'us-east;eu-west'),
  period: fc.constant('3600'),
  tlsExpiryDays: fc.constant('14'),
  enabled: flag.map(String),
});

const withoutUnset = (row: Record<string, string | number | undefined>) =>
  Object.fromEntries(
    Object.entries(row).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );

type Arbitraries = Record<ImportSource, fc.Arbitrary<() => Promise<ImportPlan>>>;

/** Exports of each source, of up to three monitors with the same identities and arbitrary settings. */
export const ARBITRARY_EXPORTS: Arbitraries = {
  'uptime-kuma': numbered(kumaRow).map((rows) => async () => {
    const target = { hostname: 'gateway.example.com', port: 5432, url: URLS[0] };
    const monitor = rows.map((each, id) => ({
      type: 'http',
      ...target,
      ...each,
      id: id + 1,
      name: `M${id}`,
    }));
    return readImport('uptime-kuma', await createKumaDatabase({ monitor: monitor.map(withoutUnset) }));
  }),
  uptimerobot: numbered(robot).map((all) => () => {
    const monitors = all.map((each, id) => ({ type: 1, url: URLS[0], ...each, id, friendly_name: `M${id}` }));
    return importText('uptimerobot', { stat: 'ok', monitors });
  }),
  'better-stack': numbered(stack).map((all) => () => {
    const data = all.map((each, id) => {
      const attributes = { monitor_type: 'status', url: URLS[0], ...each, pronounceable_name: `M${id}` };
      return { id: String(id), type: 'monitor', attributes };
    });
    return importText('better-stack', { data });
  }),
  gatus: numbered(endpoint).map((all) => () => {
    const endpoints = all.map((each, id) => ({ url: URLS[0], ...each, group: '', name: `M${id}` }));
    return importText('gatus', { endpoints });
  }),
  openstatus: numbered(fc.tuple(openstatus, openstatusRequest)).map((all) => () => {
    const monitors = all.map(([each, sent], id) => {
      const { kind = 'http' } = each;
      const request =
        kind === 'http'
          ? { ...sent, url: URLS[0] }
          : { host: 'db.example.com', port: 5432, uri: 'example.com' };
      return [`m${id}`, { ...each, kind, name: `M${id}`, request }];
    });
    return importText('openstatus', Object.fromEntries(monitors));
  }),
  upptime: numbered(site).map((all) => () => {
    const sites = all.map((each, id) => ({ url: URLS[0], port: 443, ...each, name: `M${id}` }));
    return importText('upptime', { sites });
  }),
  healthchecks: numbered(fc.tuple(call, callTime)).map((all) => () => {
    const checks = all.map(([each, time], id) => {
      const uuid = `31365bce-8da9-4729-8ff3-aaa71d56b71${id}`;
      return { grace: 60, status: 'up', ...each, ...time, name: `M${id}`, uuid };
    });
    return importText('healthchecks', { checks });
  }),
  prometheus: numbered(probeModule).map((all) => () => {
    const modules = Object.fromEntries(all.map((each, id) => [`m${id}`, { prober: 'http', ...each }]));
    const scrape_configs = all.map((_, id) => ({
      job_name: `M${id}`,
      metrics_path: '/probe',
      params: { module: [`m${id}`] },
      static_configs: [{ targets: ['shop.example.com:443'], labels: { env: 'production' } }],
      relabel_configs: [
        { source_labels: ['__address__'], target_label: '__param_target' },
        { source_labels: ['__param_target'], target_label: 'instance' },
        { target_label: '__address__', replacement: '127.0.0.1:9115' },
      ],
    }));
    return importText('prometheus', { scrape_configs, modules });
  }),
  csv: numbered(row).map((rows) => () => {
    const columns = [...new Set(['name', 'url', ...rows.flatMap((each) => Object.keys(each))])];
    const lines = rows.map((each, id) => {
      const cells: Record<string, string> = { url: 'https://shop.example.com/', ...each, name: `M${id}` };
      return columns.map((column) => `"${(cells[column] ?? '').replaceAll('"', '""')}"`).join(',');
    });
    return importText('csv', [columns.join(','), ...lines].join('\n'));
  }),
};
