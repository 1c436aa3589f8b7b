import { z } from 'zod';
import { parseHttpUrl } from '@/lib/core/addresses';
import { isTimeZone } from '@/lib/core/time/zoned-time';
import { givenInstantSchema, instantSchema, oneOf, storable, text } from '@/lib/schemas/text';
import { FONTS, LINK_PLACES, MAX_ANNOUNCEMENT, MAX_CUSTOM_CSS, MAX_LINKS } from './brand-limits';
import { readCustomCss } from './custom-css';

const MAX_URL = 2048;
const MAX_ZONE = 64;
const FLAG = 'must be true or false';

/** The URL of an image on the page. */
export const imageUrl = text(1, MAX_URL)
  .refine((url) => parseHttpUrl(url)?.protocol === 'https:', 'must be an https URL')
  .nullable();

const ADDRESS = /^mailto:[^\s@?]+@[^\s@?]+(\?[^\s]*)?$/i;

/** Whether a URL is one that a page may link to: `https` without credentials, or `mailto`. */
export function isLinkUrl(url: string): boolean {
  return ADDRESS.test(url) ? URL.canParse(url) : parseHttpUrl(url)?.protocol === 'https:';
}

const linkUrl = text(1, MAX_URL).refine(isLinkUrl, 'must be an https or mailto URL');

const linksSchema = z
  .array(
    z.strictObject(
      {
        label: text(1, 40),
        url: linkUrl,
        place: oneOf(LINK_PLACES).default('footer'),
      },
      'must be an object with label, url and place',
    ),
    'must be an array of links',
  )
  .max(MAX_LINKS, `must have at most ${MAX_LINKS} links`);

const announcementSchema = z.strictObject(
  {
    text: text(1, MAX_ANNOUNCEMENT).describe('Plain text'),
    url: linkUrl.nullable().default(null).describe('Where the text leads; null for nowhere'),
    endsAt: givenInstantSchema
      .transform((end) => end.toISOString())
      .meta({ description: 'When it disappears, with a UTC offset. In the past: it is kept, but not shown' }),
  },
  'must be an object with text, url and endsAt, or null',
);

const customCss = storable(
  z.string('must be a string').max(MAX_CUSTOM_CSS, {
    error: `must be at most ${MAX_CUSTOM_CSS} characters`,
    abort: true,
  }),
)
  .superRefine((source, context) => {
    const read = readCustomCss(source);
    if ('problem' in read) context.addIssue({ code: 'custom', message: read.problem });
  })
  .transform((source) => (source.trim() === '' ? null : source));

/** How a page looks and presents itself, besides its colors and its logo. */
export const brandFields = {
  darkLogoUrl: imageUrl.meta({ description: 'The logo on a dark background; null for `logoUrl`' }),
  faviconUrl: imageUrl.meta({ description: 'Null for an icon that shows the status' }),
  font: oneOf(FONTS).meta({ description: 'The kind of system font. No font is loaded' }),
  links: linksSchema.meta({ description: 'Links to your site, support, and policies, in order' }),
  timeZone: text(1, MAX_ZONE)
    .refine(isTimeZone, 'must be an IANA time zone such as Europe/Berlin')
    .nullable()
    .meta({
      description:
        'The time zone in which the page shows times, with the time of the visitor as a tooltip; null for the time zone of each visitor. Days are always in UTC',
    }),
  noindex: z.boolean(FLAG).meta({ description: 'Whether search engines are asked not to list the page' }),
  poweredBy: z.boolean(FLAG).meta({
    description: 'Whether the footer names this service. `false` requires the Pro plan',
  }),
  announcement: announcementSchema.nullable().meta({
    description: 'A line above the status until it ends; null for none',
  }),
  customCss: customCss.nullable().meta({
    description:
      'Styles after those of the page; null for none. They cannot load anything: without `url()`, `@import` and `@font-face`. Requires the Pro plan',
  }),
};

const shownLink = z
  .strictObject({ label: z.string(), url: z.string(), place: z.enum(LINK_PLACES) })
  .meta({ id: 'StatusPageLink' });

/** The fields that the public can see. */
export const shownBrandFields = {
  darkLogoUrl: z.string().nullable(),
  faviconUrl: z.string().nullable(),
  font: z.enum(FONTS),
  links: z.array(shownLink),
  timeZone: z.string().nullable(),
};

const shownAnnouncement = z
  .strictObject({ text: z.string(), url: z.string().nullable(), endsAt: instantSchema })
  .meta({ id: 'Announcement' });

/** All fields as the API returns them to the organization of the page. */
export const ownBrandFields = {
  ...shownBrandFields,
  noindex: z.boolean(),
  poweredBy: z.boolean(),
  announcement: shownAnnouncement.nullable(),
  customCss: z.string().nullable(),
};

const brandSchema = z.strictObject(ownBrandFields);

/** How a page looks and presents itself, complete. */
export type Brand = z.output<typeof brandSchema>;
export type Announcement = z.output<typeof shownAnnouncement>;
export type PageLink = z.output<typeof shownLink>;
