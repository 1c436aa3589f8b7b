/** The value of a cookie in a Cookie header; null without it. The first of several counts. */
export function findCookie(header: string | null | undefined, name: string): string | null {
  for (const pair of header?.split(';') ?? []) {
    const cut = pair.indexOf('=');
    if (cut > 0 && pair.slice(0, cut).trim() === name) return pair.slice(cut + 1).trim();
  }
  return null;
}
