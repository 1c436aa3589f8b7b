import type { Size } from '@/lib/core/images/format';
import { parseUrl } from '@/lib/core/parse-url';
import { isLinkUrl, type PageLink } from '@/lib/schemas/status-pages/brand';
import { contentOfChosen } from '@/lib/schemas/status-pages/chosen-image';
import { findImageName, parseImageName } from '@/lib/schemas/status-pages/page-images';

/** Where the paths of a page start, and the language that its links keep. */
export type PagePlace = {
  /** `/status/<slug>`, or empty on the page's own host. */
  base: string;
  /** The language chosen in the URL; undefined if the browser's preference decides. */
  lang: string | undefined;
  /** Shown to members, perhaps before it is published. */
  isPreview?: true;
};

/** A link within the page; `path` is empty or starts with a slash. */
export function linkTo({ base, lang }: PagePlace, path: string, query: Record<string, string> = {}): string {
  const all = new URLSearchParams({ ...query, ...(lang === undefined ? {} : { lang }) }).toString();
  return `${base}${path || (base === '' ? '/' : '')}${all === '' ? '' : `?${all}`}`;
}

/** An image, and its size in pixels if that is known. */
type ShownImage = { src: string; size: Size | null };

/**
 * An image of a page: one that was uploaded, below the address of the page, one that is chosen in the editor, or by its URL. Null for
 * anything but `https` without credentials, since stored values are not trusted.
 */
export function readImage(
  { base, isPreview }: Pick<PagePlace, 'base' | 'isPreview'>,
  url: string | null,
): ShownImage | null {
  if (url === null) return null;
  const name = findImageName(url);
  if (name !== null) {
    const src = isPreview ? pathForMembers(url) : `${base}/images/${name}`;
    const { width = 0, height = 0 } = parseImageName(name) ?? {};
    return { src, size: { width, height } };
  }
  if (contentOfChosen(url) !== null) return { src: url, size: null };
  const parsed = parseUrl(url);
  if (parsed === null) return null;
  const { protocol, username, password, href } = parsed;
  return protocol === 'https:' && username === '' && password === '' ? { src: href, size: null } : null;
}

/** Where members find an uploaded image: visitors do not see those of a page that is not published. */
export function pathForMembers(path: string): string {
  return path.replace(/^\/status\//, '/status-pages/');
}

/** The images of a page. */
export type Images = { logoUrl: string | null; darkLogoUrl: string | null; faviconUrl: string | null };

/** Where the images of a page are loaded from, as in a policy. */
export function imageOrigins({ logoUrl, darkLogoUrl, faviconUrl }: Images): string[] {
  const sources = [logoUrl, darkLogoUrl, faviconUrl].flatMap(
    (url) => readImage({ base: '' }, url)?.src ?? [],
  );
  const origins = sources.map((src) => (src.startsWith('/') ? "'self'" : new URL(src).origin));
  // The origin of what is in the page itself.
  return [...new Set(origins)].filter((origin) => origin !== 'null');
}

/** The paths of the uploaded images of a page, on the host of the app. */
export function uploadedPaths({ logoUrl, darkLogoUrl, faviconUrl }: Images): string[] {
  const own = [logoUrl, darkLogoUrl, faviconUrl].filter((url) => url !== null && findImageName(url) !== null);
  return [...new Set(own)].filter((url) => url !== null);
}

/** The page's own links at a place, in order. */
export function linksAt(links: readonly PageLink[], place: PageLink['place']): PageLink[] {
  return links.filter((link) => link.place === place && isLinkUrl(link.url));
}
