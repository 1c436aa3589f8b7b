import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sized } from '@/bin/testing/thorough.mjs';
import { DNS_RECORD_TYPES } from '@/lib/core/dns-record-types';
import { ASSERTION_SOURCES, type Assertion, COMPARISONS } from './assertion';
import { evaluateAssertions, findFailure } from './evaluate';
import { findProblem } from './find-problem';
import { NOTHING_OBSERVED, type Observed } from './observed';

const JSON_BODY = JSON.stringify({
  queue: { depth: 73, name: 'mail' },
  services: [{ status: 'up' }, { status: 'down' }],
  tags: ['a', 'b'],
  gone: null,
});

const SEEN: Observed = {
  ...NOTHING_OBSERVED,
  status: 503,
  headers: { server: 'nginx', 'x-depth': '12', 'x-text': '12a' },
  body: JSON_BODY,
  responseTime: 812,
  size: 12,
  certificateDays: 5,
  records: ['192.0.2.1', '192.0.2.2'],
  banner: '220 mail.test ESMTP\r\n',
};

/** `source property comparison target` in short: a property only where the source has one. */
function assertion(
  source: Assertion['source'],
  comparison: Assertion['comparison'],
  target: Assertion['target'] = null,
  property: string | null = null,
): Assertion {
  return { source, property, comparison, target };
}

const header = (name: string, comparison: Assertion['comparison'], target: Assertion['target'] = null) =>
  assertion('header', comparison, target, name);
const json = (path: string, comparison: Assertion['comparison'], target: Assertion['target'] = null) =>
  assertion('json', comparison, target, path);

describe('an assertion holds', () => {
  it.each<[Assertion]>([
    [assertion('status', 'equals', 503)],
    [assertion('status', 'notEquals', 200)],
    [assertion('status', 'oneOf', [200, '5xx'])],
    [assertion('status', 'oneOf', ['500-503'])],
    [assertion('status', 'greaterThan', 499)],
    [header('Server', 'equals', 'nginx')],
    [header('server', 'oneOf', ['apache', 'nginx'])],
    [header('server', 'matches', '^ng')],
    [header('server', 'exists')],
    [header('cache-control', 'notExists')],
    [header('cache-control', 'notContains', 'public')],
    [header('x-depth', 'lessThan', 13)],
    [assertion('body', 'contains', '"depth":73')],
    [assertion('body', 'notContains', 'error')],
    [assertion('body', 'matches', '(?i)"NAME":"\\w+"')],
    [assertion('body', 'notMatches', '^\\[')],
    [assertion('body', 'equals', JSON_BODY)],
    [json('$.queue.depth', 'equals', 73)],
    [json('$.queue.depth', 'greaterThan', 72.5)],
    [json('$.queue.depth', 'matches', '^7\\d$')],
    [json('$.queue.name', 'contains', 'ai')],
    [json('$.queue', 'exists')],
    [json('$.gone', 'exists')],
    [json('$.gone', 'equals', null)],
    [json('$.none', 'notExists')],
    [json('$.none', 'notEquals', 1)],
    [json('$.tags', 'contains', 'b')],
    [json('$.tags[*]', 'oneOf', ['a', 'b', 'c'])],
    [json("$.services[?@.status == 'down']", 'exists')],
    [assertion('responseTime', 'lessThan', 813)],
    [assertion('size', 'equals', 12)],
    [assertion('certificateDays', 'greaterThan', 4)],
    [assertion('record', 'equals', '192.0.2.2')],
    [assertion('record', 'matches', '^192\\.')],
    [assertion('record', 'notContains', '10.')],
    [assertion('record', 'equals', 2, 'count')],
    [assertion('banner', 'contains', 'ESMTP')],
  ])('%j', (given) => {
    expect(findProblem(given)).toBeNull();
    expect(evaluateAssertions([given], SEEN)).toEqual([
      { holds: true, actual: expect.toBeOneOf([expect.any(String), null]), detail: null, summary: null },
    ]);
  });
});

