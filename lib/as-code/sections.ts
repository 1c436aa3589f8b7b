import { z } from 'zod';
import { HIDDEN } from '@/lib/schemas/hidden';
import { createMaintenanceSchema } from '@/lib/schemas/maintenance';
import { defaultsOfType, findConflicts } from '@/lib/schemas/monitor';
import {
  describeField,
  MAX_DEPENDENCIES,
  MAX_MEMBERS,
  type MonitorConfig,
  newMonitorFields,
  SECRET_FIELDS,
} from '@/lib/schemas/monitor/fields';
import { findImageName, IMAGE_PLACES } from '@/lib/schemas/status-pages/page-images';
import { MAX_PAGE_MONITORS } from '@/lib/schemas/status-pages/sections';
import { newStatusPageFields } from '@/lib/schemas/status-pages/status-page';
import { refText } from '@/lib/schemas/text';
import { defaultUrl, type FormatFields, findFormatConflicts } from '@/lib/schemas/webhooks/credentials';
import { defaultEvents, newWebhookFields } from '@/lib/schemas/webhooks/webhook';
import { DEFAULT_FORMAT, WEBHOOK_FORMATS } from '@/lib/webhook-formats/formats';
import { monitorsInSections, shortSections, writtenSections } from './page-sections';
import { shortRules, writtenRules } from './rules';

/** The settable fields of a resource. */
export type ResourceFields = Record<string, unknown>;

/** A kind of resource in a file. */
export type Section = {
  /** The fields of a resource; monitors are named by their `ref` or ID. */
  schema: z.ZodObject;
  /** The path of its list in the API. */
  path: string;
  /** The field that identifies a resource of the file. */
  key: 'ref' | 'slug' | 'title';
  /** What a person calls one. */
  noun: string;
  /** The defaults that depend on other fields. */
  defaultsFor(fields: ResourceFields): ResourceFields;
  /** What the service has, with `[hidden]` for a secret that it never returns. */
  readStored(stored: ResourceFields): ResourceFields;
  /** Replaces every secret by `[hidden]`. */
  hide(fields: ResourceFields): ResourceFields;
  /** What is wrong with fields that are valid on their own. */
  findConflicts(fields: ResourceFields): readonly { path: string; message: string }[];
  /** A value in which only differences that mean something are left. */
  simplify(field: string, value: unknown): unknown;
};

const nothingHidden = (fields: ResourceFields) => fields;
const allReturned = (stored: ResourceFields) => stored;
const noDefaults = () => ({});
const noConflicts = () => [];
const asItIs = (_field: string, value: unknown) => value;
const monitorNames = z.array(refText, 'must be a list of refs or IDs of monitors');

const optionalNames = (most: number) =>
  monitorNames
    .max(most)
    .nullable()
    .default([])
    .transform((names) => names ?? []);

