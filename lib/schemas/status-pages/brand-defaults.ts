import type { Brand } from './brand';

/** The brand of a new page. */
export const BRAND_DEFAULTS: Brand = {
  darkLogoUrl: null,
  faviconUrl: null,
  font: 'sans',
  links: [],
  timeZone: null,
  noindex: false,
  poweredBy: true,
  announcement: null,
  customCss: null,
};
