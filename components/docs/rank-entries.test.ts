import { describe, expect, it } from 'vitest';
import { rankEntries, type SearchEntry } from './rank-entries';

const section = (label: string, hint: string): SearchEntry => ({
  href: `${hint} ${label}`,
  label,
  hint,
  kind: 'section',
});
const field = (label: string, hint: string): SearchEntry => ({
  href: `${hint} ${label}`,
  label,
  hint,
  kind: 'field',
});
const entries = [
  field('deliveries', 'GET /me'),
  section('Retrieve a monitor', 'GET /monitors/{id}'),
  section('List deliveries', 'GET /deliveries'),
  field('timeout', 'POST /monitors'),
  field('timeout', 'PUT /monitors/{id}'),
];
const find = (query: string) => rankEntries(entries, query, 10).map(({ hint, label }) => `${hint}: ${label}`);

describe('the search of the reference', () => {
  it('puts operations before fields of the same name', () => {
    expect(find('deliveries')).toEqual(['GET /deliveries: List deliveries', 'GET /me: deliveries']);
  });

  it('finds operations by method and path', () => {
    expect(find('get monitors')).toEqual(['GET /monitors/{id}: Retrieve a monitor']);
  });

  it('finds a field by its name, narrowed by its location', () => {
    expect(find('timeout')).toHaveLength(2);
    expect(find('timeout put')).toEqual(['PUT /monitors/{id}: timeout']);
  });

  it('finds nothing for an empty query, or if a word does not match', () => {
    expect(find('  ')).toEqual([]);
    expect(find('deliveries zebra')).toEqual([]);
  });
});
