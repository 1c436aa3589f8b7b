import { describe, expect, it } from 'vitest';
import {
  isFiltered,
  type ListQuery,
  readListQuery,
  toggleSort,
  WHOLE_LIST,
  writeListQuery,
} from './list-query';

const read = (address: string) => readListQuery(new URLSearchParams(address));

describe('the query of the list', () => {
  it.each<[string, Partial<ListQuery>]>([
    ['', {}],
    ['?q=shop+eu', { q: 'shop eu' }],
    ['?status=down%2Cdegraded', { standings: ['down', 'degraded'] }],
    ['?type=tcp&tag=a%26b', { type: 'tcp', tag: 'a&b' }],
    ['?alerts=slow', { isSlowToAlert: true }],
    ['?sort=-p95', { sort: { key: 'p95', isDescending: true } }],
  ])('%s round-trips', (address, query) => {
    expect(read(address)).toEqual({ ...WHOLE_LIST, ...query });
    expect(writeListQuery({ ...WHOLE_LIST, ...query })).toBe(address);
  });

  it('ignores unknown parameters and values', () => {
    expect(read('?status=broken,down&sort=color&page=7')).toEqual({ ...WHOLE_LIST, standings: ['down'] });
  });

  it('is a filter, except for the order', () => {
    expect(isFiltered(read('?sort=name&q=+'))).toBe(false);
    for (const address of ['?q=a', '?status=down', '?type=dns', '?tag=a', '?alerts=slow'])
      expect(isFiltered(read(address))).toBe(true);
  });
});

describe('toggleSort', () => {
  it('starts with the most useful direction, then reverses it', () => {
    const slowestFirst = toggleSort(WHOLE_LIST.sort, 'p95');
    expect(slowestFirst).toEqual({ key: 'p95', isDescending: true });
    expect(toggleSort(slowestFirst, 'p95')).toEqual({ key: 'p95', isDescending: false });
    expect(toggleSort(slowestFirst, 'uptime')).toEqual({ key: 'uptime', isDescending: false });
  });
});
