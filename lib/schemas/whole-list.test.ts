import { describe, expect, it } from 'vitest';
import { namedListQuery as query, searchAndPage, timedListQuery } from './query';

const ITEMS = [
  { id: 'sp_1', name: 'Zeta', createdAt: '2026-01-01T00:00:00.000Z' },
  { id: 'sp_2', name: 'alpha', createdAt: '2026-01-02T00:00:00.000Z' },
  { id: 'sp_3', name: 'Beta', createdAt: '2026-01-03T00:00:00.000Z' },
];
const list = (given: object) => searchAndPage(ITEMS, query.parse(given), ({ name }) => [name]);
const namesOf = (given: object) => list(given).items.map(({ name }) => name);

describe('a list that returns everything', () => {
  it('is complete and newest first by default', () => {
    expect(namesOf({})).toEqual(['Beta', 'alpha', 'Zeta']);
    expect(namesOf({ sort: 'createdAt' })).toEqual(['Zeta', 'alpha', 'Beta']);
    expect(namesOf({ sort: 'name' })).toEqual(['alpha', 'Beta', 'Zeta']);
    expect(namesOf({ sort: '-name' })).toEqual(['Zeta', 'Beta', 'alpha']);
    expect(namesOf({ q: 'ETA' })).toEqual(['Beta', 'Zeta']);
  });

  it('has pages if a limit is given', () => {
    const first = list({ sort: 'name', limit: '2' });
    expect(first.items).toHaveLength(2);
    expect(list({ sort: 'name', limit: '2', cursor: first.next ?? '' })).toMatchObject({
      items: [{ name: 'Zeta' }],
      next: null,
    });
  });

  it('rejects other parameters and sorts', () => {
    expect(query.safeParse({ sort: 'color' }).success).toBe(false);
    expect(query.safeParse({ limit: '0' }).success).toBe(false);
    expect(timedListQuery.safeParse({ sort: 'name' }).success).toBe(false);
  });
});
