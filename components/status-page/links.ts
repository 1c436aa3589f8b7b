/** Where the paths of a page start, and the language that its links keep. */
export type Place = {
  /** `/status/<slug>`, or empty on the page's own host. */
  base: string;
  /** The language chosen in the URL; undefined if the browser's preference decides. */
  lang: string | undefined;
};

/** A link within the page; `path` is empty or starts with a slash. */
export function linkTo({ base, lang }: Place, path: string, query: Record<string, string> = {}): string {
  const all = new URLSearchParams({ ...query, ...(lang === undefined ? {} : { lang }) }).toString();
  return `${base}${path || (base === '' ? '/' : '')}${all === '' ? '' : `?${all}`}`;
}

/** The URL of the logo; null for anything but `https` without credentials. */
export function readLogo(url: string | null): string | null {
  if (url === null || !URL.canParse(url)) return null;
  const { protocol, username, password, href } = new URL(url);
  return protocol === 'https:' && username === '' && password === '' ? href : null;
}
