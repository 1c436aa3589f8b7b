import { z } from 'zod';
import { parseHttpUrl } from '@/lib/core/addresses';
import { parseUrl } from '@/lib/core/parse-url';
import { isTimeZone } from '@/lib/core/time/zoned-time';
import { described } from '@/lib/schemas/described';
import { givenInstantSchema, instantSchema, oneOf, storable, text } from '@/lib/schemas/text';
import { FONTS, LINK_PLACES, MAX_ANNOUNCEMENT, MAX_CUSTOM_CSS, MAX_LINKS } from './brand-limits';
import { readCustomCss } from './custom-css';
import { findImageName } from './page-images';

const MAX_URL = 2048;
const MAX_ZONE = 64;
const FLAG = 'must be true or false';

/** The URL of an image on the page, or the path of one that was uploaded. */
export const imageUrl = text(1, MAX_URL)
  .refine(
    (url) => parseHttpUrl(url)?.protocol === 'https:' || findImageName(url) !== null,
    'must be an https URL',
  )
  .nullable();

const ADDRESS = /^mailto:[^\s@?]+@[^\s@?]+(\?[^\s]*)?$/i;

/** Whether a URL is one that a page may link to: `https` without credentials, or `mailto`. */
export function isLinkUrl(url: string): boolean {
  return ADDRESS.test(url) ? parseUrl(url) !== null : parseHttpUrl(url)?.protocol === 'https:';
}

const linkUrl = text(1, MAX_URL).refine(isLinkUrl, 'must be an https or mailto URL');

const linksSchema = z
  .array(
    z.strictObject(
      {
        label: described(text(1, 40), 'The text of the link', 'Support'),
        url: described(linkUrl, 'An https or mailto URL', 'https://example.com/support'),
        place: oneOf(LINK_PLACES).default('footer').describe('Where it is shown'),
      },
      'must be an object with label, url and place',
    ),
    'must be an array of links',
  )
  .max(MAX_LINKS, `must have at most ${MAX_LINKS} links`);

const announcementSchema = z.strictObject(
  {
    text: described(text(1, MAX_ANNOUNCEMENT), 'Plain text', 'We are moving to a new data center on Sunday.'),
    url: described(
      linkUrl.nullable().default(null),
      'Where the text leads; null for nowhere',
      'https://example.com/blog/move',
    ),
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
  darkLogoUrl: described(imageUrl, 'The logo on a dark background; null for `logoUrl`', null),
  faviconUrl: described(imageUrl, 'Null for an icon that shows the status', null),
  font: described(oneOf(FONTS), 'The kind of system font. No font is loaded', 'sans'),
  links: linksSchema.meta({ description: 'Links to your site, support, and policies, in order' }),
  timeZone: described(
    text(1, MAX_ZONE).refine(isTimeZone, 'must be an IANA time zone such as Europe/Berlin').nullable(),
    'The time zone in which the page shows times, with the time of the visitor as a tooltip; null for the time zone of each visitor. Days are always in UTC',
    'Europe/Berlin',
  ),
  noindex: described(z.boolean(FLAG), 'Whether search engines are asked not to list the page', false),
  poweredBy: described(
    z.boolean(FLAG),
    'Whether the footer names this service. `false` is not included in the Free plan',
    true,
  ),
  announcement: announcementSchema.nullable().meta({
    description: 'A line above the status until it ends; null for none',
  }),
  customCss: described(
    customCss.nullable(),
    'Styles after those of the page; null for none. They cannot load anything: without `url()`, `@import` and `@font-face`. Not included in the Free plan',
    '.banner { border-radius: 0 }',
  ),
};

const shownLink = z
  .strictObject({
    label: described(z.string(), 'The text of the link', 'Support'),
    url: described(z.string(), 'An https or mailto URL', 'https://example.com/support'),
    place: described(z.enum(LINK_PLACES), 'Where it is shown', 'footer'),
  })
  .meta({ id: 'StatusPageLink' });

/** The fields that the public can see. */
export const shownBrandFields = {
  darkLogoUrl: described(
    z.string().nullable(),
    'The https URL of the logo on a dark background, or its path if it was uploaded; null for `logoUrl`',
    null,
  ),
  faviconUrl: described(
    z.string().nullable(),
    'The https URL of the icon, or its path if it was uploaded; null for one that shows the status',
    null,
  ),
  font: described(z.enum(FONTS), 'The kind of system font', 'sans'),
  links: z.array(shownLink).describe('Links to other sites, in order'),
  timeZone: described(
    z.string().nullable(),
    'The time zone of times on the page; null for that of each visitor',
    'Europe/Berlin',
  ),
};

const shownAnnouncement = z
  .strictObject({
    text: described(z.string(), 'Plain text', 'We are moving to a new data center on Sunday.'),
    url: described(
      z.string().nullable(),
      'Where the text leads; null for nowhere',
      'https://example.com/blog/move',
    ),
    endsAt: instantSchema.describe('When it disappears'),
  })
  .meta({ id: 'Announcement' });

/** All fields as the API returns them to the organization of the page. */
export const ownBrandFields = {
  ...shownBrandFields,
  noindex: described(z.boolean(), 'Whether search engines are asked not to list the page', false),
  poweredBy: described(z.boolean(), 'Whether the footer names this service', true),
  announcement: shownAnnouncement.nullable().describe('A line above the status until it ends; null for none'),
  customCss: described(
    z.string().nullable(),
    'Styles after those of the page; null for none',
    '.banner { border-radius: 0 }',
  ),
};

const brandSchema = z.strictObject(ownBrandFields);

/** How a page looks and presents itself, complete. */
export type Brand = z.output<typeof brandSchema>;
export type Announcement = z.output<typeof shownAnnouncement>;
export type PageLink = z.output<typeof shownLink>;