describe('an assertion that does not hold shows the value to members only', () => {
  it.each<[Assertion, string, string]>([
    [assertion('status', 'equals', 200), 'status is 503, expected 200', 'status is 503, expected 200'],
    [
      assertion('status', 'oneOf', ['200-299', 404, '3xx']),
      'status is 503, expected 200–299, 404 or 3xx',
      'status is 503, expected 200–299, 404 or 3xx',
    ],
    [
      assertion('status', 'lessThan', 400),
      'status is 503, expected less than 400',
      'status is 503, expected less than 400',
    ],
    [header('Cache-Control', 'exists'), 'header Cache-Control is missing', 'header Cache-Control is missing'],
    [
      header('server', 'notExists'),
      'header server is “nginx”, expected none',
      'header server is present, but must not be',
    ],
    [
      header('server', 'contains', 'apache'),
      'header server is “nginx”, expected to contain “apache”',
      'header server does not contain the expected text',
    ],
    [
      header('x-text', 'lessThan', 20),
      'header x-text is “12a”, expected less than 20',
      'header x-text is not less than expected',
    ],
    [
      assertion('body', 'contains', 'ok'),
      'body does not contain “ok”',
      'body does not contain the expected text',
    ],
    [
      assertion('body', 'notMatches', '"na.e"'),
      'body matches "na.e"',
      'body matches a pattern that it must not match',
    ],
    [
      json('$.queue.depth', 'lessThan', 50),
      '$.queue.depth is 73, expected less than 50',
      'JSON value is not less than expected',
    ],
    [
      json('$.queue.depth', 'equals', '73'),
      '$.queue.depth is 73, expected “73”',
      'JSON value is not the expected value',
    ],
    [
      json('$.queue', 'equals', 'x'),
      '$.queue is an object, expected “x”',
      'JSON value is not the expected value',
    ],
    [json('$.none', 'equals', 1), '$.none is missing', 'JSON value is missing'],
    [
      json('$.services[*].status', 'equals', 'up'),
      '$.services[*].status is “down”, expected “up”',
      'JSON value is not the expected value',
    ],
    [
      assertion('responseTime', 'lessThan', 500),
      'response time is 812 ms, expected less than 500 ms',
      'response time is 812 ms, expected less than 500 ms',
    ],
    [
      assertion('certificateDays', 'greaterThan', 14),
      'certificate lifetime is 5 days, expected more than 14 days',
      'certificate lifetime is 5 days, expected more than 14 days',
    ],
    [
      assertion('record', 'contains', '10.'),
      'DNS record is “192.0.2.1”, “192.0.2.2”, expected to contain “10.”',
      'DNS record does not contain the expected text',
    ],
    [
      assertion('record', 'greaterThan', 2, 'count'),
      'number of DNS records is 2, expected more than 2',
      'number of DNS records is 2, expected more than 2',
    ],
    [
      assertion('banner', 'equals', 'x'),
      'banner is “220 mail.test ESMTP\r\n”, expected “x”',
      'banner is not the expected value',
    ],
  ])('%j', (given, detail, summary) => {
    expect(findProblem(given)).toBeNull();
    expect(evaluateAssertions([given], SEEN)).toEqual([
      { holds: false, actual: expect.toBeOneOf([expect.any(String), null]), detail, summary },
    ]);
    expect(findFailure([given], SEEN)).toEqual({ detail, summary: `assertion 1 failed: ${summary}` });
  });

  it('is named by its place, counted from 1', () => {
    const given = [assertion('status', 'equals', 503), assertion('body', 'contains', 'ok')];
    expect(findFailure(given, SEEN)).toEqual({
      detail: 'assertion 2: body does not contain “ok”',
      summary: 'assertion 2 failed: body does not contain the expected text',
    });
    expect(findFailure(given.slice(0, 1), SEEN)).toBeNull();
  });

  it('is undecided if the body may still contain what it must not, unless another one fails', () => {
    const seen = { ...SEEN, bodyEnd: '34 KB', unread: 'the response did not end' };
    const fine = [assertion('body', 'contains', 'depth'), assertion('status', 'notEquals', 200)];
    const undecided = assertion('body', 'notContains', 'error');
    const text = 'assertion 3 is undecided: the response did not end';
    expect(findFailure([...fine, undecided], seen)).toEqual({
      detail: text,
      summary: text,
      isUndecided: true,
    });
    const failing = assertion('status', 'equals', 200);
    expect(findFailure([undecided, failing], seen)?.summary).toBe(
      'assertion 2 failed: status is 503, expected 200',
    );
    expect(findFailure([assertion('body', 'notContains', 'depth')], seen)?.summary).toMatch(
      /^assertion 1 failed/,
    );
  });

  it.each([
    ['not JSON', { body: '<html>' }, 'the body is not JSON'],
    [
      'not completely known',
      { body: '{"a":', bodyEnd: '34 KB', unread: 'the response did not end within 10s' },
      'the response did not end within 10s',
    ],
    ['longer than what is read', { bodyEnd: '1 MiB' }, 'the body is longer than 1 MiB'],
  ])('explains that the body is %s', (_, seen, reason) => {
    const failure = findFailure([json('$.a', 'notExists')], { ...SEEN, ...seen });
    expect(failure?.detail).toBe(`$.a was not evaluated: ${reason}`);
    expect(failure?.summary).toBe(`assertion 1 failed: JSON value was not evaluated: ${reason}`);
  });

  it('says where a cut body ends', () => {
    const seen = { ...SEEN, bodyEnd: '1 MiB' };
    const failure = findFailure([assertion('body', 'contains', 'ok')], seen);
    expect(failure?.detail).toBe('body does not contain “ok” in its first 1 MiB');
  });
});

