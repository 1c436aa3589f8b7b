import { describe, expect, it } from 'vitest';
import {
  isFiltered,
  type ListQuery,
  readListQuery,
  turnSort,
  WHOLE_LIST,
  writeListQuery,
} from './list-query';

const read = (address: string) => readListQuery(new URLSearchParams(address));

describe('the address of the list', () => {
  it.each<[string, Partial<ListQuery>]>([
    ['', {}],
    ['?q=shop+eu', { q: 'shop eu' }],
    ['?status=down%2Cdegraded', { standings: ['down', 'degraded'] }],
    ['?type=tcp&tag=a%26b', { type: 'tcp', tag: 'a&b' }],
    ['?sort=-p95', { sort: { key: 'p95', isDescending: true } }],
  ])('%s says all that was chosen, and no more', (address, query) => {
    expect(read(address)).toEqual({ ...WHOLE_LIST, ...query });
    expect(writeListQuery({ ...WHOLE_LIST, ...query })).toBe(address);
  });

  it('passes over what it does not understand', () => {
    expect(read('?status=broken,down&sort=colour&page=7')).toEqual({ ...WHOLE_LIST, standings: ['down'] });
  });

  it('narrows by anything but the order', () => {
    expect(isFiltered(read('?sort=name&q=+'))).toBe(false);
    for (const address of ['?q=a', '?status=down', '?type=dns', '?tag=a'])
      expect(isFiltered(read(address))).toBe(true);
  });
});

describe('a click on a column', () => {
  it('begins with what one looks for, and turns the order the next time', () => {
    const slowestFirst = turnSort(WHOLE_LIST.sort, 'p95');
    expect(slowestFirst).toEqual({ key: 'p95', isDescending: true });
    expect(turnSort(slowestFirst, 'p95')).toEqual({ key: 'p95', isDescending: false });
    expect(turnSort(slowestFirst, 'uptime')).toEqual({ key: 'uptime', isDescending: false });
  });
});
