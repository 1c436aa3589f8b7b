import { LRUCache } from 'lru-cache';
import type { Appearance } from '@/lib/schemas/status-pages/appearance';
import { THEME_DEFAULTS } from '@/lib/schemas/status-pages/theme-defaults';
import { contrast, fromHsl, type Hex, mix, readHex, toHsl } from './color';

/** The colors chosen by the owner; strings, because stored values are not trusted. */
export type PageTheme = { primaryColor: string; backgroundColor: string; textColor: string };

/** The colors of a page, and whether it is light, dark, or as its visitor prefers. */
export type PageColors = PageTheme & { appearance: Appearance };

type Scheme = 'light' | 'dark';

/**
 * The styles of a page's colors. `chrome` colors the browser's toolbar; `schemes` is which color schemes the page has, by the visitor's
 * preference.
 */
export type ThemeCss = {
  css: string;
  chrome: { own: string; dark: string | null };
  schemes: Scheme | 'both';
};

/** The colors of a page as CSS variables. Print is always light. */
export function themeCss(colors: PageColors): ThemeCss {
  const { primaryColor, backgroundColor, textColor, appearance } = colors;
  return cache.memo(`${primaryColor} ${backgroundColor} ${textColor} ${appearance}`, { context: colors });
}

/** The colors for visitors who prefer one scheme, whatever this browser prefers: for a preview. */
export function themeCssFor(colors: PageColors, preferred: Scheme): ThemeCss {
  const readable = readableTheme(colors);
  const scheme = colors.appearance === 'automatic' ? preferred : colors.appearance;
  return { css: rule(readable, scheme), chrome: { own: readable[scheme].bg, dark: null }, schemes: scheme };
}

/** Finding readable colors takes a millisecond or two. */
const cache = new LRUCache<string, ThemeCss, PageColors>({
  max: 500,
  memoMethod: (_key, _stale, { context }) => renderCss(context),
});

function renderCss(colors: PageColors): ThemeCss {
  const readable = readableTheme(colors);
  const [light, dark] = [rule(readable, 'light'), rule(readable, 'dark')];
  const chrome = { own: readable.light.bg, dark: null };
  switch (colors.appearance) {
    case 'light':
      return { css: light, chrome, schemes: 'light' };
    case 'dark':
      return {
        css: `${dark}@media print{${light}}`,
        chrome: { ...chrome, own: readable.dark.bg },
        schemes: 'dark',
      };
    case 'automatic':
      return {
        css: `${light}@media screen and (prefers-color-scheme:dark){${dark}}`,
        chrome: { ...chrome, dark: readable.dark.bg },
        schemes: 'both',
      };
  }
}

function rule(readable: ReadableTheme, scheme: Scheme): string {
  const variables = Object.entries(readable[scheme]).map(([name, color]) => `--${name}:${color}`);
  return `:root{color-scheme:${scheme};${variables.join(';')}}`;
}

/** Every color of a page. Text has a contrast of 4.5:1 on `bg` and on the washes, bars have 3:1 on `bg`. */
export type Palette = Record<
  ('bg' | 'ink' | 'muted' | 'line' | 'rest' | 'accent') | `${Tone}${'' | 'Bar' | 'Wash'}` | 'restWash',
  Hex
>;

type Tone = keyof typeof TONES;

/** A page's colors as chosen by its owner, and their counterpart in the other scheme. */
type ReadableTheme = { scheme: Scheme; light: Palette; dark: Palette };

const WHITE: Hex = '#ffffff';
const BLACK: Hex = '#000000';

const TEXT_CONTRAST = 4.5;
const GRAPHIC_CONTRAST = 3;
/** Preferred contrast: high enough for text on a wash of its own color. */
const PREFERRED_CONTRAST = 5.5;

const TONES = { good: '#16a34a', slow: '#d97706', bad: '#e5484d', info: '#3b82f6' } as const;

const WASHES = [0.12, 0.09, 0.06, 0.03, 0];

/**
 * Readable colors (WCAG 2.2 AA) whatever the owner chose: a readable color is kept, any other becomes lighter or darker
 * until it is readable, with the same hue. An invalid color is replaced by the default.
 */
export function readableTheme(theme: PageTheme): ReadableTheme {
  const bg = readHex(theme.backgroundColor) ?? THEME_DEFAULTS.backgroundColor;
  const text = readHex(theme.textColor) ?? THEME_DEFAULTS.textColor;
  const primary = readHex(theme.primaryColor) ?? THEME_DEFAULTS.primaryColor;
  const own = paletteOn({ bg, text, primary });
  const isDark = contrast(bg, WHITE) >= contrast(bg, BLACK);
  const other = paletteOn({
    bg: shade(bg, isDark ? 0.985 : 0.06),
    text: shade(text, isDark ? 0.1 : 0.96),
    primary,
  });
  return isDark ? { scheme: 'dark', dark: own, light: other } : { scheme: 'light', light: own, dark: other };
}

function paletteOn({ bg, text, primary }: { bg: Hex; text: Hex; primary: Hex }): Palette {
  const ink = readable(text, bg, TEXT_CONTRAST);
  const best = Math.max(contrast(bg, WHITE), contrast(bg, BLACK));
  const preferred = Math.min(PREFERRED_CONTRAST, best);
  const lighter = [0.4, 0.3, 0.2, 0.1].map((share) => mix(ink, bg, share));
  const muted = lighter.find((color) => contrast(color, bg) >= preferred) ?? ink;
  const tones = Object.entries(TONES).flatMap(([tone, wanted]) => {
    const color = readable(wanted, bg, preferred);
    return [
      [tone, color],
      [`${tone}Bar`, readable(wanted, bg, GRAPHIC_CONTRAST)],
      [`${tone}Wash`, washOf(bg, color, [ink, muted, color])],
    ];
  });
  return {
    bg,
    ink,
    muted,
    line: mix(bg, ink, 0.14),
    rest: mix(bg, ink, 0.28),
    restWash: washOf(bg, ink, [ink, muted]),
    accent: readable(primary, bg, TEXT_CONTRAST),
    ...Object.fromEntries(tones),
  } as Palette;
}

/** The strongest wash of a color over the background on which all of `texts` are readable. */
function washOf(bg: Hex, color: Hex, texts: Hex[]): Hex {
  const washes = WASHES.map((share) => mix(bg, color, share));
  return washes.find((wash) => texts.every((text) => contrast(text, wash) >= TEXT_CONTRAST)) ?? bg;
}

/** The nearest color of the same hue with a contrast of `minimum` on `bg`, else black or white, which always reach 4.58. */
function readable(color: Hex, bg: Hex, minimum: number): Hex {
  if (contrast(color, bg) >= minimum) return color;
  const [hue, saturation, lightness] = toHsl(color);
  for (let step = 1; step <= 250; step += 1) {
    for (const moved of [lightness + step / 250, lightness - step / 250]) {
      const candidate = fromHsl([hue, saturation, Math.min(1, Math.max(0, moved))]);
      if (contrast(candidate, bg) >= minimum) return candidate;
    }
  }
  return contrast(WHITE, bg) >= contrast(BLACK, bg) ? WHITE : BLACK;
}

/** The same hue at another lightness, muted enough for a background or text. */
function shade(color: Hex, lightness: number): Hex {
  const [hue, saturation] = toHsl(color);
  return fromHsl([hue, Math.min(saturation, 0.25), lightness]);
}
