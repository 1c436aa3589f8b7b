import { z } from 'zod';
import { domainSchema } from '@/lib/schemas/domain-name';
import {
  changesOf,
  creationOf,
  idText,
  instantSchema,
  nameText,
  resettable,
  text,
  versionSchema,
} from '@/lib/schemas/text';
import { ACCESS_DEFAULTS, accessFields, shownAccessFields } from './access';
import { automaticIncidentsInput, automaticIncidentsSchema, SHOWN_IMMEDIATELY } from './automatic-incidents';
import { brandFields, imageUrl, ownBrandFields, shownBrandFields } from './brand';
import { BRAND_DEFAULTS } from './brand-defaults';
import { MAX_PAGE_MONITORS, sectionsOf, shownSectionsSchema } from './sections';
import { RESERVED_SLUGS, slugText } from './slug';
import { THEME_DEFAULTS } from './theme-defaults';

const OBJECT = 'must be an object or null';
const HEX_COLOR = 'must be a hex color such as #22c55e';
const color = z
  .string('must be a string')
  .max(7, HEX_COLOR)
  .regex(/^#[0-9a-fA-F]{6}$/, HEX_COLOR)
  .toLowerCase();
const colors = { primaryColor: color, backgroundColor: color, textColor: color };
const shownColor = z.string().regex(/^#[0-9a-f]{6}$/);
const themeSchema = z.strictObject({
  primaryColor: shownColor,
  backgroundColor: shownColor,
  textColor: shownColor,
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
  name: nameText(1, 100).meta({ description: 'Display name' }),
  slug: slugText.refine((slug) => !RESERVED_SLUGS.includes(slug), 'is reserved'),
  description: text(0, 500).nullable(),
  monitors: monitorIds,
  sections: sectionsOf(idText('must be a monitor ID or null')),
  published: z
    .boolean('must be true or false')
    .meta({ description: 'Whether the page can be seen by those to whom it is visible' }),
  logoUrl: imageUrl,
  customDomain: domainSchema.nullable().meta({
    description:
      'Requires the Pro plan. The page is served there once its TXT record is found, see customDomainStatus',
  }),
  showResponseTimes: z
    .boolean('must be true or false')
    .meta({ description: 'Whether the page shows response times' }),
  ...brandFields,
  automaticIncidents: automaticIncidentsInput,
  ...accessFields,
};

const DEFAULTS = {
  description: null,
  sections: [],
  published: false,
  theme: THEME_DEFAULTS,
  logoUrl: null,
  customDomain: null,
  showResponseTimes: false,
  ...BRAND_DEFAULTS,
  automaticIncidents: SHOWN_IMMEDIATELY,
  ...ACCESS_DEFAULTS,
} as const;

/** The fields of a new page; a partial theme is filled with the defaults. */
export const newStatusPageFields = creationOf(
  { ...fields, theme: z.strictObject(creationOf(colors, THEME_DEFAULTS), OBJECT) },
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
  id: z.string().regex(/^sp_/),
  name: z.string(),
  slug: z.string(),
  description: z.string().nullable(),
  published: z.boolean(),
  theme: themeSchema,
  logoUrl: z.string().nullable(),
  customDomain: z.string().nullable(),
  showResponseTimes: z.boolean(),
  ...shownBrandFields,
  createdAt: instantSchema,
  updatedAt: instantSchema,
};

export const DOMAIN_STATUSES = ['none', 'pending', 'verified', 'lost', 'taken'] as const;

const dnsRecord = (type: 'TXT' | 'CNAME') =>
  z.strictObject({ name: z.string(), type: z.literal(type), value: z.string() }).nullable();

const domainStatusSchema = z
  .strictObject({
    status: z.enum(DOMAIN_STATUSES).meta({
      description:
        'pending until the record is found; lost after it was missing for 3 days; taken while another page has verified the domain',
    }),
    record: dnsRecord('TXT').meta({ description: 'The record that proves that you own the domain' }),
    pointTo: dnsRecord('CNAME').meta({
      description: 'Where the domain must point (ALIAS and A records work too); null if unknown',
    }),
    checkedAt: instantSchema.nullable().meta({ description: 'When the record was last looked up' }),
    verifiedAt: instantSchema.nullable().meta({ description: 'When the domain was verified' }),
    error: z.string().nullable().meta({ description: 'The problem found by the last check' }),
  })
  .meta({ id: 'CustomDomainStatus' });

/** A status page as the API returns it to its organization. */
export const statusPageSchema = z
  .strictObject({
    ...shownPageFields,
    ...ownBrandFields,
    ...shownAccessFields,
    version: versionSchema,
    monitors: z.array(z.string().regex(/^mon_/)),
    sections: shownSectionsSchema,
    automaticIncidents: automaticIncidentsSchema,
    customDomainVerified: z.boolean(),
    customDomainRecord: z
      .strictObject({ name: z.string(), value: z.string() })
      .nullable()
      .meta({ description: 'The TXT record that proves that you own the domain; null without a domain' }),
    customDomainStatus: domainStatusSchema,
  })
  .meta({ id: 'StatusPage' });

/** The body of PUT /status-pages/:slug; a partial theme changes those colors. */
export const updateStatusPageSchema = changesOf(
  { ...fields, theme: z.strictObject(resettable(colors, THEME_DEFAULTS), OBJECT).partial() },
  statusPageSchema,
  DEFAULTS,
);

export type DomainStatus = z.output<typeof domainStatusSchema>;
export type StatusPage = z.output<typeof statusPageSchema>;
export type CreateStatusPage = z.output<typeof createStatusPageSchema>;
export type StatusPageChanges = z.output<typeof updateStatusPageSchema>;
