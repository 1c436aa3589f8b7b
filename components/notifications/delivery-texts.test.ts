import { describe, expect, it } from 'vitest';
import { formatHeaders, formatOutcome } from './delivery-texts';

const fine = { status: 'delivered', reason: null, lastStatusCode: 204, lastError: null } as const;

describe('formatOutcome', () => {
  it.each([
    [fine, 'responded with 204'],
    [{ ...fine, status: 'pending', lastStatusCode: null }, ''],
    [
      { ...fine, status: 'failed', reason: 'exhausted', lastStatusCode: null, lastError: 'timed out' },
      'timed out',
    ],
    [
      { ...fine, status: 'failed', reason: 'endpoint_deleted', lastError: 'x' },
      'not sent: the channel was deleted',
    ],
    // A failed replay leaves it delivered.
    [{ ...fine, lastStatusCode: 500, lastError: 'responded with 500, expected 2xx' }, 'responded with 500'],
  ] as const)('formats %j as %j', (delivery, text) => {
    expect(formatOutcome(delivery)).toBe(text);
  });
});

it('sorts headers by name', () => {
  expect(formatHeaders({ 'X-Two': '2', accept: '*', 'X-One': '1' })).toBe('accept: *\nX-One: 1\nX-Two: 2');
});
