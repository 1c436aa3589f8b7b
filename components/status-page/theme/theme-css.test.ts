import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Appearance } from '@/lib/schemas/status-pages/appearance';
import { THEME_DEFAULTS } from '@/lib/schemas/status-pages/theme-defaults';
import { contrast, fromHsl, type Hex, readHex, toHsl } from './color';
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

describe('a theme of any three colors', () => {
  it('is readable, in light and in dark', () => {
    fc.assert(
      fc.property(theme, (chosen) => {
        const { light, dark } = readableTheme(chosen);
        expectReadable(light);
        expectReadable(dark);
      }),
      { numRuns: 50 },
    );
  });

  it('keeps the background and every readable color', () => {
    fc.assert(
      fc.property(theme, (chosen) => {
        const readable = readableTheme(chosen);
        const own = readable[readable.scheme];
        expect(own.bg).toBe(chosen.backgroundColor);
        const isReadable = (color: Hex) => contrast(color, own.bg) >= 4.5;
        if (isReadable(chosen.textColor)) expect(own.ink).toBe(chosen.textColor);
        if (isReadable(chosen.primaryColor)) expect(own.accent).toBe(chosen.primaryColor);
      }),
    );
  });

  it('keeps the hue of status colors unless they become black or white', () => {
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

it('the light scheme is light and the dark scheme is dark', () => {
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
  (color) => {
    expect(readHex(color)).toBeNull();
    const appearance = 'automatic';
    const { css } = themeCss({ primaryColor: color, backgroundColor: color, textColor: color, appearance });
    expect(css).toBe(themeCss({ ...THEME_DEFAULTS, appearance }).css);
    expect(css.replace(/--\w+:#[0-9a-f]{6}/g, '')).toMatch(/^[a-z:{}();@ -]+$/);
  },
);

describe.each(['#101018', '#ffffff'])('on %s', (backgroundColor) => {
  const css = (appearance: Appearance) => themeCss({ ...THEME_DEFAULTS, backgroundColor, appearance });
  const { light, dark } = readableTheme({ ...THEME_DEFAULTS, backgroundColor });

  it('a page follows its visitors, and is light without a preference and in print', () => {
    const automatic = css('automatic');
    expect(automatic.css).toMatch(/^:root\{color-scheme:light;/);
    expect(automatic.css).toContain(`--bg:${light.bg};`);
    expect(automatic.css).toMatch(
      new RegExp(
        `@media screen and \\(prefers-color-scheme:dark\\)\\{:root\\{color-scheme:dark;--bg:${dark.bg};`,
      ),
    );
    expect(automatic.chrome).toEqual({ own: light.bg, dark: dark.bg });
    expect(automatic.schemes).toBe('both');
  });

  it('a page that is light or dark is so for everyone; print is light', () => {
    expect(css('light').css).toMatch(new RegExp(`^:root\\{color-scheme:light;--bg:${light.bg};[^@]*$`));
    expect(css('light')).toMatchObject({ chrome: { own: light.bg, dark: null }, schemes: 'light' });
    expect(css('dark').css).toMatch(new RegExp(`^:root\\{color-scheme:dark;--bg:${dark.bg};`));
    expect(css('dark').css).toContain('@media print{:root{color-scheme:light;');
    expect(css('dark').css).not.toContain('prefers-color-scheme');
    expect(css('dark')).toMatchObject({ chrome: { own: dark.bg, dark: null }, schemes: 'dark' });
  });
});

it('a color survives the conversion to hue, saturation and lightness and back', () => {
  fc.assert(
    fc.property(hex, (color) => {
      expect(fromHsl(toHsl(color))).toBe(color);
    }),
  );
});
