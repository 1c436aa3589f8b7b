import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { THEME_DEFAULTS } from '@/lib/schemas/theme-defaults';
import { contrast, fromHsl, type Hex, readHex, toHsl } from './colour';
import { type Palette, readableTheme, themeCss } from './theme-css';

const hex = fc
  .integer({ min: 0, max: 0xffffff })
  .map((value): Hex => `#${value.toString(16).padStart(6, '0')}`);
const theme = fc.record({ primaryColor: hex, backgroundColor: hex, textColor: hex });
const TEXTS = ['ink', 'muted', 'accent', 'good', 'slow', 'bad', 'info'] as const;
const TONES = ['good', 'slow', 'bad', 'info'] as const;

function expectReadable(palette: Palette): void {
  for (const text of TEXTS) expect(contrast(palette[text], palette.bg), text).toBeGreaterThanOrEqual(4.5);
  for (const tone of TONES) {
    expect(contrast(palette[`${tone}Bar`], palette.bg)).toBeGreaterThanOrEqual(3);
    for (const text of ['ink', 'muted', tone] as const) {
      expect(contrast(palette[text], palette[`${tone}Wash`])).toBeGreaterThanOrEqual(4.5);
    }
  }
  expect(contrast(palette.muted, palette.restWash)).toBeGreaterThanOrEqual(4.5);
}

describe('a theme of any three colours', () => {
  it('is readable, in light and in dark', () => {
    fc.assert(
      fc.property(theme, (chosen) => {
        const { light, dark } = readableTheme(chosen);
        expectReadable(light);
        expectReadable(dark);
      }),
      { numRuns: 500 },
    );
  });

  it('keeps the background, and whatever was readable already', () => {
    fc.assert(
      fc.property(theme, (chosen) => {
        const readable = readableTheme(chosen);
        const own = readable[readable.scheme];
        expect(own.bg).toBe(chosen.backgroundColor);
        const isReadable = (colour: Hex) => contrast(colour, own.bg) >= 4.5;
        if (isReadable(chosen.textColor)) expect(own.ink).toBe(chosen.textColor);
        if (isReadable(chosen.primaryColor)) expect(own.accent).toBe(chosen.primaryColor);
      }),
    );
  });

  it('keeps the hue of what says how things are, unless that has to become black or white', () => {
    fc.assert(
      fc.property(theme, (chosen) => {
        const { light, dark } = readableTheme(chosen);
        for (const palette of [light, dark]) {
          const [good] = toHsl(palette.goodBar);
          const [bad, saturation, lightness] = toHsl(palette.badBar);
          if (saturation === 0 || lightness < 0.1 || lightness > 0.9) continue;
          expect(Math.abs(good - 142)).toBeLessThan(12);
          expect(Math.min(Math.abs(bad - 358), Math.abs(bad + 2))).toBeLessThan(12);
        }
      }),
    );
  });
});

it('the two schemes are what they are called', () => {
  const [white, black]: Hex[] = ['#ffffff', '#000000'];
  fc.assert(
    fc.property(theme, (chosen) => {
      const { light, dark } = readableTheme(chosen);
      expect(contrast(light.bg, black ?? '#000000')).toBeGreaterThanOrEqual(4.5);
      expect(contrast(dark.bg, white ?? '#ffffff')).toBeGreaterThanOrEqual(4.5);
    }),
  );
});

it.each(['red;}body{display:none', '#fff', '#12345g', '</style><script>', 'url(https://evil.test)', ''])(
  'nothing but six hex digits reaches the stylesheet: %s',
  (colour) => {
    expect(readHex(colour)).toBeNull();
    const { css } = themeCss({ primaryColor: colour, backgroundColor: colour, textColor: colour });
    expect(css).toBe(themeCss(THEME_DEFAULTS).css);
    expect(css.replace(/--\w+:#[0-9a-f]{6}/g, '')).toMatch(/^[a-z:{};@ -]+$/);
  },
);

it('the owner’s background stands for visitors who wish for nothing; paper is light', () => {
  const dark = themeCss({ ...THEME_DEFAULTS, backgroundColor: '#101018' });
  expect(dark.css).toMatch(/^:root\{color-scheme:dark;--bg:#101018;/);
  expect(dark.css).toContain('@media print{:root{color-scheme:light;');
  expect(dark.css).not.toContain('prefers-color-scheme');
  const light = themeCss({ ...THEME_DEFAULTS, backgroundColor: '#FFFFFF' });
  expect(light.css).toMatch(/^:root\{color-scheme:light;--bg:#ffffff;/);
  expect(light.css).toContain('@media screen and (prefers-color-scheme:dark){:root{color-scheme:dark;');
});

it('a colour is the same after a turn through hue, saturation and lightness', () => {
  fc.assert(
    fc.property(hex, (colour) => {
      expect(fromHsl(toHsl(colour))).toBe(colour);
    }),
  );
});
