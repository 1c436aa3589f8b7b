import { z } from 'zod';
import { PLACES } from '@/lib/schemas/regions/places';
import { regionIdSchema } from '@/lib/schemas/regions/region-id';
import { changesOf, instantSchema, nameText, oneOf, versionSchema } from '@/lib/schemas/text';

/** A region as the API returns it: a label of the workers and probes that serve it. */
export const regionSchema = z
  .strictObject({
    id: regionIdSchema,
    name: z.string(),
    location: z.string(),
    isOwn: z.boolean().describe('Whether it is an own region of the organization; the others are built in'),
    place: z.string().nullable().describe('The ID of the city of an own region; null for built-in regions'),
    workers: z.int().nonnegative(),
    machines: z
      .array(z.strictObject({ id: z.string(), host: z.string().nullable() }))
      .describe('The machines that these workers run on: regions with the same machine are one location'),
    lastSeenAt: instantSchema.nullable(),
    version: versionSchema.nullable(),
    createdAt: instantSchema.nullable(),
    updatedAt: instantSchema.nullable(),
  })
  .meta({ id: 'Region' });

const fields = {
  name: nameText(1, 60).describe('The name, unique among the regions of the organization'),
  place: oneOf(PLACES.map(({ id }) => id)).describe('The city in which it is, or one near it'),
};

/** The body of POST /regions. */
export const createRegionSchema = z.strictObject(fields);

/** The body of PUT /regions/:id. */
export const updateRegionSchema = changesOf(fields, regionSchema);

export type Region = z.output<typeof regionSchema>;
export type CreateRegion = z.output<typeof createRegionSchema>;
export type RegionChanges = z.output<typeof updateRegionSchema>;
