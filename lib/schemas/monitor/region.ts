import { z } from 'zod';
import { REGION_IDS } from '@/lib/schemas/regions';
import { instantSchema } from '@/lib/schemas/text';

/** A region as the API returns it: a label of the workers that serve it. */
export const regionSchema = z
  .strictObject({
    id: z.enum(REGION_IDS),
    name: z.string(),
    location: z.string(),
    workers: z.int().nonnegative(),
    machines: z
      .array(z.strictObject({ id: z.string(), host: z.string().nullable() }))
      .describe('The machines that these workers run on: regions with the same machine are one location'),
    lastSeenAt: instantSchema.nullable(),
  })
  .meta({ id: 'Region' });

export type Region = z.output<typeof regionSchema>;
