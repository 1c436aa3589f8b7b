/** Choices and limits of a brand, apart from its schemas, which browsers do not need. */

export const FONTS = ['sans', 'serif', 'mono'] as const;
export const LINK_PLACES = ['header', 'footer'] as const;
export const MAX_LINKS = 12;
export const MAX_ANNOUNCEMENT = 300;
export const MAX_CUSTOM_CSS = 20_000;
