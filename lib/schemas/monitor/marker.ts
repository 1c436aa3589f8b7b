import { z } from 'zod';
import { parseHttpUrl } from '@/lib/core/addresses';
import { described } from '@/lib/schemas/described';
import { pageQuery } from '@/lib/schemas/query';
import {
  createdAtSchema,
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
  title: described(nameText(1, 200), 'What changed', 'Checkout 2.14.0 deployed'),
  description: text(0, 5000).describe('Details'),
  url: described(
    text(1, 2048)
      .refine((url) => parseHttpUrl(url) !== null, 'must be an http or https URL')
      .nullable(),
    'Where to read more, such as the page of the deploy; null for none',
    'https://ci.example.com/deploys/42',
  ),
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
    id: described(z.string().regex(/^mrk_/), 'The ID of the marker', 'mrk_01kxk1r9v2x5a8d1g4k7n0q3sb'),
    title: described(z.string(), 'What changed', 'Checkout 2.14.0 deployed'),
    description: described(z.string(), 'Details', 'New payment provider'),
    url: described(
      z.string().nullable(),
      'Where to read more; null for none',
      'https://ci.example.com/deploys/42',
    ),
    tags: described(z.array(z.string()), TAGS, ['shop']),
    monitors: described(z.array(z.string()), MONITORS, ['mon_01kxk1j7c2e5x8q3n6w4r9t0zb']),
    occurredAt: instantSchema.describe('When it happened'),
    createdAt: createdAtSchema,
  })
  .meta({ id: 'Marker' });

export type Marker = z.output<typeof markerSchema>;
export type CreateMarker = z.output<typeof createMarkerSchema>;
export type MarkersQuery = z.output<typeof markersQuerySchema>;
