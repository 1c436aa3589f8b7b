import { describe, expect, it } from 'vitest';
import { importText, onlyItem, unset } from '../testing/import-text';
import { FIELDS } from './fields';

const YAML = `
# yaml-language-server: $schema=https://www.openstatus.dev/schema.json
shop:
  name: "Shop"
  description: "The start page"
  frequency: "10m"
  active: true
  regions: ["iad", "koyeb_fra", "gru"]
  retry: 2
  kind: http
  public: true
  degradedAfter: 3000
  timeout: 20000
  request:
    method: POST
    url: https://shop.example.com/
    body: '{"ping":true}'
    headers:
      Content-Type: application/json
      Authorization: Bearer hush
  assertions:
    - kind: statusCode
      compare: eq
      target: 200
    - kind: textBody
      compare: contains
      target: Welcome
    - kind: header
      compare: eq
      key: X-Cache
      target: hush
db:
  name: "Database"
  frequency: "30s"
  kind: tcp
  request:
    host: db.example.com
    port: 5432
mail:
  name: "Mail records"
  frequency: "5m"
  active: true
  kind: dns
  request:
    uri: example.com
  assertions:
    - kind: dnsRecord
      recordType: MX
      compare: contains
      target: hush
`;

describe('openstatus.yaml', () => {
  it('becomes a monitor per entry', async () => {
    const { items, notes } = await importText('openstatus', YAML);
    expect(items).toEqual([
      {
        name: 'Shop',
        kind: 'http',
        reason: null,
        changes: [
          'Interval 10 minutes becomes 5 minutes.',
          'The regions become us-east, eu-west; 1 region without a counterpart is left out.',
          '2 attempts within a check become failed checks in a row.',
        ],
        monitor: {
          ...unset(FIELDS, 'http'),
          name: 'Shop',
          ref: 'openstatus-shop',
          type: 'http',
          url: 'https://shop.example.com/',
          method: 'POST',
          body: '{"ping":true}',
          headers: { 'Content-Type': 'application/json', Authorization: 'Bearer hush' },
          expectedStatusCode: 200,
          assertions: [
            { source: 'body', property: null, comparison: 'contains', target: 'Welcome' },
            { source: 'header', property: 'X-Cache', comparison: 'equals', target: 'hush' },
          ],
          interval: 300,
          timeout: 20,
          degradedThreshold: 3000,
          alertThreshold: 2,
          regions: ['us-east', 'eu-west'],
          enabled: true,
        },
      },
      expect.objectContaining({
        name: 'Database',
        monitor: expect.objectContaining({
          type: 'tcp',
          url: 'db.example.com:5432',
          enabled: false,
          timeout: 45,
        }),
      }),
      expect.objectContaining({
        name: 'Mail records',
        changes: ['3 attempts within a check become failed checks in a row.'],
        monitor: expect.objectContaining({
          type: 'dns',
          url: 'dns:example.com?type=MX',
          assertions: [{ source: 'record', property: null, comparison: 'contains', target: 'hush' }],
          ref: 'openstatus-mail',
        }),
      }),
    ]);
    expect(notes).toEqual(['Public monitors are not public in Pharos: add them to a status page (1).']);
  });
});

const REST = {
  id: 123,
  periodicity: '1m',
  url: 'https://shop.example.com/',
  regions: ['fra', 'sin'],
  name: 'Shop',
  method: 'GET',
  body: '',
  headers: [{ key: 'X-Token', value: 'hush' }],
  assertions: [{ type: 'status', compare: 'lt', target: 400 }],
  active: true,
  public: false,
  degradedAfter: null,
  timeout: 45_000,
  retry: 1,
  followRedirects: false,
  jobType: 'http',
};

describe('a response of the API of openstatus', () => {
  it('v1 becomes a monitor per entry', async () => {
    expect(onlyItem(await importText('openstatus', [REST]))).toEqual({
      name: 'Shop',
      kind: 'http',
      reason: null,
      changes: [],
      monitor: {
        ...unset(FIELDS, 'http'),
        name: 'Shop',
        ref: 'openstatus-123',
        type: 'http',
        url: 'https://shop.example.com/',
        method: 'GET',
        headers: { 'X-Token': 'hush' },
        assertions: [{ source: 'status', property: null, comparison: 'oneOf', target: ['100-399'] }],
        followRedirects: false,
        interval: 60,
        timeout: 45,
        alertThreshold: 1,
        regions: ['eu-west', 'ap-southeast'],
        enabled: true,
      },
    });
  });

  it('with its RPC names leads to the same monitor', async () => {
    const http = {
      ...REST,
      id: '123',
      jobType: undefined,
      periodicity: 'PERIODICITY_1M',
      method: 'HTTP_METHOD_GET',
      regions: ['REGION_FLY_FRA', 'REGION_KOYEB_SIN'],
      timeout: '45000',
      retry: '1',
      assertions: undefined,
      statusCodeAssertions: [{ target: '400', comparator: 'NUMBER_COMPARATOR_LESS_THAN' }],
    };
    const tcp = {
      id: '124',
      name: 'Database',
      uri: 'db.example.com:5432',
      periodicity: 'PERIODICITY_1H',
      active: true,
    };
    const { items, notes } = await importText('openstatus', {
      httpMonitors: [http],
      tcpMonitors: [tcp],
      totalSize: 5,
    });
    expect(notes).toEqual(['The file has 2 of 5 monitors. Export with a higher limit.']);
    expect(items[0]).toEqual(onlyItem(await importText('openstatus', [REST])));
    expect(items[1]?.monitor).toMatchObject({
      type: 'tcp',
      url: 'db.example.com:5432',
      interval: 300,
      ref: 'openstatus-124',
    });
  });

  it('has an OpenTelemetry exporter only with an endpoint', async () => {
    const monitors = [{}, { endpoint: ' ', headers: {} }, { endpoint: 'https://otel.example.com' }].map(
      (openTelemetry) => ({ ...REST, openTelemetry }),
    );
    for (const content of [monitors, { httpMonitors: monitors }])
      expect((await importText('openstatus', content)).notes).toEqual([
        '1 OpenTelemetry exporter is not imported.',
      ]);
  });

  it('whose assertions accept no status code is not imported', async () => {
    const assertions = [{ type: 'status', compare: 'gt', target: 599 }];
    expect(onlyItem(await importText('openstatus', [{ ...REST, assertions }]))).toMatchObject({
      monitor: null,
      reason: 'Its assertions accept no status code.',
    });
  });

  it.each([
    ['another list', [{ id: 1 }]],
    ['another object', { data: [] }],
    ['a text', 'shop'],
  ])('is rejected as %s', async (_, content) => {
    await expect(importText('openstatus', content)).rejects.toThrow(/no monitors of openstatus/);
  });
});

it('a frequency that is not understood becomes the default, and the plan says so', async () => {
  const file = {
    shop: { name: 'Shop', kind: 'http', frequency: 'often', request: { url: 'http://a.test/' } },
  };
  const { changes } = onlyItem(await importText('openstatus', file));
  expect(changes).toContain('Frequency “often” is not understood and becomes 1 minute.');
});
