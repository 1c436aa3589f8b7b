import { z } from 'zod';
import { cutText } from '@/lib/core/storable-text';
import { APPEARANCES, DEFAULT_APPEARANCE } from './appearance';
import { FONTS, LINK_PLACES, MAX_ANNOUNCEMENT, MAX_CUSTOM_CSS, MAX_LINKS } from './brand-limits';
import { isChosenImage, MAX_CHOSEN_LENGTH } from './chosen-image';
import { MAX_PAGE_MONITORS, MAX_SECTIONS } from './sections';
import { THEME_DEFAULTS } from './theme-defaults';
import { DEFAULT_UPTIME_DAYS, UPTIME_DAYS } from './uptime-days';

const MAX_LABEL = 60;

/** The query of a badge. Other parameters are ignored: image proxies add their own. */
export const badgeQuery = z
  .object({
    monitor: z.string('must not be repeated').max(100).optional(),
    show: z.enum(['status', 'uptime'], 'must be status or uptime').default('status'),
    label: z
      .string('must not be repeated')
      .max(MAX_LABEL, `must be at most ${MAX_LABEL} characters`)
      .optional(),
  })
  .refine(({ show, monitor }) => show === 'status' || monitor !== undefined, {
    path: ['monitor'],
    message: 'is required with show=uptime',
  });

export type BadgeQuery = z.output<typeof badgeQuery>;

const MONITOR_ID = /^mon_[0-9a-z]+$/;
const MAX_TYPED = 100_000;
/** A field as typed so far, truncated for the preview; the form itself shows the error. */
const typed = (max: number) =>
  z
    .string()
    .max(MAX_TYPED)
    .transform((value) => cutText(value, max));
const color = (fallback: string) => z.string().max(100).catch(fallback);

const typedSection = z.object({
  name: typed(100),
  description: typed(500).transform((text) => text.trim() || null),
  collapsed: z.boolean(),
  items: z
    .array(
      z.object({
        monitorId: z.string().max(100).nullable(),
        componentId: z.string().max(100).nullable(),
        name: typed(100).transform((text) => text.trim() || null),
        description: typed(500).transform((text) => text.trim() || null),
      }),
    )
    .max(MAX_PAGE_MONITORS),
});

const typedUrl = typed(2048)
  .default('')
  .transform((text) => text.trim() || null);

/** Typed, or a chosen file, which is complete. */
const typedImage = z
  .string()
  .max(MAX_CHOSEN_LENGTH)
  .transform((value) => (isChosenImage(value) ? value : cutText(value, 2048).trim()) || null)
  .default(null);

const typedBrand = {
  darkLogoUrl: typedImage,
  faviconUrl: typedImage,
  font: z.enum(FONTS).catch('sans'),
  links: z
    .array(z.object({ label: typed(40), url: typed(2048), place: z.enum(LINK_PLACES) }))
    .max(MAX_LINKS)
    .default([])
    .transform((links) => links.filter(({ label }) => label.trim() !== '')),
  timeZone: typed(64)
    .default('')
    .transform((zone) => zone || null),
  poweredBy: z.boolean().default(true),
  customCss: typed(MAX_CUSTOM_CSS)
    .default('')
    .transform((css) => css || null),
  announcement: z
    .object({ text: typed(MAX_ANNOUNCEMENT), url: typedUrl.nullable(), endsAt: z.iso.datetime().max(40) })
    .nullable()
    .catch(null)
    .transform((typed) => (typed === null || typed.text.trim() === '' ? null : typed)),
};

/** An unfinished status page form, for its preview: accepts everything that can be rendered in some way. */
export const pagePreviewSchema = z.object({
  name: typed(100),
  description: typed(500),
  logoUrl: typedImage,
  theme: z.object({
    primaryColor: color(THEME_DEFAULTS.primaryColor),
    backgroundColor: color(THEME_DEFAULTS.backgroundColor),
    textColor: color(THEME_DEFAULTS.textColor),
  }),
  appearance: z.enum(APPEARANCES).catch(DEFAULT_APPEARANCE),
  monitors: z
    .array(z.string().max(100))
    .max(MAX_PAGE_MONITORS)
    .transform((ids) => [...new Set(ids)].filter((id) => MONITOR_ID.test(id))),
  sections: z.array(typedSection).max(MAX_SECTIONS).default([]),
  showResponseTimes: z.boolean(),
  uptimeDays: z.literal(UPTIME_DAYS).catch(DEFAULT_UPTIME_DAYS),
  ...typedBrand,
  /** The visitor's system color scheme. */
  scheme: z.enum(['light', 'dark']),
});
export type PagePreviewInput = z.input<typeof pagePreviewSchema>;
export type PagePreview = z.output<typeof pagePreviewSchema>;
