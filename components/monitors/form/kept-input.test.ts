import { describe, expect, it } from 'vitest';
import { FORM_FIELDS } from '@/lib/schemas/monitor/fields';
import { formatInapplicable, keepInput, keyOf } from './kept-input';
import { changedInput, readMonitorInput, showField, type Typed } from './monitor-input';

const ASSERTIONS = [
  { source: 'json', property: '$.depth', comparison: 'lessThan', target: 50 },
  { source: 'responseTime', property: null, comparison: 'lessThan', target: 800 },
  { source: 'status', property: null, comparison: 'equals', target: 200 },
];
const HTTP: Typed = { type: 'http', url: 'https://a.test/', assertions: JSON.stringify(ASSERTIONS) };

const format = (type: string, typed: Typed) =>
  formatInapplicable(FORM_FIELDS, type, (field) => typed[field.name] ?? showField(field, field.default));

describe('the input of a form whose type changed', () => {
  it('has only the assertions that the type has', () => {
    expect(readMonitorInput(FORM_FIELDS, { ...HTTP, type: 'tcp' }).assertions).toEqual([ASSERTIONS[1]]);
    expect(readMonitorInput(FORM_FIELDS, HTTP).assertions).toEqual(ASSERTIONS);
  });

  it('removes stored assertions from a monitor whose type has none', () => {
    const changes = changedInput(
      readMonitorInput(FORM_FIELDS, HTTP),
      readMonitorInput(FORM_FIELDS, { type: 'heartbeat' }),
    );
    expect(changes).toMatchObject({ type: 'heartbeat', assertions: [] });
  });

  it('leaves what is no assertion for the schema to reject', () => {
    const invalid = [{ source: 7 }, { source: 'cookie' }, null];
    const read = (assertions: string) =>
      readMonitorInput(FORM_FIELDS, { ...HTTP, type: 'tcp', assertions }).assertions;
    expect(read(JSON.stringify(invalid))).toEqual(invalid);
    expect(read('no JSON')).toBe('no JSON');
  });
});

describe('formatInapplicable', () => {
  it('counts the assertions that will be removed', () => {
    expect(format('http', HTTP)).toBeNull();
    expect(format('tcp', HTTP)).toBe('2 assertions do not apply to TCP monitors and will be removed.');
    const one = { ...HTTP, assertions: JSON.stringify(ASSERTIONS.slice(0, 1)) };
    expect(format('ping', one)).toBe('1 assertion does not apply to Ping monitors and will be removed.');
  });

  it('lists what is set and means nothing for the type', () => {
    const typed = { ...HTTP, assertions: '[]', headers: 'Accept: */*', keyword: 'ok' };
    expect(format('tcp', typed)).toBe('Ignored for TCP monitors: Headers and Keyword.');
    expect(format('tcp', { ...HTTP, assertions: '' })).toBeNull();
  });
});

it('input is kept by the types that share it: a threshold with another default for heartbeats has two values', () => {
  const [threshold] = FORM_FIELDS.filter(({ name }) => name === 'alertThreshold');
  if (!threshold) throw new Error('no such field');
  const typed = { alertThreshold: '5', resolver: '9.9.9.9', grace: '60' };
  const kept = {
    ...keepInput(FORM_FIELDS, 'dns', typed),
    ...keepInput(FORM_FIELDS, 'heartbeat', { alertThreshold: '2' }),
  };
  expect(kept[keyOf('http', threshold)]).toBe('5');
  expect(kept[keyOf('heartbeat', threshold)]).toBe('2');
  expect(kept).toMatchObject({ resolver: '9.9.9.9', 'regions undefined': '' });
  expect(Object.values(kept)).not.toContain('60');
});
