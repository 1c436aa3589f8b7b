import { describe, expect, it } from 'vitest';
import { importText, onlyItem } from '../testing/import-text';

/** The plan of one endpoint with these conditions. */
const read = async (...conditions: string[]) =>
  onlyItem(
    await importText('gatus', { endpoints: [{ name: 'api', url: 'https://api.example.com/', conditions }] }),
  );

const OK = '[STATUS] == 200';

describe('the status of an endpoint of Gatus', () => {
  it('that is one code is what a check expects', async () => {
    const { monitor, changes } = await read('[STATUS] == 204');
    expect(monitor).toMatchObject({ expectedStatusCode: 204, assertions: [] });
    expect(changes).toEqual([]);
  });

  it.each([
    [['[STATUS] < 300'], ['100-299']],
    [['[STATUS] <= 299', '[STATUS] >= 200'], ['2xx']],
    [['[STATUS] == any(401, 403)'], [401, 403]],
    [['[STATUS] == pat(4*)'], ['4xx']],
    [['[STATUS] != pat(5??)', '[STATUS] > 399'], ['4xx']],
    [
      ['[STATUS] != 200', '[STATUS] < 300'],
      ['1xx', '201-299'],
    ],
    // A redirect leads to another response, which is judged.
    [
      ['[STATUS] > 299', '[STATUS] < 400'],
      [300, '304-306', '309-399'],
    ],
  ])('of %j is an assertion', async (conditions, target) => {
    const { monitor, changes } = await read(...conditions);
    expect(monitor?.assertions).toEqual([{ source: 'status', property: null, comparison: 'oneOf', target }]);
    expect(changes).toEqual([]);
  });
});

const NUMBER = 'is the same only for whole numbers: Gatus drops fractions, and takes what is missing as 0.';
const LENGTH = 'counts the items of an array or the characters of a text, and nothing else.';
const NO_JSON = 'also fails if the body is not JSON.';

