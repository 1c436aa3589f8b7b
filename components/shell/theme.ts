export const THEMES = ['light', 'dark', 'system'] as const;

export type Theme = (typeof THEMES)[number];

/** The theme that a cookie or a form names; anything else follows the system. */
export function readTheme(text: string | undefined): Theme {
  return THEMES.find((theme) => theme === text) ?? 'system';
}
