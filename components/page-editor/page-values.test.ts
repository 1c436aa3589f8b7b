import { describe, expect, it } from 'vitest';
import { isSame, moved, NEW_PAGE, suggestSlug } from './page-values';

describe('a slug suggested for a name', () => {
  it.each([
    ['Acme Shop & Söhne', 'acme-shop-sohne'],
    ['  Status -- 2  ', 'status-2'],
    ['状態', ''],
    ['x'.repeat(80), 'x'.repeat(63)],
    [`${'x'.repeat(62)} y`, 'x'.repeat(62)],
  ])('of “%s” is “%s”', (name, slug) => {
    expect(suggestSlug(name)).toBe(slug);
  });
});

describe('the order of monitors', () => {
  it('puts one in another place, and the others move up', () => {
    expect(moved(['a', 'b', 'c', 'd'], 0, 2)).toEqual(['b', 'c', 'a', 'd']);
    expect(moved(['a', 'b', 'c', 'd'], 3, 1)).toEqual(['a', 'd', 'b', 'c']);
  });

  it('stays the same beyond its ends', () => {
    const ids = ['a', 'b'];
    expect(moved(ids, 0, -1)).toBe(ids);
    expect(moved(ids, 1, 2)).toBe(ids);
    expect(moved(ids, 5, 0)).toBe(ids);
  });
});

it('a form is changed when its order is, and not when it was typed back', () => {
  const two = { ...NEW_PAGE, monitors: ['a', 'b'] };
  expect(isSame(two, { ...two, monitors: ['b', 'a'] })).toBe(false);
  expect(isSame(two, { ...two, monitors: moved(moved(two.monitors, 0, 1), 0, 1) })).toBe(true);
});
