import { z } from 'zod';
import { described } from '@/lib/schemas/described';
import { instantSchema } from './text';

/** The response of /live. */
export const liveSchema = z
  .strictObject({ status: z.literal('ok').describe('The current status') })
  .meta({ id: 'Live' });

const statusSchema = z.enum(['ok', 'degraded', 'down']);

/** One part of the service; `since` is when it entered its current status. */
const healthPartSchema = z
  .strictObject({
    name: described(
      z.string(),
      'database, recording, network, schedule, heartbeats, region:<id>, own-regions, deliveries, mail, upkeep, backups, inngest, descriptors; web during startup.',
      'database',
    ),
    status: statusSchema.describe('The current status'),
    since: instantSchema.describe('Since when it has this status'),
    message: described(z.string(), 'What is wrong, and what to do', 'The database responds.'),
  })
  .meta({ id: 'HealthPart' });

/** The response of /health: 503 while a part is down, otherwise 200. The status is the worst of all parts. */
export const healthSchema = z
  .strictObject({
    status: statusSchema.describe('The current status'),
    parts: z.array(healthPartSchema).describe('The parts of the service'),
  })
  .meta({ id: 'Health' });

export type HealthBody = z.output<typeof healthSchema>;
