import { z } from 'zod';
import { instantSchema } from './text';

/** The response of /live. */
export const liveSchema = z.strictObject({ status: z.literal('ok') }).meta({ id: 'Live' });

const statusSchema = z.enum(['ok', 'degraded', 'down']);

/** One part of the service; `since` is when it entered its current status. */
const healthPartSchema = z
  .strictObject({
    name: z.string().meta({
      description:
        'database, recording, network, schedule, heartbeats, region:<id>, own-regions, deliveries, mail, upkeep, backups, inngest, descriptors; web during startup.',
      example: 'region:eu-west',
    }),
    status: statusSchema,
    since: instantSchema,
    message: z.string(),
  })
  .meta({ id: 'HealthPart' });

/** The response of /health: 503 while a part is down, otherwise 200. The status is the worst of all parts. */
export const healthSchema = z
  .strictObject({ status: statusSchema, parts: z.array(healthPartSchema) })
  .meta({ id: 'Health' });

export type HealthBody = z.output<typeof healthSchema>;
