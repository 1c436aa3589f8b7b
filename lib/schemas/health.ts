import { z } from 'zod';
import { instantSchema } from './text';

/** What /live responds. */
export const liveSchema = z.strictObject({ status: z.literal('ok') }).meta({ id: 'Live' });

const statusSchema = z.enum(['ok', 'degraded', 'down']);

/** One part of the service; `since` is when its status became what it is. */
const healthPartSchema = z
  .strictObject({
    name: z.string().meta({
      description:
        'database, recording, schedule, region:<id>, deliveries, mail, upkeep, inngest, descriptors; web while it starts.',
      example: 'region:eu-west',
    }),
    status: statusSchema,
    since: instantSchema,
    message: z.string(),
  })
  .meta({ id: 'HealthPart' });

/** What /health responds: 503 while a part is down, else 200. The status is the worst of the parts. */
export const healthSchema = z
  .strictObject({ status: statusSchema, parts: z.array(healthPartSchema) })
  .meta({ id: 'Health' });

export type HealthBody = z.output<typeof healthSchema>;
