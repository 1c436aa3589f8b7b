import { describe, expect, it } from 'vitest';
import type { Assertion } from '@/lib/checks/assertions/assertion';
import { NOTHING_OBSERVED } from '@/lib/checks/assertions/observed';
import { judgeRows } from './judge-rows';
import { changeRow, newRow, readRows, showRows } from './rows';

const json = (target: Assertion['target'], comparison: Assertion['comparison'] = 'equals'): Assertion => ({
  source: 'json',
  property: '$.a',
  comparison,
  target,
});

describe('an assertion is edited as text', () => {
  it.each<[Assertion]>([
    [{ source: 'status', property: null, comparison: 'oneOf', target: [200, '2xx', '300-399'] }],
    [{ source: 'header', property: 'x', comparison: 'exists', target: null }],
    [{ source: 'header', property: 'x', comparison: 'equals', target: '73' }],
    [{ source: 'record', property: 'count', comparison: 'greaterThan', target: 2 }],
    [{ source: 'record', property: null, comparison: 'equals', target: '10 m.test' }],
    [{ source: 'body', property: null, comparison: 'matches', target: '^\\d+$' }],
    [json(73)],
    [json('73')],
    [json(null)],
    [json('null')],
    [json('"quoted"')],
    [json('plain text')],
    [json([1, 'a', true], 'oneOf')],
  ])('and is the same when it is read: %j', (assertion) => {
    expect(readRows(showRows(JSON.stringify([assertion])))).toEqual([assertion]);
  });

  it('keeps what is not a number, for the schema to reject', () => {
    const row = { ...newRow('responseTime'), target: '1s' };
    expect(readRows([row])[0]?.target).toBe('1s');
  });

  it('gets a comparison that its new source has, and no name that it does not have', () => {
    const header = { ...newRow('header'), property: 'x', comparison: 'contains' as const };
    expect(changeRow(header, { source: 'size' })).toMatchObject({ property: '', comparison: 'equals' });
    expect(changeRow(header, { source: 'json' })).toMatchObject({ property: 'x', comparison: 'contains' });
    expect(changeRow({ ...newRow('record'), comparison: 'contains' }, { property: 'count' }).comparison).toBe(
      'equals',
    );
  });

  it.each(['', 'x', '{}', '[1]', '[{"source":"x"}]'])('has no row for %s', (value) => {
    expect(showRows(value)).toEqual([]);
  });
});

describe('a row after a test', () => {
  const body = (target: string, comparison: Assertion['comparison'] = 'contains'): Assertion => ({
    source: 'body',
    property: null,
    comparison,
    target,
  });
  const observed = {
    ...NOTHING_OBSERVED,
    records: null,
    headers: null,
    body: 'the start',
    bodyEnd: '16 KiB',
  };
  const statesOf = (...assertions: Assertion[]) => {
    const tested = {
      observed,
      assertions: [body('the end')],
      outcomes: [{ passed: true, actual: null, message: null }],
    };
    return judgeRows(assertions, tested).map(({ state }) => state);
  };

  it('is judged by what is kept of the body, if that is enough', () => {
    expect(statesOf(body('start'), body('end'), body('start', 'notContains'))).toEqual([
      'passed',
      'unknown',
      'failed',
    ]);
    expect(statesOf(json(1), body('x', 'notContains'))).toEqual(['unknown', 'unknown']);
  });

  it('has the outcome of the test if it was tested as it is', () => {
    expect(statesOf(body('the end'))).toEqual(['passed']);
  });

  it('is unknown while it is not valid', () => {
    expect(judgeRows([body('(', 'matches')], { observed, assertions: [], outcomes: [] })).toMatchObject([
      { state: 'unknown', text: expect.stringMatching(/^The target is not valid/) },
    ]);
  });
});
