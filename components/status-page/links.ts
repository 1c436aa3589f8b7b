/** Where the paths of a page begin, and what is added to its links so that a chosen language stays. */
export type Place = {
  /** `/status/<slug>`, or empty on the page's own host. */
  base: string;
  /** The language that the visitor chose in the address; undefined where the browser's wish decides. */
  lang: string | undefined;
};

/** A link within the page; `path` is empty or begins with a slash. */
export function linkTo({ base, lang }: Place, path: string, query: Record<string, string> = {}): string {
  const all = new URLSearchParams({ ...query, ...(lang === undefined ? {} : { lang }) }).toString();
  return `${base}${path || (base === '' ? '/' : '')}${all === '' ? '' : `?${all}`}`;
}

/** The logo's address; null for everything but https, whatever is stored. */
export function readLogo(url: string | null): string | null {
  if (url === null || !URL.canParse(url)) return null;
  const { protocol, username, password, href } = new URL(url);
  return protocol === 'https:' && username === '' && password === '' ? href : null;
}
