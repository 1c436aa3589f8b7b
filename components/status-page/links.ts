import { isLinkUrl, type PageLink } from '@/lib/schemas/status-pages/brand';

/** Where the paths of a page start, and the language that its links keep. */
export type PagePlace = {
  /** `/status/<slug>`, or empty on the page's own host. */
  base: string;
  /** The language chosen in the URL; undefined if the browser's preference decides. */
  lang: string | undefined;
};

/** A link within the page; `path` is empty or starts with a slash. */
export function linkTo({ base, lang }: PagePlace, path: string, query: Record<string, string> = {}): string {
  const all = new URLSearchParams({ ...query, ...(lang === undefined ? {} : { lang }) }).toString();
  return `${base}${path || (base === '' ? '/' : '')}${all === '' ? '' : `?${all}`}`;
}

/** The URL of an image; null for anything but `https` without credentials, since stored values are not trusted. */
export function readImage(url: string | null): string | null {
  if (url === null || !URL.canParse(url)) return null;
  const { protocol, username, password, href } = new URL(url);
  return protocol === 'https:' && username === '' && password === '' ? href : null;
}

/** The images of a page. */
export type Images = { logoUrl: string | null; darkLogoUrl: string | null; faviconUrl: string | null };

/** The origins that the images of a page are loaded from. */
export function imageOrigins({ logoUrl, darkLogoUrl, faviconUrl }: Images): string[] {
  const urls = [logoUrl, darkLogoUrl, faviconUrl].flatMap((url) => readImage(url) ?? []);
  return [...new Set(urls.map((url) => new URL(url).origin))];
}

/** The page's own links at a place, in order. */
export function linksAt(links: readonly PageLink[], place: PageLink['place']): PageLink[] {
  return links.filter((link) => link.place === place && isLinkUrl(link.url));
}
