export const THEMES = ['light', 'dark', 'system'] as const;

export type Theme = (typeof THEMES)[number];

/** Parses a theme; anything unknown follows the system. */
export function readTheme(text: string | undefined): Theme {
  return THEMES.find((theme) => theme === text) ?? 'system';
}