/** In the order in which they are created: later ones refer to monitors. */
export const SECTIONS = {
  monitors: {
    schema: z.strictObject({
      ...newMonitorFields,
      dependsOn: optionalNames(MAX_DEPENDENCIES),
      members: optionalNames(MAX_MEMBERS),
    }),
    path: '/monitors',
    key: 'ref',
    noun: 'monitor',
    readStored: allReturned,
    defaultsFor: ({ type }) => defaultsOfType(typeof type === 'string' ? type : undefined),
    hide: hideMonitorSecrets,
    findConflicts: (fields) => findConflicts(fields as MonitorConfig),
    // The names of headers are the same in any case.
    simplify: (field, value) => (field === 'headers' ? withLowerNames(value) : value),
  },
  webhooks: {
    schema: z.strictObject({
      ...newWebhookFields,
      rules: writtenRules
        .nullable()
        .default([])
        .transform((rules) => rules ?? []),
    }),
    path: '/webhooks',
    key: 'ref',
    noun: 'webhook endpoint',
    readStored: allReturned,
    defaultsFor: ({ format, credentials }) => ({
      events: defaultEvents(WEBHOOK_FORMATS.find((one) => one === format) ?? DEFAULT_FORMAT),
      url: defaultUrl(String(format), Object(credentials)),
    }),
    hide: hideWebhookSecrets,
    findConflicts: (fields) => findFormatConflicts(fields as FormatFields),
    simplify: simplifyWebhook,
  },
  'status-pages': {
    schema: z.strictObject({
      ...newStatusPageFields,
      monitors: monitorNames.max(MAX_PAGE_MONITORS),
      sections: writtenSections
        .nullable()
        .default([])
        .transform((sections) => sections ?? []),
    }),
    path: '/status-pages',
    key: 'slug',
    noun: 'status page',
    readStored: ({ hasPassword, ...stored }) => ({
      ...withoutUploads(stored),
      password: hasPassword ? HIDDEN : null,
    }),
    defaultsFor: ({ sections }) => {
      const monitors = monitorsInSections(sections);
      return monitors === null ? {} : { monitors };
    },
    hide: (fields) => (typeof fields.password === 'string' ? { ...fields, password: HIDDEN } : fields),
    findConflicts: ({ monitors, sections }) =>
      String(monitorsInSections(sections) ?? monitors) !== String(monitors)
        ? [{ path: 'monitors', message: 'must be those of the sections in the same order, or omitted' }]
        : [],
    simplify: (field, value) => (field === 'sections' ? shortSections(value) : value),
  },
  maintenance: {
    schema: createMaintenanceSchema.extend({ monitors: monitorNames.min(1).max(1000) }),
    path: '/maintenance',
    key: 'title',
    noun: 'maintenance window',
    readStored: allReturned,
    defaultsFor: noDefaults,
    hide: nothingHidden,
    findConflicts: noConflicts,
    simplify: asItIs,
  },
} as const satisfies Record<string, Section>;

export type SectionName = keyof typeof SECTIONS;
export const SECTION_NAMES = Object.keys(SECTIONS) as SectionName[];

/** A section by its name, without what is particular to it. */
export function sectionOf(name: SectionName): Section {
  return SECTIONS[name];
}

/** The value of a field that is omitted from `fields`; undefined if it is required. */
export function defaultOf({ schema, defaultsFor }: Section, field: string, fields: ResourceFields): unknown {
  const own = defaultsFor(fields);
  if (field in own) return own[field];
  const parsed = (schema.shape[field] as z.ZodType | undefined)?.safeParse(undefined);
  return parsed?.success ? toPlain(parsed.data) : undefined;
}

/** A value as JSON has it: times are text. */
export function toPlain(value: unknown): unknown {
  return value === undefined ? undefined : JSON.parse(JSON.stringify(value));
}

/** A page without the paths of uploaded images: a file has only URLs, and leaves what was uploaded as it is. */
function withoutUploads(page: ResourceFields): ResourceFields {
  const uploaded = IMAGE_PLACES.filter(([, field]) => findImageName(String(page[field])) !== null);
  return { ...page, ...Object.fromEntries(uploaded.map(([, field]) => [field, null])) };
}

function simplifyWebhook(field: string, value: unknown): unknown {
  if (field === 'rules') return shortRules(value);
  // The API returns them in an order of its own.
  return field === 'events' && Array.isArray(value) ? value.toSorted() : value;
}

function withLowerNames(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name.toLowerCase(), part]));
}

function hideMonitorSecrets(fields: ResourceFields): ResourceFields {
  const hidden = SECRET_FIELDS.filter((name) => fields[name] !== undefined).map((name) => {
    const { secret } = describeField(name);
    return [name, secret === undefined ? fields[name] : secret.hide(fields[name])];
  });
  return { ...fields, ...Object.fromEntries(hidden) };
}

/** Chat products put a token into the path of the URL; the own address of a product has none. */
function hideWebhookSecrets(fields: ResourceFields): ResourceFields {
  const url =
    fields.url === defaultUrl(String(fields.format), Object(fields.credentials)) ? fields.url : HIDDEN;
  return { ...fields, url, credentials: hideValues(fields.credentials), headers: hideValues(fields.headers) };
}

function hideValues(map: unknown): ResourceFields {
  return Object.fromEntries(Object.keys(map ?? {}).map((name) => [name, HIDDEN]));
}
