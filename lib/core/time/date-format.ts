/** More than a process needs, unless time zones are written in ever new ways: their names ignore case. */
export const MAX_FORMATS = 500;

const formats = new Map<string, Intl.DateTimeFormat>();

/**
 * The date format of a locale (undefined: the reader's), created once: creating one takes a hundred times as long as using it. Throws a
 * RangeError for an unknown time zone.
 */
export function dateFormat(
  locale: string | undefined,
  options: Intl.DateTimeFormatOptions,
): Intl.DateTimeFormat {
  const key = JSON.stringify([locale, options]);
  const known = formats.get(key);
  if (known) return known;
  const format = new Intl.DateTimeFormat(locale, options);
  if (formats.size >= MAX_FORMATS) formats.clear();
  formats.set(key, format);
  return format;
}
