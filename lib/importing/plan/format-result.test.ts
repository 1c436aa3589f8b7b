import { expect, it } from 'vitest';
import { formatResult, maskChange } from './format-result';

const change = (field: string, before: unknown, after: unknown) => {
  return { field, before, after, overwritesChange: false };
};
const linesOf = (...changes: ReturnType<typeof change>[]) => formatResult({ changes, kept: [], dropped: [] });

it.each([
  ['a number', change('interval', 60, 30), 'Interval: 60 → 30'],
  [
    'a record type',
    change('url', 'dns:a.test?type=MX', 'dns:a.test?type=A'),
    'Target: dns:a.test?type=MX → dns:a.test?type=A',
  ],
  [
    'a query',
    change('url', 'https://a.test/?key=hush', 'https://a.test/?key=other'),
    'Target: https://a.test/?… (another query)',
  ],
  ['a long text', change('keyword', `${'a'.repeat(80)}b`, `${'a'.repeat(80)}c`), 'Keyword: another value'],
  ['a removed secret', change('headers', '[hidden]', null), 'Headers: removed'],
  ['an added secret', change('body', null, '[hidden]'), 'Body: added'],
  ['a secret', change('body', '[hidden]', '[hidden]'), 'Body: another value'],
])('a change of %s', (_, changed, line) => {
  expect(linesOf(changed)).toEqual([line]);
});

it('with another type, only what the new type has is listed, and that a heartbeat URL stops', () => {
  const calls = [change('period', 3600, null), change('grace', 60, 3600)];
  expect(
    linesOf(change('url', '', 'https://a.test/'), change('type', 'heartbeat', 'http'), ...calls),
  ).toEqual([
    'Target: none → https://a.test/',
    'Type: heartbeat → http',
    'Its heartbeat URL stops working: calls of its job are no longer received.',
  ]);
  // A group has no URL either.
  expect(linesOf(change('type', 'group', 'ping'))).toEqual(['Type: group → ping']);
  const probes = [
    change('url', 'https://a.test/', ''),
    change('headers', '[hidden]', null),
    change('interval', 30, 60),
  ];
  expect(linesOf(...probes, change('type', 'http', 'heartbeat'), change('period', null, 60))).toEqual([
    'Type: http → heartbeat',
    'Period: none → 60',
  ]);
});

it('secrets that are left out are named, and why they are removed', () => {
  expect(formatResult({ changes: [], kept: ['headers.X-Token'], dropped: [] })).toEqual([
    'Not in the file, and kept: headers.X-Token.',
  ]);
  expect(formatResult({ changes: [], kept: [], dropped: ['headers', 'body'] })).toEqual([
    'Not in the file, and removed because the host changes: headers and body.',
  ]);
});

it('programs get targets without the query of a URL', () => {
  expect(maskChange(change('url', 'https://a.test/?key=hush', 'dns:a.test?type=A'))).toEqual(
    change('url', 'https://a.test/?…', 'dns:a.test?type=A'),
  );
});
