/** Whether a page is light, dark, or as its visitor prefers; apart from its schema, which browsers do not need. */

export const APPEARANCES = ['automatic', 'light', 'dark'] as const;

export type Appearance = (typeof APPEARANCES)[number];

export const DEFAULT_APPEARANCE: Appearance = 'automatic';