describe('a condition of Gatus', () => {
  it.each([
    ['[RESPONSE_TIME] <= 500', [['responseTime', null, 'lessThan', 501]], []],
    ['[RESPONSE_TIME] < 1s', [['responseTime', null, 'lessThan', 1000]], []],
    ['[CERTIFICATE_EXPIRATION] >= 240h', [['certificateDays', null, 'greaterThan', 9]], []],
    ['[BODY] == pat(*Hello World*)', [['body', null, 'contains', 'Hello World']], []],
    ['[BODY] != pat(*Error*)', [['body', null, 'notContains', 'Error']], []],
    ['[BODY] == a.b', [['body', null, 'matches', '^\\s*(?:a\\.b)\\s*$']], []],
    ['[BODY] == any(UP, OK)', [['body', null, 'matches', '^\\s*(?:UP|OK)\\s*$']], []],
    ['has([BODY]) == true', [['body', null, 'matches', '\\S']], []],
    ['[BODY].status == UP', [['json', '$.status', 'oneOf', ['UP']]], []],
    ['UP == [BODY].status', [['json', '$.status', 'oneOf', ['UP']]], []],
    ['[BODY].user.id == 5', [['json', '$.user.id', 'oneOf', ['5', 5]]], []],
    ['[BODY].ok == true', [['json', '$.ok', 'oneOf', ['true', true]]], []],
    ['[BODY].data[0].id == any(1, b)', [['json', '$.data[0].id', 'oneOf', ['1', 1, 'b']]], []],
    ['[BODY][1].a-b == x', [['json', "$[1]['a-b']", 'oneOf', ['x']]], []],
    [
      '[BODY].status != 5',
      [
        ['json', '$.status', 'notEquals', '5'],
        ['json', '$.status', 'notEquals', 5],
      ],
      [`The condition on [BODY].status ${NO_JSON}`],
    ],
    ['[BODY].name == pat(john*)', [['json', '$.name', 'matches', '(?s)^john']], []],
    ['[BODY].depth < 50', [['json', '$.depth', 'lessThan', 50]], [`The condition on [BODY].depth ${NUMBER}`]],
    [
      '[BODY].depth >= 50',
      [['json', '$.depth', 'greaterThan', 49]],
      [`The condition on [BODY].depth ${NUMBER}`],
    ],
    [
      'len([BODY].items) > 3',
      [['json', '$[?length($.items) > 3]', 'exists', null]],
      [`The condition on len([BODY].items) ${LENGTH}`],
    ],
    [
      'has([BODY].token) == true',
      [
        ['json', '$.token', 'exists', null],
        ['json', '$.token', 'notEquals', null],
      ],
      [],
    ],
    [
      'has([BODY].errors) == false',
      [['json', '$[?$.errors && $.errors != null]', 'notExists', null]],
      [`The condition on has([BODY].errors) ${NO_JSON}`],
    ],
    [
      '[BODY].name != pat(john*)',
      [['json', '$.name', 'notMatches', '(?s)^john']],
      [`The condition on [BODY].name ${NO_JSON}`],
    ],
    ['[HEADER].Content-Type == text/html', [['header', 'Content-Type', 'oneOf', ['text/html']]], []],
    ['has([HEADER].X-Cache) == true', [['header', 'X-Cache', 'exists', null]], []],
    ['[CONNECTED] == true', [], []],
  ])('%s is an assertion', async (condition, expected, changes) => {
    const item = await read(OK, condition);
    expect(item.monitor?.assertions).toEqual(
      expected.map(([source, property, comparison, target]) => ({ source, property, comparison, target })),
    );
    expect(item.changes).toEqual(changes);
  });

  it.each([
    ['[IP] == 192.0.2.1', '[IP]', 'Pharos has no such value'],
    ['[DOMAIN_EXPIRATION] > 720h', '[DOMAIN_EXPIRATION]', 'Pharos has no such value'],
    ['[CERTIFICATE_EXPIRATION] > 36h', '[CERTIFICATE_EXPIRATION]', 'Pharos compares whole days'],
    ['[RESPONSE_TIME] == 5', '[RESPONSE_TIME]', 'Pharos compares it with < and > only'],
    ['[STATUS] < hush', '[STATUS]', 'it does not compare the code with codes'],
    ['[BODY].name == pat([a-z]*)', '[BODY].name', 'its pattern has no counterpart'],
    ['[BODY].items[*].ok == true', '[BODY].items[*].ok', 'its path has no counterpart'],
    ['len([BODY]) > 5', 'len([BODY])', 'it counts items if the body is a JSON array, and bytes if it is not'],
    ['age([BODY].updated) < 1h', 'age([BODY].updated)', 'the function has no counterpart'],
  ])('%s is named and not imported', async (condition, subject, why) => {
    const { monitor, changes } = await read(OK, condition);
    expect(monitor?.assertions).toEqual([]);
    expect(changes).toEqual([`The condition on ${subject} is not imported: ${why}.`]);
  });

  it.each(['[BODY].a == [BODY].b', '[STATUS] = 200', 'hush'])(
    'of another form is counted: %s',
    async (text) => {
      expect((await read(OK, text)).changes).toEqual(['1 condition of an unknown form is not imported.']);
    },
  );

  it('that a name does not exist expects no records', async () => {
    const dns = { 'query-name': 'a.example.com', 'query-type': 'A' };
    const conditions = ['[DNS_RCODE] == NXDOMAIN'];
    const endpoint = { name: 'dns', url: '192.0.2.53', dns, conditions };
    const { monitor, changes } = onlyItem(await importText('gatus', { endpoints: [endpoint] }));
    expect(monitor).toMatchObject({ type: 'dns', expectedAnswer: 'none' });
    expect(changes).toEqual(['A name that exists, but has no record of the type, is a success too.']);
  });

  it('beyond 20 assertions is named', async () => {
    const conditions = Array.from({ length: 21 }, (_, n) => `[BODY].key${n} == a`);
    const { monitor, changes } = await read(OK, ...conditions);
    expect(monitor?.assertions).toHaveLength(20);
    expect(changes).toEqual([
      expect.stringMatching(/\[BODY\]\.key20 is not imported: Pharos permits at most 20/),
    ]);
  });
});
