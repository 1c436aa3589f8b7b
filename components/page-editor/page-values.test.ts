import { describe, expect, it } from 'vitest';
import { contrast, readHex } from '@/components/status-page/theme/color';
import { THEME_DEFAULTS } from '@/lib/schemas/status-pages/theme-defaults';
import {
  findUnreadableColors,
  formatAppearance,
  isSame,
  MIN_CONTRAST,
  moveItem,
  NEW_PAGE,
  suggestSlug,
} from './page-values';

const AUTOMATIC = { ...THEME_DEFAULTS, appearance: 'automatic' } as const;

describe('suggestSlug', () => {
  it.each([
    ['Acme Shop & Söhne', 'acme-shop-sohne'],
    ['  Status -- 2  ', 'status-2'],
    ['状態', ''],
    ['x'.repeat(80), 'x'.repeat(63)],
    [`${'x'.repeat(62)} y`, 'x'.repeat(62)],
  ])('turns “%s” into “%s”', (name, slug) => {
    expect(suggestSlug(name)).toBe(slug);
  });
});

describe('moveItem', () => {
  it('moves an ID and shifts the others', () => {
    expect(moveItem(['a', 'b', 'c', 'd'], 0, 2)).toEqual(['b', 'c', 'a', 'd']);
    expect(moveItem(['a', 'b', 'c', 'd'], 3, 1)).toEqual(['a', 'd', 'b', 'c']);
  });

  it('changes nothing for indexes out of range', () => {
    const ids = ['a', 'b'];
    expect(moveItem(ids, 0, -1)).toBe(ids);
    expect(moveItem(ids, 1, 2)).toBe(ids);
    expect(moveItem(ids, 5, 0)).toBe(ids);
  });
});

it('treats a changed order as a change, until it is restored', () => {
  const two = { ...NEW_PAGE, monitors: ['a', 'b'] };
  expect(isSame(two, { ...two, monitors: ['b', 'a'] })).toBe(false);
  expect(isSame(two, { ...two, monitors: moveItem(moveItem(two.monitors, 0, 1), 0, 1) })).toBe(true);
});

describe('findUnreadableColors', () => {
  it('finds none in the default theme', () => {
    expect(findUnreadableColors(AUTOMATIC)).toEqual([]);
  });

  it('finds text and accent too close to the background, with readable replacements', () => {
    const theme = { textColor: '#888888', primaryColor: '#FFFF00', backgroundColor: '#ffffff' };
    const found = findUnreadableColors({ ...AUTOMATIC, ...theme });
    expect(found.map(({ field, contrast: reached }) => [field, reached])).toEqual([
      ['textColor', '3.5'],
      ['primaryColor', '1.0'],
    ]);
    for (const { shown } of found) {
      expect(contrast(readHex(shown) ?? '#ffffff', '#ffffff')).toBeGreaterThanOrEqual(MIN_CONTRAST);
    }
  });

  it('ignores invalid colors', () => {
    const typed = { textColor: '#00', primaryColor: '', backgroundColor: '#000000' };
    expect(findUnreadableColors({ ...AUTOMATIC, ...typed })).toEqual([]);
    expect(findUnreadableColors({ ...AUTOMATIC, backgroundColor: 'white' })).toEqual([]);
  });

  it('ignores all of them if nobody sees the background', () => {
    const unreadable = { ...AUTOMATIC, textColor: '#111111' };
    expect(findUnreadableColors(unreadable)).toHaveLength(1);
    expect(findUnreadableColors({ ...unreadable, appearance: 'dark' })).toHaveLength(1);
    expect(findUnreadableColors({ ...unreadable, appearance: 'light' })).toEqual([]);
  });

  it.each([
    ['automatic', '#000000', /^Your colors are for the dark page\. .* light versions/],
    ['automatic', '#ffffff', /^Your colors are for the light page\. .* dark versions/],
    ['dark', '#000000', /^Everyone sees your colors/],
    ['dark', '#ffffff', /^The background is light, so everyone sees dark versions/],
    ['light', '#000000', /^The background is dark, so everyone sees light versions/],
  ] as const)('say who sees them: %s, on %s', (appearance, backgroundColor, sentence) => {
    expect(formatAppearance({ ...AUTOMATIC, appearance, backgroundColor })).toMatch(sentence);
  });
});
