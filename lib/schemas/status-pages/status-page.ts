import { z } from 'zod';
import { described } from '@/lib/schemas/described';
import { domainSchema } from '@/lib/schemas/domain-name';
import {
  changesOf,
  createdAtSchema,
  creationOf,
  idText,
  instantSchema,
  nameText,
  oneOf,
  resettable,
  text,
  updatedAtSchema,
  versionSchema,
} from '@/lib/schemas/text';
import { ACCESS_DEFAULTS, accessFields, shownAccessFields } from './access';
import { APPEARANCES, DEFAULT_APPEARANCE } from './appearance';
import { automaticIncidentsInput, automaticIncidentsSchema, SHOWN_IMMEDIATELY } from './automatic-incidents';
import { brandFields, imageUrl, ownBrandFields, shownBrandFields } from './brand';
import { BRAND_DEFAULTS } from './brand-defaults';
import { embedOriginsInput } from './embed-origins';
import { MAX_PAGE_MONITORS, sectionsOf, shownSectionsSchema } from './sections';
import { RESERVED_SLUGS, slugText } from './slug';
import { THEME_DEFAULTS } from './theme-defaults';
import { DEFAULT_UPTIME_DAYS, UPTIME_DAYS } from './uptime-days';

const OBJECT = 'must be an object or null';
const HEX_COLOR = 'must be a hex color such as #22c55e';
const color = z
  .string('must be a string')
  .max(7, HEX_COLOR)
  .regex(/^#[0-9a-fA-F]{6}$/, HEX_COLOR)
  .toLowerCase();
const colors = {
  primaryColor: described(color, 'The color of the header and links', '#22c55e'),
  backgroundColor: described(color, 'The color of the background', '#ffffff'),
  textColor: described(color, 'The color of the text', '#111827'),
};
const shownColor = z.string().regex(/^#[0-9a-f]{6}$/);
const themeSchema = z.strictObject({
  primaryColor: described(shownColor, 'The color of the header and links', '#22c55e'),
  backgroundColor: described(shownColor, 'The color of the background', '#ffffff'),
  textColor: described(shownColor, 'The color of the text', '#111827'),
});

const monitorIds = z
  .array(idText('must be a string'), 'must be an array of monitor IDs')
  .max(MAX_PAGE_MONITORS, `must have at most ${MAX_PAGE_MONITORS} monitors`)
  .superRefine((ids, context) => {
    const seen = new Set<string>();
    ids.forEach((id, index) => {
      if (seen.has(id)) context.addIssue({ code: 'custom', path: [index], message: 'is a duplicate' });
      seen.add(id);
    });
  })
  .meta({
    description:
      'Monitor IDs in display order. Required without sections; with sections, those of their rows in the same order, or omitted',
  });

const fields = {
  name: described(nameText(1, 100), 'Display name', 'Acme'),
  slug: described(
    slugText.refine((slug) => !RESERVED_SLUGS.includes(slug), 'is reserved'),
    'The last part of the public URL',
    'acme',
  ),
  description: described(
    text(0, 500).nullable(),
    'A text below the title; null for none',
    'All systems of Acme',
  ),
  monitors: monitorIds.meta({ example: ['mon_01kxk1j7c2e5x8q3n6w4r9t0zb'] }),
  sections: sectionsOf(idText('must be a monitor ID or null')).describe(
    'How the page groups its rows; empty for a list of its monitors',
  ),
  published: described(
    z.boolean('must be true or false'),
    'Whether the page can be seen by those to whom it is visible',
    true,
  ),
  appearance: described(
    oneOf(APPEARANCES),
    'Whether the page is light, dark, or as each visitor prefers. The colors of `theme` are adapted, so that all text can be read',
    DEFAULT_APPEARANCE,
  ),
  logoUrl: described(
    imageUrl,
    'The https URL of the logo; null for none. The path of an uploaded logo keeps it',
    'https://example.com/logo.svg',
  ),
  customDomain: described(
    domainSchema.nullable(),
    'Not included in the Free plan. The page is served there once its TXT record is found, see customDomainStatus',
    'status.example.com',
  ),
  showResponseTimes: described(
    z.boolean('must be true or false'),
    'Whether the page shows response times',
    true,
  ),
  uptimeDays: described(
    z.literal(UPTIME_DAYS, `must be one of ${UPTIME_DAYS.join(', ')}`),
    'How many days the bars and the uptime of a row of the page cover. The public JSON is not affected',
    90,
  ),
  embedOrigins: described(
    embedOriginsInput,
    'The origins of websites that may show the whole page in a frame, or only `*` for all of them. `https://*.example.com` covers subdomains; `http` is for localhost. Private pages can never be framed',
    ['https://www.example.com'],
  ),
  ...brandFields,
  automaticIncidents: automaticIncidentsInput,
  ...accessFields,
};

const DEFAULTS = {
  description: null,
  sections: [],
  published: false,
  theme: THEME_DEFAULTS,
  appearance: DEFAULT_APPEARANCE,
  logoUrl: null,
  customDomain: null,
  showResponseTimes: false,
  uptimeDays: DEFAULT_UPTIME_DAYS,
  embedOrigins: [],
  ...BRAND_DEFAULTS,
  automaticIncidents: SHOWN_IMMEDIATELY,
  ...ACCESS_DEFAULTS,
} as const;

/** The fields of a new page; a partial theme is filled with the defaults. */
export const newStatusPageFields = creationOf(
  {
    ...fields,
    theme: z.strictObject(creationOf(colors, THEME_DEFAULTS), OBJECT).describe('The colors, as #rrggbb'),
  },
  DEFAULTS,
);

/** The body of POST /status-pages as it is documented: that monitors can be omitted with sections has no simple schema. */
export const documentedStatusPageSchema = z.strictObject(newStatusPageFields);

/** The body of POST /status-pages. */
export const createStatusPageSchema = z
  .strictObject({ ...newStatusPageFields, monitors: monitorIds.optional() })
  .refine(({ monitors, sections }) => monitors !== undefined || (sections ?? []).length > 0, {
    path: ['monitors'],
    message: 'is required without sections',
    // Also reported together with what is wrong with other fields.
    when: ({ value }) => typeof value === 'object' && value !== null && !Array.isArray(value),
  });

/** The fields that the public can see. */
export const shownPageFields = {
  id: described(z.string().regex(/^sp_/), 'The ID of the page', 'sp_01kxk22g9j2m5p8s1v4x7b0d3e'),
  name: described(z.string(), 'The title', 'Acme'),
  slug: described(z.string(), 'The last part of the public URL', 'acme'),
  description: described(
    z.string().nullable(),
    'A text below the title; null for none',
    'All systems of Acme',
  ),
  published: described(z.boolean(), 'Whether the page is public', true),
  theme: themeSchema.describe('The colors, as #rrggbb'),
  appearance: described(
    z.enum(APPEARANCES),
    'Whether the page is light, dark, or as each visitor prefers',
    DEFAULT_APPEARANCE,
  ),
  logoUrl: described(
    z.string().nullable(),
    'The https URL of the logo, or its path if it was uploaded; null for none',
    'https://example.com/logo.svg',
  ),
  customDomain: described(
    z.string().nullable(),
    'The host name of the page; null for none',
    'status.example.com',
  ),
  showResponseTimes: described(z.boolean(), 'Whether the page shows response times', true),
  uptimeDays: described(
    z.literal(UPTIME_DAYS),
    'How many days the bars and the uptime of a row of the page cover',
    90,
  ),
  ...shownBrandFields,
  createdAt: createdAtSchema,
  updatedAt: updatedAtSchema,
};

export const DOMAIN_STATUSES = ['none', 'pending', 'verified', 'lost', 'taken'] as const;

const dnsRecord = (type: 'TXT' | 'CNAME', [name, value]: [string, string]) =>
  z
    .strictObject({
      name: described(z.string(), 'The name of the DNS record', name),
      type: described(z.literal(type), 'The type of the DNS record', type),
      value: described(z.string(), 'The value of the DNS record', value),
    })
    .nullable();

const domainStatusSchema = z
  .strictObject({
    status: z.enum(DOMAIN_STATUSES).meta({
      description:
        'pending until the record is found; lost after it was missing for 3 days; taken while another page has verified the domain',
    }),
    record: dnsRecord('TXT', ['_pharos.status.example.com', 'pharos-verify=3f6c1b']).meta({
      description: 'The record that proves that you own the domain',
    }),
    pointTo: dnsRecord('CNAME', ['status.example.com', 'pharos.example.com']).meta({
      description: 'Where the domain must point (ALIAS and A records work too); null if unknown',
    }),
    checkedAt: instantSchema.nullable().meta({ description: 'When the record was last looked up' }),
    verifiedAt: described(instantSchema.nullable(), 'When the domain was verified', null),
    error: described(z.string().nullable(), 'The problem found by the last check', null),
  })
  .meta({ id: 'CustomDomainStatus' });

/** A status page as the API returns it to its organization. */
export const statusPageSchema = z
  .strictObject({
    ...shownPageFields,
    embedOrigins: described(
      z.array(z.string()),
      'The origins of websites that may show the page in a frame while it is public, or only `*` for all of them',
      ['https://www.example.com'],
    ),
    ...ownBrandFields,
    ...shownAccessFields,
    version: versionSchema,
    monitors: described(z.array(z.string().regex(/^mon_/)), 'Monitor IDs', [
      'mon_01kxk1j7c2e5x8q3n6w4r9t0zb',
    ]),
    sections: shownSectionsSchema.describe('How the page groups its rows; empty for a list of its monitors'),
    automaticIncidents: automaticIncidentsSchema,
    customDomainVerified: described(z.boolean(), 'Whether the domain is verified', false),
    customDomainRecord: z
      .strictObject({
        name: described(z.string(), 'The name of the DNS record', '_pharos.status.example.com'),
        value: described(z.string(), 'The value', 'pharos-verify=3f6c1b'),
      })
      .nullable()
      .meta({ description: 'The TXT record that proves that you own the domain; null without a domain' }),
    customDomainStatus: domainStatusSchema.describe('The state of the domain; null without one'),
  })
  .meta({ id: 'StatusPage' });

/** The body of PUT /status-pages/:slug; a partial theme changes those colors. */
export const updateStatusPageSchema = changesOf(
  {
    ...fields,
    theme: z
      .strictObject(resettable(colors, THEME_DEFAULTS), OBJECT)
      .partial()
      .describe('The colors, as #rrggbb'),
  },
  statusPageSchema,
  DEFAULTS,
);

export type DomainStatus = z.output<typeof domainStatusSchema>;
export type StatusPage = z.output<typeof statusPageSchema>;
export type CreateStatusPage = z.output<typeof createStatusPageSchema>;
export type StatusPageChanges = z.output<typeof updateStatusPageSchema>;
