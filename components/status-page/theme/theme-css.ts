import { LRUCache } from 'lru-cache';
import { THEME_DEFAULTS } from '@/lib/schemas/theme-defaults';
import { contrast, fromHsl, type Hex, mix, readHex, toHsl } from './colour';

/** What an owner chose; texts, for what is stored is not trusted here either. */
export type Theme = { primaryColor: string; backgroundColor: string; textColor: string };

/** Every colour of a page. Texts reach 4.5:1 on `bg` and on the washes, bars 3:1 on `bg`. */
export type Palette = Record<
  ('bg' | 'ink' | 'muted' | 'line' | 'rest' | 'accent') | `${Tone}${'' | 'Bar' | 'Wash'}` | 'restWash',
  Hex
>;

type Tone = keyof typeof TONES;

type Scheme = 'light' | 'dark';

/** A page's colours as its owner wants them, and their like in the other scheme. */
type ReadableTheme = { scheme: Scheme; light: Palette; dark: Palette };

const WHITE: Hex = '#ffffff';

const BLACK: Hex = '#000000';

const TEXT = 4.5;

const GRAPHIC = 3;

/** Where the background leaves room: so much that a wash of the colour still carries its text. */
const ROOMY = 5.5;

const TONES = { good: '#16a34a', slow: '#d97706', bad: '#e5484d', info: '#3b82f6' } as const;

const WASHES = [0.12, 0.09, 0.06, 0.03, 0];

/** What a page needs to know of its colours. `chrome` is for the browser's own bar. */
export type ThemeCss = { css: string; chrome: { own: string; dark: string | null } };

/**
 * The colours of a page as CSS variables. The owner's background stands unless a visitor asks for dark and the page is
 * light: `light` is what browsers report of visitors without a wish, so it overrules nothing. Paper is always light.
 */
export function themeCss(theme: Theme): ThemeCss {
  const key = `${theme.primaryColor} ${theme.backgroundColor} ${theme.textColor}`;
  const known = written.get(key) ?? writeCss(theme);
  written.set(key, known);
  return known;
}

/** The same as a visitor with one wish sees them, whatever the browser at hand wishes: for a preview. */
export function themeCssFor(theme: Theme, wish: 'light' | 'dark'): ThemeCss {
  const readable = readableTheme(theme);
  const scheme = readable.scheme === 'dark' ? 'dark' : wish;
  return { css: rule(readable, scheme), chrome: { own: readable[scheme].bg, dark: null } };
}

/** Looking for readable colours takes a millisecond or two. */
const written = new LRUCache<string, ThemeCss>({ max: 500 });

function writeCss(theme: Theme): ThemeCss {
  const readable = readableTheme(theme);
  const own = readable[readable.scheme];
  if (readable.scheme === 'dark') {
    return {
      css: rule(readable, 'dark') + media('print', rule(readable, 'light')),
      chrome: { own: own.bg, dark: null },
    };
  }
  return {
    css: rule(readable, 'light') + media('screen and (prefers-color-scheme:dark)', rule(readable, 'dark')),
    chrome: { own: own.bg, dark: readable.dark.bg },
  };
}

function rule(readable: ReadableTheme, scheme: 'light' | 'dark'): string {
  const palette: Palette = readable[scheme];
  const variables = Object.entries(palette).map(([name, colour]) => `--${name}:${colour}`);
  return `:root{color-scheme:${scheme};${variables.join(';')}}`;
}

function media(condition: string, rules: string): string {
  return `@media ${condition}{${rules}}`;
}

/**
 * Colours that can be read (WCAG 2.2 AA) whatever the owner chose: a colour stays as it is where it is readable, and else
 * becomes as much lighter or darker as it takes, its hue kept. A colour that is no `#rrggbb` counts as the default.
 */
export function readableTheme(theme: Theme): ReadableTheme {
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
  const ink = readable(text, bg, TEXT);
  const best = Math.max(contrast(bg, WHITE), contrast(bg, BLACK));
  const muted = [0.4, 0.3, 0.2, 0.1].map((share) => mix(ink, bg, share)).find(hasQuota(bg, best)) ?? ink;
  const [good, slow, bad, info] = (['good', 'slow', 'bad', 'info'] as const).map((tone) => {
    const colour = readable(TONES[tone], bg, Math.min(ROOMY, best));
    const wash = washOf(bg, colour, [ink, muted, colour]);
    return [
      [tone, colour],
      [`${tone}Bar`, readable(TONES[tone], bg, GRAPHIC)],
      [`${tone}Wash`, wash],
    ];
  });
  return {
    ...{ bg, ink, muted },
    line: mix(bg, ink, 0.14),
    rest: mix(bg, ink, 0.28),
    restWash: washOf(bg, ink, [ink, muted]),
    accent: readable(primary, bg, TEXT),
    ...Object.fromEntries([good, slow, bad, info].flat() as [string, Hex][]),
  } as Palette;
}

function hasQuota(bg: Hex, best: number): (colour: Hex) => boolean {
  return (colour) => contrast(colour, bg) >= Math.min(ROOMY, best);
}

/** The strongest wash of a colour over the background on which all of `texts` can be read. */
function washOf(bg: Hex, colour: Hex, texts: Hex[]): Hex {
  const washes = WASHES.map((share) => mix(bg, colour, share));
  return washes.find((wash) => texts.every((text) => contrast(text, wash) >= TEXT)) ?? bg;
}

/** The colour of this hue nearest to `colour` that reaches `minimum` on `bg`; black or white always reach 4.58. */
function readable(colour: Hex, bg: Hex, minimum: number): Hex {
  if (contrast(colour, bg) >= minimum) return colour;
  const [hue, saturation, lightness] = toHsl(colour);
  for (let step = 1; step <= 250; step += 1) {
    for (const moved of [lightness + step / 250, lightness - step / 250]) {
      const candidate = fromHsl([hue, saturation, Math.min(1, Math.max(0, moved))]);
      if (contrast(candidate, bg) >= minimum) return candidate;
    }
  }
  return contrast(WHITE, bg) >= contrast(BLACK, bg) ? WHITE : BLACK;
}

/** The hue at another lightness, its colour held back: a background, or a text, not a shout. */
function shade(colour: Hex, lightness: number): Hex {
  const [hue, saturation] = toHsl(colour);
  return fromHsl([hue, Math.min(saturation, 0.25), lightness]);
}
