import { z } from 'zod';
import { described } from '@/lib/schemas/described';
import { PLACES } from '@/lib/schemas/regions/places';
import { regionIdSchema } from '@/lib/schemas/regions/region-id';
import { changesOf, instantSchema, nameText, oneOf, versionSchema } from '@/lib/schemas/text';

/** A region as the API returns it: a label of the workers and probes that serve it. */
export const regionSchema = z
  .strictObject({
    id: regionIdSchema.describe('The ID of the region'),
    name: described(z.string(), 'The name of the region', 'EU West'),
    location: described(z.string(), 'The place that the region is named after', 'Frankfurt, Germany'),
    isOwn: described(
      z.boolean(),
      'Whether it is an own region of the organization; the others are built in',
      false,
    ),
    place: described(
      z.string().nullable(),
      'The ID of the city of an own region; null for built-in regions',
      'hamburg',
    ),
    workers: described(z.int().nonnegative(), 'Number of live workers that serve the region', 1),
    machines: z
      .array(
        z.strictObject({
          id: described(z.string(), 'Identifies the machine, also in other regions', '6f1ed002ab559585'),
          host: described(
            z.string().nullable(),
            'The name of its host; null where strangers can sign up',
            'probe-1',
          ),
        }),
      )
      .describe('The machines that these workers run on: regions with the same machine are one location'),
    lastSeenAt: instantSchema.nullable().describe('When a worker last served the region; null: never'),
    version: versionSchema.nullable().meta({ example: 1 }),
    createdAt: described(
      instantSchema.nullable(),
      'When it was created; null for built-in regions',
      '2027-02-01T09:00:00.000Z',
    ),
    updatedAt: described(
      instantSchema.nullable(),
      'When it was last changed; null for built-in regions',
      '2027-02-01T09:00:00.000Z',
    ),
  })
  .meta({ id: 'Region' });

const fields = {
  name: described(nameText(1, 60), 'The name, unique among the regions of the organization', 'EU West'),
  place: described(oneOf(PLACES.map(({ id }) => id)), 'The city in which it is, or one near it', 'hamburg'),
};

/** The body of POST /regions. */
export const createRegionSchema = z.strictObject(fields);

/** The body of PUT /regions/:id. */
export const updateRegionSchema = changesOf(fields, regionSchema);

export type Region = z.output<typeof regionSchema>;
export type CreateRegion = z.output<typeof createRegionSchema>;
export type RegionChanges = z.output<typeof updateRegionSchema>;
