import { contrast, readHex } from '@/components/status-page/theme/color';
import { type PageColors, readableTheme } from '@/components/status-page/theme/theme-css';
import { DEFAULT_APPEARANCE } from '@/lib/schemas/status-pages/appearance';
import type { AutomaticIncidents } from '@/lib/schemas/status-pages/automatic-incidents';
import type { StatusPage } from '@/lib/schemas/status-pages/status-page';
import { THEME_DEFAULTS } from '@/lib/schemas/status-pages/theme-defaults';
import { DEFAULT_UPTIME_DAYS } from '@/lib/schemas/status-pages/uptime-days';
import { type BrandValues, brandValuesOf, NEW_BRAND } from './brand/brand-values';
import { type EditedSection, editSections } from './section-values';

/** The contrast ratio that WCAG 2.2 AA requires for text. */
export const MIN_CONTRAST = 4.5;

/** Values of the status page form, as typed. */
export type PageValues = PageColors &
  BrandValues &
  Pick<StatusPage, 'name' | 'slug' | 'showResponseTimes' | 'uptimeDays' | 'published'> & {
    description: string;
    logoUrl: string;
    /** One per line. */
    embedOrigins: string;
    /** When automatic incidents are shown, with minutes for `after`. */
    automaticShow: AutomaticIncidents['show'];
    automaticMinutes: string;
    /** IDs in display order. */
    monitors: readonly string[];
    /** With sections, the monitors are those of their rows. */
    sections: readonly EditedSection[];
  };

/** Form values of a new page. */
export const NEW_PAGE: PageValues = {
  name: '',
  slug: '',
  description: '',
  logoUrl: '',
  embedOrigins: '',
  ...THEME_DEFAULTS,
  appearance: DEFAULT_APPEARANCE,
  ...NEW_BRAND,
  monitors: [],
  sections: [],
  showResponseTimes: false,
  uptimeDays: DEFAULT_UPTIME_DAYS,
  automaticShow: 'immediately',
  automaticMinutes: '10',
  published: false,
};

/** Form values of an existing page. */
export function valuesOf(page: StatusPage): PageValues {
  const { name, slug, description, logoUrl, theme, appearance, monitors, sections } = page;
  const { showResponseTimes, uptimeDays, published } = page;
  const { show, afterMinutes } = page.automaticIncidents;
  return {
    name,
    slug,
    monitors,
    showResponseTimes,
    uptimeDays,
    published,
    sections: editSections(sections),
    ...theme,
    appearance,
    ...brandValuesOf(page),
    description: description ?? '',
    logoUrl: logoUrl ?? '',
    embedOrigins: page.embedOrigins.join('\n'),
    automaticShow: show,
    automaticMinutes: String(afterMinutes ?? NEW_PAGE.automaticMinutes),
  };
}

/** Whether two states of a form have equal values. */
export function isSame(one: PageValues, other: PageValues): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** A slug for a name: `Acme Shop & Söhne` becomes `acme-shop-sohne`. */
export function suggestSlug(name: string): string {
  return name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 63)
    .replace(/^-+|-+$/g, '');
}

/** Moves the item at `from` to index `to`; unchanged if there is no such index. */
export function moveItem<Item>(items: readonly Item[], from: number, to: number): readonly Item[] {
  const item = items[from];
  if (item === undefined || to < 0 || to >= items.length || from === to) return items;
  const others = items.filter((_, index) => index !== from);
  return [...others.slice(0, to), item, ...others.slice(to)];
}

/** The public URL of a page: its domain once verified, otherwise a path of the service. */
export function publicUrlOf(page: StatusPage, baseUrl: string): string {
  const { customDomain, customDomainVerified, slug } = page;
  const hasDomain = customDomain !== null && customDomainVerified;
  return hasDomain ? `https://${customDomain}` : `${baseUrl}/status/${slug}`;
}

/**
 * The colors of a theme with too little contrast to its background, their contrast ratio, such as `2.1`, and the colors
 * that the page shows instead. Invalid colors are ignored, and so are all if nobody sees the chosen background.
 */
export function findUnreadableColors(theme: PageColors) {
  const background = readHex(theme.backgroundColor);
  if (background === null) return [];
  const readable = readableTheme(theme);
  if (theme.appearance !== 'automatic' && theme.appearance !== readable.scheme) return [];
  const { ink, accent } = readable[readable.scheme];
  const judged = [
    { field: 'textColor', label: 'Text', shown: ink },
    { field: 'primaryColor', label: 'Accent', shown: accent },
  ] as const;
  return judged.flatMap(({ field, label, shown }) => {
    const chosen = readHex(theme[field]);
    if (chosen === null) return [];
    const reached = contrast(chosen, background);
    if (reached >= MIN_CONTRAST) return [];
    // Truncated, not rounded: 4.46 is not 4.5.
    return [{ field, label, chosen, shown, contrast: (Math.floor(reached * 10) / 10).toFixed(1) }];
  });
}

/** What the choices of an appearance are called. */
export const APPEARANCE_LABELS: Record<PageValues['appearance'], string> = {
  automatic: 'As each visitor prefers',
  light: 'Always light',
  dark: 'Always dark',
};

/** Who sees the page light and who dark, and which of the two the chosen colors are for. */
export function formatAppearance(colors: PageColors): string {
  const { scheme } = readableTheme(colors);
  const other = scheme === 'dark' ? 'light' : 'dark';
  if (colors.appearance === 'automatic') {
    return `Your colors are for the ${scheme} page. Visitors whose device is set to ${other} see ${other} versions of them.`;
  }
  if (colors.appearance === scheme) return 'Everyone sees your colors, whatever their device is set to.';
  return `The background is ${scheme}, so everyone sees ${other} versions of your colors.`;
}
