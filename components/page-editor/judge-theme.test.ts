import { expect, it } from 'vitest';
import { contrast, readHex } from '@/components/status-page/theme/color';
import { THEME_DEFAULTS } from '@/lib/schemas/theme-defaults';
import { isDarkForAll, judgeTheme, NEEDED_CONTRAST } from './page-values';

it('the default theme has nothing to warn of', () => {
  expect(judgeTheme(THEME_DEFAULTS)).toEqual([]);
});

it('text and accent too close to the background are named with what is shown instead, which can be read', () => {
  const theme = { textColor: '#888888', primaryColor: '#FFFF00', backgroundColor: '#ffffff' };
  const judged = judgeTheme(theme);
  expect(judged.map(({ field, contrast: reached }) => [field, reached])).toEqual([
    ['textColor', '3.5'],
    ['primaryColor', '1.0'],
  ]);
  for (const { shown } of judged) {
    expect(contrast(readHex(shown) ?? '#ffffff', '#ffffff')).toBeGreaterThanOrEqual(NEEDED_CONTRAST);
  }
});

it('what is no colour yet is not judged', () => {
  expect(judgeTheme({ textColor: '#00', primaryColor: '', backgroundColor: '#000000' })).toEqual([]);
  expect(judgeTheme({ ...THEME_DEFAULTS, backgroundColor: 'white' })).toEqual([]);
});

it('a dark background is dark for everybody, a light one for who wishes so', () => {
  expect(isDarkForAll(THEME_DEFAULTS)).toBe(true);
  expect(isDarkForAll({ ...THEME_DEFAULTS, backgroundColor: '#ffffff', textColor: '#000000' })).toBe(false);
});
