/**
 * A text as URL, or with `base` a reference to one; null if it is none. Use it instead of `URL.canParse`: compiled by V8, that takes a text
 * with characters of Latin-1 beyond ASCII for UTF-8 in Node.js 20, and returns false for `https://bücher.example` after some thousand calls.
 */
export function parseUrl(text: string, base?: string | URL): URL | null {
  try {
    return new URL(text, base);
  } catch {
    return null;
  }
}
