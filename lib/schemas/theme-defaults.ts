/** The colours of a page whose owner chose none. */
export const THEME_DEFAULTS = {
  primaryColor: '#22c55e',
  backgroundColor: '#0a0a0a',
  textColor: '#fafafa',
} as const;
