import { LRUCache } from 'lru-cache';
import { type Palette, type ReadableTheme, readableTheme, type Theme } from './readable-theme';

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
