export const THEMES = ['light', 'dark', 'system'] as const;

export type Theme = (typeof THEMES)[number];

/** The background of the dashboard, as in globals.css, for what the browser draws around it. */
export const CANVAS = { light: '#f8f9fa', dark: '#0c0d0f' } as const;

/** Parses a theme; anything unknown follows the system. */
export function readTheme(text: string | undefined): Theme {
  return THEMES.find((theme) => theme === text) ?? 'system';
}
