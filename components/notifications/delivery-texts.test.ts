import { describe, expect, it } from 'vitest';
import { formatHeaders, sayOutcome } from './delivery-texts';

const fine = { status: 'delivered', reason: null, lastStatusCode: 204, lastError: null } as const;

describe('the outcome of a delivery in words', () => {
  it.each([
    [fine, 'responded with 204'],
    [{ ...fine, status: 'pending', lastStatusCode: null }, ''],
    [
      { ...fine, status: 'failed', reason: 'exhausted', lastStatusCode: null, lastError: 'timed out' },
      'timed out',
    ],
    [
      { ...fine, status: 'failed', reason: 'endpoint_deleted', lastError: 'x' },
      'not sent: the endpoint was deleted',
    ],
    // A replay that failed leaves it delivered.
    [{ ...fine, lastStatusCode: 500, lastError: 'responded with 500, expected 2xx' }, 'responded with 500'],
  ] as const)('%j is %j', (delivery, words) => {
    expect(sayOutcome(delivery)).toBe(words);
  });
});

it('headers are listed by name', () => {
  expect(formatHeaders({ 'X-Two': '2', accept: '*', 'X-One': '1' })).toBe('accept: *\nX-One: 1\nX-Two: 2');
});
