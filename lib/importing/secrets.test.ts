import { describe, expect, it } from 'vitest';
import { importText } from './testing/import-text';

const SECRET = 'hush';
/** Targets with a password, valid and not. */
const URLS = [
  `https://ann:${SECRET}@www.example.com/`,
  `ftp://ann:${SECRET}@www.example.com/`,
  `https://ann:${SECRET}@`,
  `https://ann:pa$${SECRET}@www.example.com/`,
];
const HEADERS = {
  Authorization: `Bearer ${SECRET}`,
  'X-Token': `${SECRET}→`,
  Host: SECRET,
  [`Bearer ${SECRET}`]: 'a',
};
const BODY = `{"token":"${SECRET}"}`;
const pairs = Object.entries(HEADERS).map(([name, value]) => ({ name, key: name, value }));

const FILES = [
  [
    'uptimerobot',
    {
      stat: 'ok',
      monitors: URLS.flatMap((url) =>
        [1, 2, 3, 4, 5].map((type) => ({
          type,
          url,
          keyword_type: 2,
          keyword_value: ` ${SECRET} `,
          http_username: 'ann',
          http_password: SECRET,
          custom_http_headers: HEADERS,
          post_value: BODY,
        })),
      ),
    },
  ],
  [
    'better-stack',
    {
      data: URLS.flatMap((url) =>
        ['status', 'keyword', 'keyword_absence', 'ping', 'tcp', 'dns', 'smtp'].map((monitor_type) => ({
          type: 'monitor',
          attributes: {
            monitor_type,
            url,
            required_keyword: ` ${SECRET} `,
            auth_username: 'ann',
            auth_password: SECRET,
            request_headers: pairs,
            request_body: BODY,
          },
        })),
      ),
    },
  ],
  [
    'gatus',
    {
      alerting: { email: { password: SECRET } },
      endpoints: [
        ...URLS,
        `tcp://ann:${SECRET}@db.example.com:5432`,
        `ssh://ann:${SECRET}@a.example.com`,
        `https://ann:$PASSWORD${SECRET}@www.example.com/`,
      ].map((url) => ({
        name: 'api',
        url,
        headers: HEADERS,
        body: BODY,
        conditions: [
          `[BODY].token == ${SECRET}`,
          `[BODY] == ${SECRET}`,
          `[STATUS] == ${SECRET}`,
          `[STATUS] == 200 || [BODY].${SECRET} == ${SECRET}`,
          `[BODY] == pat(*${SECRET}/*)`,
        ],
        ssh: { password: SECRET },
      })),
    },
  ],
  [
    'openstatus',
    URLS.map((url) => ({
      id: 1,
      url,
      periodicity: '1m',
      headers: pairs,
      body: BODY,
      assertions: [
        { type: 'textBody', compare: 'eq', target: SECRET },
        { type: 'header', key: SECRET, compare: 'eq', target: SECRET },
      ],
    })),
  ],
  [
    'upptime',
    {
      sites: URLS.flatMap((url) =>
        ['http', 'ssl', 'tcp-ping', 'ws'].map((check) => ({
          url,
          check,
          headers: pairs.map(({ name, value }) => `${name}: ${value}`).concat(SECRET),
          body: BODY,
          __dangerous__body_down: ` ${SECRET} `,
          __dangerous__body_down_if_text_missing: ` ${SECRET} `,
        })),
      ),
    },
  ],
  [
    'healthchecks',
    {
      checks: ['1h', '* * * * *', `every ${SECRET}`, '61 * * * *'].map((schedule) => ({
        name: 'Backup',
        uuid: `${SECRET}-8da9-4729-8ff3-aaa71d56b712`,
        ping_url: `https://ping.example.com/${SECRET}`,
        desc: SECRET,
        schedule,
        tz: SECRET,
        success_kw: SECRET,
        filter_body: true,
      })),
    },
  ],
  [
    'prometheus',
    {
      scrape_configs: [
        {
          job_name: 'sites',
          metrics_path: '/probe',
          params: { module: ['api'] },
          static_configs: [{ targets: URLS }, { targets: URLS.slice(0, 1), labels: { name: 'One' } }],
          relabel_configs: ['__param_target', 'instance', 'address'].map((label) => ({
            source_labels: ['__address__'],
            target_label: label,
          })),
        },
        ...['tcp', 'dns', 'icmp', 'grpc'].map((module) => ({
          job_name: module,
          metrics_path: '/probe',
          params: { module: [module] },
          static_configs: [{ targets: URLS }],
        })),
      ],
      modules: {
        api: {
          prober: 'http',
          http: {
            method: 'POST',
            headers: HEADERS,
            http_headers: { 'X-Other': { secrets: [SECRET] }, 'X-Odd': { values: [`${SECRET}→`] } },
            body: BODY,
            basic_auth: { username: 'ann', password: SECRET },
            bearer_token: SECRET,
            fail_if_body_matches_regexp: [SECRET, `(${SECRET}`],
            fail_if_header_not_matches: [{ header: SECRET, regexp: SECRET, allow_missing: true }],
          },
        },
        tcp: { prober: 'tcp', tcp: { query_response: [{ send: SECRET }, { expect: `(${SECRET}` }] } },
      },
    },
  ],
  ['csv', URLS.join('\n')],
  [
    'csv',
    ['url,headers,body,keyword', ...URLS.map((url) => `${url},Bearer ${SECRET},"${SECRET}",${SECRET}`)].join(
      '\n',
    ),
  ],
] as const;

describe('what an import says of a file', () => {
  it.each(FILES)('from %s contains no password, token, body or keyword', async (source, content) => {
    const { items, notes } = await importText(source, content);
    const said = items.map(({ name, kind, changes, reason, monitor }) => [
      name,
      kind,
      changes,
      reason,
      monitor?.name,
      monitor?.ref,
    ]);
    expect(items.length).toBeGreaterThan(3);
    expect(JSON.stringify([said, notes])).not.toContain(SECRET);
  });
});
