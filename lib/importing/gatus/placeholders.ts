/** `${NAME}` or `$NAME`, which Gatus replaces from its environment; `$$` is a plain dollar sign. */
const PLACEHOLDER = /\$\$|\$\{([^{}]{1,100})\}|\$([A-Za-z_]\w{0,99})/g;

/** The placeholders in a text, as written. */
export function findPlaceholders(text: string): string[] {
  return [...text.matchAll(PLACEHOLDER)].map(([whole]) => whole).filter((whole) => whole !== '$$');
}

/** A placeholder in a sentence. One that does not look like a variable can be a part of a password with a dollar sign. */
export function nameOfPlaceholder(placeholder: string): string {
  return /^\$\{?[A-Z_][A-Z0-9_]*\}?$/.test(placeholder) ? placeholder : 'A text with a dollar sign';
}

/** The text with `$$` as `$`. Placeholders stay as they are: their values are not in the file. */
export function unescapeDollars(text: string): string {
  return text.replaceAll(PLACEHOLDER, (whole) => (whole === '$$' ? '$' : whole));
}

/** Every text in a value, such as the headers of an endpoint, with `$$` as `$`. */
export function unescapeAll(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') return unescapeDollars(value);
  if (typeof value !== 'object' || value === null || depth > 10) return value;
  if (Array.isArray(value)) return value.map((each) => unescapeAll(each, depth + 1));
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, unescapeAll(each, depth + 1)]));
}
