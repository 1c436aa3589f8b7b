/** The default colors of a status page. */
export const THEME_DEFAULTS = {
  primaryColor: '#22c55e',
  backgroundColor: '#0a0a0a',
  textColor: '#fafafa',
} as const;
