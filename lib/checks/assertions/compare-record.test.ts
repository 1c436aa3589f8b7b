import { expect, it } from 'vitest';
import { recordSatisfies } from './compare-record';
import { WorkLimit } from './work-limit';

it.each([
  ['ns1.', 'ns1.example.com', true],
  ['NS1.', 'ns1.example.com', true],
  ['ns1.', 'ns10.example.com', false],
  ['Example.com.', 'ns10.example.com', true],
  ['ns1', 'ns10.example.com', true],
])('that %s is a part of the name %s is %s', (target, record, isPart) => {
  const test = (comparison: 'contains' | 'notContains') =>
    recordSatisfies({ source: 'record', comparison, target, pattern: null }, record, 'NS', new WorkLimit());
  expect([test('contains'), test('notContains')]).toEqual([isPart, !isPart]);
});
