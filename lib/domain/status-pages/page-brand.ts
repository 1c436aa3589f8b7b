import { PLANS, type PlanId } from '@/lib/plans/catalogue';
import { planLimit } from '@/lib/plans/plan-limit';
import type { Brand } from '@/lib/schemas/status-pages/brand';
import { BRAND_DEFAULTS } from '@/lib/schemas/status-pages/brand-defaults';

/** A brand as it is stored: a field that is not there is at its default. */
export type StoredBrand = Partial<Brand>;

/** The brand of a page, complete. */
export function currentBrand(stored: StoredBrand): Brand {
  return { ...BRAND_DEFAULTS, ...stored };
}

/** The fields of a page that are its brand, and the others, which have columns of their own. */
export function splitBrand<Fields extends StoredBrand>(fields: Fields) {
  const [brand, columns] = [new Map<string, unknown>(), new Map<string, unknown>()];
  for (const [name, value] of Object.entries(fields)) {
    (name in BRAND_DEFAULTS ? brand : columns).set(name, value);
  }
  return {
    brand: Object.fromEntries(brand) as StoredBrand,
    columns: Object.fromEntries(columns) as Omit<Fields, keyof Brand>,
  };
}

/** The fields of a brand that the public can see. */
export function serializeShownBrand({ darkLogoUrl, faviconUrl, font, links, timeZone }: Brand) {
  return { darkLogoUrl, faviconUrl, font, links, timeZone };
}

/** The announcement that a page shows at `now`; null once it has ended. */
export function currentAnnouncement({ announcement }: Pick<Brand, 'announcement'>, now: Date) {
  return announcement !== null && Date.parse(announcement.endsAt) > now.getTime() ? announcement : null;
}

/** Whether a change needs a plan with branding: nothing that a page has already does. */
export function needsBranding(sent: StoredBrand, before: Brand): boolean {
  const hasNewCss = typeof sent.customCss === 'string' && sent.customCss !== before.customCss;
  return hasNewCss || (sent.poweredBy === false && before.poweredBy);
}

/** Throws PLAN_LIMIT_EXCEEDED for a plan without branding. */
export function requireBranding(plan: PlanId): void {
  if (PLANS[plan].branding) return;
  throw planLimit(
    `The ${plan} plan does not include custom CSS or pages without “Powered by”.`,
    ({ branding }) => branding,
  );
}
