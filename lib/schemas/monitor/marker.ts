import { z } from 'zod';
import { parseHttpUrl } from '@/lib/core/addresses';
import { pageQuery } from '@/lib/schemas/query';
import {
  creationOf,
  givenInstantSchema,
  instantSchema,
  monitorIdSchema,
  monitorIdsSchema,
  nameText,
  text,
} from '@/lib/schemas/text';

const TAGS = 'Monitors with one of these tags are concerned';
const MONITORS = 'The monitors that are concerned; all, if both `tags` and `monitors` are empty';

const fields = {
  title: nameText(1, 200).describe('What changed'),
  description: text(0, 5000),
  url: text(1, 2048)
    .refine((url) => parseHttpUrl(url) !== null, 'must be an http or https URL')
    .nullable()
    .describe('Where to read more, such as the page of the deploy; null for none'),
  occurredAt: givenInstantSchema
    .nullable()
    .describe('When it happened: within the last 400 days, and at most a minute in the future; null: now'),
  tags: z
    .array(text(1, 50), 'must be an array of strings')
    .max(20, 'must hold at most 20 tags')
    .describe(TAGS),
  monitors: monitorIdsSchema.describe(MONITORS),
};

const DEFAULTS = { description: '', url: null, occurredAt: null, tags: [], monitors: [] } as const;

/** The body of POST /events. */
export const createMarkerSchema = z.strictObject(creationOf(fields, DEFAULTS));

/** The query of GET /events. */
export const markersQuerySchema = z.strictObject({
  monitor: monitorIdSchema.optional().describe('Only markers that concern this monitor'),
  ...pageQuery,
});

/** A deploy marker as the API returns it. */
export const markerSchema = z
  .strictObject({
    id: z.string().regex(/^mrk_/),
    title: z.string().describe('What changed'),
    description: z.string(),
    url: z.string().nullable().describe('Where to read more; null for none'),
    tags: z.array(z.string()).describe(TAGS),
    monitors: z.array(z.string()).describe(MONITORS),
    occurredAt: instantSchema.describe('When it happened'),
    createdAt: instantSchema,
  })
  .meta({ id: 'Marker' });

export type Marker = z.output<typeof markerSchema>;
export type CreateMarker = z.output<typeof createMarkerSchema>;
export type MarkersQuery = z.output<typeof markersQuerySchema>;
