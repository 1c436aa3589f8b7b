import type { StatusPage } from '@/lib/schemas/status-page';
import { THEME_DEFAULTS } from '@/lib/schemas/theme-defaults';

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
