import { describe, expect, it } from 'vitest';
import { importText, onlyItem } from '../testing/import-text';

const HTTP = {
  id: 1,
  name: 'Shop',
  periodicity: '1m',
  url: 'https://shop.example.com/',
  active: true,
  retry: 1,
};
const OK = { version: 'v1', type: 'status', compare: 'eq', target: 200 };
const read = async (assertions: unknown, fields = {}) =>
  onlyItem(await importText('openstatus', [{ ...HTTP, ...fields, assertions }]));

const oneOf = (...target: unknown[]) => ({ source: 'status', property: null, comparison: 'oneOf', target });

describe('the status of a monitor of openstatus', () => {
  it.each([
    ['no assertion', [], [oneOf('2xx')]],
    ['one code', [{ ...OK, target: 404 }], []],
    ['all but one', [{ ...OK, compare: 'not_eq' }], [oneOf('1xx', '201-300', '304-306', '309-599')]],
    [
      'two bounds',
      [
        { ...OK, compare: 'gte' },
        { ...OK, compare: 'lte', target: 204 },
      ],
      [oneOf('200-204')],
    ],
    [
      'text as in older versions',
      JSON.stringify([{ ...OK, compare: 'lt', target: 300 }]),
      [oneOf('100-299')],
    ],
  ])('with %s', async (_, assertions, expected) => {
    const { monitor, changes } = await read(assertions);
    expect(monitor?.assertions).toEqual(expected);
    expect(changes).toEqual([]);
  });
});

describe('an assertion of openstatus', () => {
  it.each([
    ['textBody', 'contains', ['body', null, 'contains', 'hush']],
    ['textBody', 'not_contains', ['body', null, 'notContains', 'hush']],
    ['textBody', 'eq', ['body', null, 'equals', 'hush']],
    ['textBody', 'empty', ['body', null, 'notMatches', '(?s).']],
    ['header', 'not_eq', ['header', 'X-Cache', 'notEquals', 'hush']],
    ['header', 'not_empty', ['header', 'X-Cache', 'matches', '(?s).']],
  ])(
    'about %s that compares with %s is one of Pharos',
    async (type, compare, [source, property, comparison, target]) => {
      const { monitor, changes } = await read([OK, { type, compare, key: 'X-Cache', target: 'hush' }]);
      expect(monitor?.assertions).toEqual([{ source, property, comparison, target }]);
      expect(changes).toEqual([]);
    },
  );

  it.each([
    [{ type: 'header', compare: 'gt' }, 'the header X-Cache is not imported: Pharos does not order text'],
    [
      { type: 'jsonBody', compare: 'eq', path: '$.a' },
      'the JSON body is not imported: openstatus compares it as a list',
    ],
    [{ type: 'weather', compare: 'eq' }, 'weather is not imported: Pharos has no such value'],
  ])('without a counterpart is named: %j', async (assertion, sentence) => {
    const { monitor, changes } = await read([OK, { key: 'X-Cache', target: 'hush', ...assertion }]);
    expect(monitor?.assertions).toEqual([]);
    expect(changes).toEqual([`The condition on ${sentence}.`]);
  });

  it.each([
    ['A', 'eq', 'equals'],
    ['MX', 'not_contains', 'notContains'],
  ])(
    'about %s records that compares with %s decides which records are resolved',
    async (key, compare, comparison) => {
      const { monitor, changes } = await read([{ type: 'dnsRecord', key, compare, target: '192.0.2.1' }], {
        jobType: 'dns',
        url: 'example.com',
      });
      expect(monitor).toMatchObject({
        url: `dns:example.com?type=${key}`,
        assertions: [{ source: 'record', property: null, comparison, target: '192.0.2.1' }],
      });
      expect(changes).toEqual([]);
    },
  );

  it('about records of a second type, or that are written differently, is named', async () => {
    const record = (key: string) => ({ type: 'dnsRecord', key, compare: 'eq', target: 'hush' });
    const { changes } = await read([record('MX'), record('TXT')], { jobType: 'dns', url: 'example.com' });
    expect(changes).toEqual([
      'The condition on MX records is not imported: Pharos writes these records differently.',
      'The condition on TXT records is not imported: the check is about MX records.',
    ]);
  });
});
