import { describe, expect, it } from 'vitest';
import { readImport } from '@/lib/importing';
import { createKumaDatabase, type KumaTables } from '../testing/create-kuma-database';
import { unset } from '../testing/import-text';
import { FIELDS } from './fields';

async function importRow(row: KumaTables[string][number]) {
  const common = {
    name: 'Shop',
    interval: 60,
    timeout: 48,
    expiry_notification: 0,
    url: 'https://a.example.com/',
  };
  const codes = { accepted_statuscodes_json: '["200"]' };
  const { items } = await readImport(
    'uptime-kuma',
    await createKumaDatabase({ monitor: [{ ...common, ...codes, ...row }] }),
  );
  return items[0];
}

describe('a JSON query of Uptime Kuma', () => {
  it.each([
    ['status', null, 'UP', [['json', '$.status', 'oneOf', ['UP']]]],
    ['$.data[0].count', '==', '5', [['json', '$.data[0].count', 'oneOf', ['5', 5]]]],
    ['$', '==', 'true', [['json', '$', 'oneOf', ['true', true]]]],
    ['count', '<', '50', [['json', '$.count', 'lessThan', 50]]],
    ['name', 'contains', 'shop', [['json', '$.name', 'contains', 'shop']]],
    ['version', 'contains', '1.2', [['json', '$.version', 'matches', '1\\.2']]],
    [
      'status',
      '!=',
      'DOWN',
      [
        ['json', '$.status', 'exists', null],
        ['json', '$.status', 'notEquals', null],
        ['json', '$.status', 'notEquals', 'DOWN'],
      ],
    ],
  ])('%s %s %s is an assertion', async (json_path, json_path_operator, expected_value, expected) => {
    const item = await importRow({ type: 'json-query', json_path, json_path_operator, expected_value });
    expect(item?.monitor?.assertions).toEqual(
      expected.map(([source, property, comparison, target]) => ({ source, property, comparison, target })),
    );
    expect(item?.changes).toEqual([]);
  });

  it.each([
    ["$count(items[status = 'hush'])", '==', 'it is more than a path of names and indexes'],
    ['items[0].$string()', '==', 'it is more than a path of names and indexes'],
    ['count', '>=', 'its operator has no counterpart'],
    ['count', '<', 'its value is not a number'],
  ])('%s %s is not imported', async (json_path, json_path_operator, why) => {
    const item = await importRow({
      type: 'json-query',
      json_path,
      json_path_operator,
      expected_value: 'hush',
    });
    expect(item?.monitor?.assertions).toEqual([]);
    expect(item?.changes).toEqual([`The JSON query is not imported: ${why}. Pharos checks the status code.`]);
  });
});

describe('a push monitor of Uptime Kuma', () => {
  it.each([
    [{ interval: 3600 }, { period: 3600, grace: 1 }],
    [
      { interval: 3600, maxretries: 2, retry_interval: 600 },
      { period: 3600, grace: 1201 },
    ],
    [
      { interval: 300, maxretries: 1, retry_interval: 0 },
      { period: 300, grace: 301 },
    ],
  ])('with %j is a heartbeat that is down at the same time', async (row, expected) => {
    const item = await importRow({ type: 'push', url: null, push_token: 'hush', ...row });
    expect(item?.monitor).toEqual({
      ...unset(FIELDS, 'heartbeat'),
      name: 'Shop',
      ref: 'uptime-kuma-1',
      type: 'heartbeat',
      url: '',
      enabled: true,
      ...expected,
    });
    expect(item?.changes).toEqual(['Its job must call another URL, which is shown after the import.']);
  });
});

describe('a condition of Uptime Kuma on DNS records', () => {
  const condition = (operator: string) => ({
    type: 'expression',
    andOr: 'and',
    variable: 'record',
    operator,
    value: 'a.b',
  });
  const read = (conditions: unknown[], dns_resolve_type = 'NS') =>
    importRow({
      type: 'dns',
      hostname: 'example.com',
      dns_resolve_type,
      conditions: JSON.stringify(conditions),
    });

  it('at several resolvers holds if it does at one', async () => {
    const item = await importRow({
      type: 'dns',
      hostname: 'example.com',
      dns_resolve_type: 'NS',
      port: 5353,
      dns_resolve_server: '192.0.2.53, 2001:db8::53,192.0.2.54:53',
    });
    expect(item?.monitor).toMatchObject({
      url: 'dns://192.0.2.53:5353/example.com?type=NS',
      resolvers: ['[2001:db8::53]:5353', '192.0.2.54'],
      resolverMatch: 'any',
    });
    expect(item?.changes).toEqual(['All resolvers are asked with each check. One that succeeds is enough.']);
  });

  it.each([
    ['equals', { comparison: 'equals', target: 'a.b' }],
    ['contains', { comparison: 'contains', target: 'a.b' }],
    ['starts_with', { comparison: 'matches', target: '^a\\.b' }],
    ['ends_with', { comparison: 'matches', target: 'a\\.b$' }],
  ])('%s is an assertion', async (operator, expected) => {
    const item = await read([condition(operator)]);
    expect(item?.monitor?.assertions).toEqual([{ source: 'record', property: null, ...expected }]);
    expect(item?.changes).toEqual([]);
  });

  it.each([
    ['of a negative operator', [condition('not_equals')], 'NS', 'their operator has no counterpart'],
    [
      'of two',
      [condition('equals'), condition('contains')],
      'NS',
      'one record would have to satisfy several',
    ],
    ['on mail servers', [condition('equals')], 'MX', 'Uptime Kuma compares parts of MX records'],
  ])('%s is not imported', async (_, conditions, type, why) => {
    const item = await read(conditions, type);
    expect(item?.monitor?.assertions).toEqual([]);
    expect(item?.changes).toEqual([
      `The conditions on records are not imported: ${why}. Any record of the type is a success.`,
    ]);
  });
});