describe('whatever is asserted and observed', () => {
  const scalar = fc.oneof(fc.string({ maxLength: 20 }), fc.double(), fc.boolean(), fc.constant(null));
  const anyAssertion = fc.record({
    source: fc.constantFrom(...ASSERTION_SOURCES),
    property: fc.oneof(
      fc.constantFrom('$..a', '$[?@ > 1]', 'server', 'count', null),
      fc.string({ maxLength: 20 }),
    ),
    comparison: fc.constantFrom(...COMPARISONS),
    target: fc.oneof(scalar, fc.array(scalar, { maxLength: 3 })),
  });
  const SECRET = 'tok3n';
  const observed = fc.record<Observed>({
    status: fc.option(fc.integer({ min: 100, max: 599 })),
    headers: fc.option(fc.constant({ server: SECRET })),
    body: fc.oneof(fc.json(), fc.string(), fc.constantFrom(`{"a":"${SECRET}"}`, null)),
    bodyEnd: fc.constantFrom(null, '1 MiB'),
    recordType: fc.constantFrom(null, ...DNS_RECORD_TYPES),
    responseTime: fc.option(fc.nat()),
    size: fc.option(fc.nat()),
    certificateDays: fc.option(fc.integer()),
    records: fc.option(fc.array(fc.constant(SECRET), { maxLength: 3 })),
    banner: fc.option(fc.constant(SECRET)),
  });

  it('a pattern that an earlier version stored and that is too large by now fails its assertion, not the others', () => {
    const pattern = '(((a{9}){9}){9}){9}';
    const large = assertion('body', 'matches', pattern);
    const path = json(`$[?match(@.a, '${pattern}')]`, 'exists');
    const seen = { ...NOTHING_OBSERVED, status: 200, body: '{}' };
    const outcomes = evaluateAssertions([large, path, assertion('status', 'equals', 200)], seen);
    expect(outcomes.map(({ holds }) => holds)).toEqual([false, false, true]);
    const because = expect.stringMatching(/was not evaluated: its pattern or path .*is too large: /);
    expect(outcomes.slice(0, 2)).toMatchObject([{ summary: because }, { summary: because }]);
    expect(findFailure([large], seen)).toEqual({ detail: because, summary: because });
  });

  it('each assertion has an outcome, and a summary has nothing of the response', () => {
    fc.assert(
      fc.property(anyAssertion, observed, (given, seen) => {
        fc.pre(findProblem(given) === null);
        const [outcome] = evaluateAssertions([given], seen);
        expect(outcome?.holds).toBe(outcome?.detail === null);
        expect(outcome?.summary ?? '').not.toContain(SECRET);
      }),
      { numRuns: sized(200, { thorough: 10_000 }) },
    );
  });
});
