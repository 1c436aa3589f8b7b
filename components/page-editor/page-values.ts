import { contrast, readHex } from '@/components/status-page/theme/color';
import { readableTheme, type Theme } from '@/components/status-page/theme/theme-css';
import type { PageStanding } from '@/lib/domain/status-pages/aggregate-status';
import type { StatusPage } from '@/lib/schemas/status-page';
import { THEME_DEFAULTS } from '@/lib/schemas/theme-defaults';

/** A colour that visitors could not read on the background, and the one that the page shows in its place. */
export type UnreadableColour = {
  field: 'textColor' | 'primaryColor';
  chosen: string;
  /** How far it is from the background, from 1 to 21, as `2.1`. */
  contrast: string;
  shown: string;
};

/** What WCAG 2.2 AA asks of texts. */
export const NEEDED_CONTRAST = 4.5;

export const STANDING_WORDS: Record<PageStanding, string> = {
  operational: 'Operational',
  degraded: 'Degraded',
  down: 'Down',
  pending: 'Not checked yet',
  noData: 'No current data',
  paused: 'Paused',
  empty: 'No monitors',
};

export const DOMAIN_WORDS: Record<StatusPage['customDomainStatus']['status'], string> = {
  none: 'None',
  pending: 'Waiting for DNS',
  verified: 'Verified',
  lost: 'Lost',
  taken: 'Taken',
};

/** What the form of a status page holds: texts as typed, whatever they are. */
export type PageValues = {
  name: string;
  slug: string;
  description: string;
  logoUrl: string;
  primaryColor: string;
  backgroundColor: string;
  textColor: string;
  /** Ids, in the order they are shown. */
  monitors: readonly string[];
  showResponseTimes: boolean;
  published: boolean;
};

/** A monitor that can stand on a page. */
export type MonitorName = { id: string; name: string };

/** The form of a page that does not exist yet. */
export const NEW_PAGE: PageValues = {
  name: '',
  slug: '',
  description: '',
  logoUrl: '',
  ...THEME_DEFAULTS,
  monitors: [],
  showResponseTimes: false,
  published: false,
};

/** The form of a page as it is. */
export function valuesOf(page: StatusPage): PageValues {
  const { name, slug, description, logoUrl, theme, monitors, showResponseTimes, published } = page;
  return {
    ...{ name, slug, monitors, showResponseTimes, published },
    ...theme,
    description: description ?? '',
    logoUrl: logoUrl ?? '',
  };
}

/** Whether two forms would save the same. */
export function isSame(one: PageValues, other: PageValues): boolean {
  return JSON.stringify(Object.entries(one).sort()) === JSON.stringify(Object.entries(other).sort());
}

/** A slug made of a name: `Acme Shop & Söhne` becomes `acme-shop-sohne`. */
export function suggestSlug(name: string): string {
  return name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 63)
    .replace(/^-+|-+$/g, '');
}

/** The ids with the one at `from` at the place `to`; the same ones where there is no such place. */
export function moved(ids: readonly string[], from: number, to: number): readonly string[] {
  const id = ids[from];
  if (id === undefined || to < 0 || to >= ids.length || from === to) return ids;
  const others = ids.filter((_, index) => index !== from);
  return [...others.slice(0, to), id, ...others.slice(to)];
}

/** Where visitors read a page: its own domain once that is verified, else below the service's address. */
export function addressOf(page: StatusPage, baseUrl: string): string {
  const { customDomain, customDomainVerified, slug } = page;
  const hasDomain = customDomain !== null && customDomainVerified;
  return hasDomain ? `https://${customDomain}` : `${baseUrl}/status/${slug}`;
}

/** The colours of a theme that are too close to its background. Colours that are none yet are not judged. */
export function judgeTheme(theme: Theme): UnreadableColour[] {
  const background = readHex(theme.backgroundColor);
  if (background === null) return [];
  const readable = readableTheme(theme);
  const { ink, accent } = readable[readable.scheme];
  const judged = [
    { field: 'textColor', shown: ink },
    { field: 'primaryColor', shown: accent },
  ] as const;
  return judged.flatMap(({ field, shown }) => {
    const chosen = readHex(theme[field]);
    if (chosen === null) return [];
    const reached = contrast(chosen, background);
    if (reached >= NEEDED_CONTRAST) return [];
    // Cut, not rounded: 4.46 is not 4.5.
    return [{ field, chosen, shown, contrast: (Math.floor(reached * 10) / 10).toFixed(1) }];
  });
}

/** Whether the page is dark for every visitor, as one with a dark background is. */
export function isDarkForAll(theme: Theme): boolean {
  return readableTheme(theme).scheme === 'dark';
}
