import type { Brand } from '@/lib/schemas/status-pages/brand';
import { BRAND_DEFAULTS } from '@/lib/schemas/status-pages/brand-defaults';
import type { StatusPage } from '@/lib/schemas/status-pages/status-page';
import { freeKey } from '../section-values';

/** A link as it is edited: texts as typed. */
export type EditedLink = StatusPage['links'][number] & { key: string };

/** An announcement as it is edited: none without a text. `endsAt` is an ISO instant, or empty. */
export type EditedAnnouncement = { text: string; url: string; endsAt: string };

const NO_ANNOUNCEMENT: EditedAnnouncement = { text: '', url: '', endsAt: '' };

/** The brand of a page as it is edited; an empty text is null. */
export type BrandValues = Pick<StatusPage, 'font' | 'noindex' | 'poweredBy'> & {
  darkLogoUrl: string;
  faviconUrl: string;
  timeZone: string;
  customCss: string;
  links: readonly EditedLink[];
  announcement: EditedAnnouncement;
};

/** The brand of a new page, as it is edited. */
export const NEW_BRAND = brandValuesOf(BRAND_DEFAULTS);

/** A brand as it is edited. */
export function brandValuesOf({ font, noindex, poweredBy, ...brand }: Brand): BrandValues {
  return {
    font,
    noindex,
    poweredBy,
    darkLogoUrl: brand.darkLogoUrl ?? '',
    faviconUrl: brand.faviconUrl ?? '',
    timeZone: brand.timeZone ?? '',
    customCss: brand.customCss ?? '',
    links: brand.links.map((link, index) => ({ ...link, key: `link-${index}` })),
    announcement:
      brand.announcement === null
        ? NO_ANNOUNCEMENT
        : { ...brand.announcement, url: brand.announcement.url ?? '' },
  };
}

/** Links as the API takes them. */
export function sentLinks(links: readonly EditedLink[]): StatusPage['links'] {
  return links.map(({ label, url, place }) => ({ label: label.trim(), url: url.trim(), place }));
}

/** The links with a new one, whose key no other one has. */
export function addLink(links: readonly EditedLink[]): EditedLink[] {
  const taken = links.map(({ key }) => key);
  const key = freeKey(taken, 'new-link');
  return [...links, { key, label: '', url: '', place: links.at(-1)?.place ?? 'footer' }];
}

/** An announcement as the API takes it; null without a text. */
export function sentAnnouncement({ text, url, endsAt }: EditedAnnouncement) {
  return text.trim() === '' ? null : { text: text.trim(), url: url.trim() || null, endsAt };
}
