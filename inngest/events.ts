import { eventType } from 'inngest';
import { z } from 'zod';

const until = z.iso.datetime();

/** A worker is up: sweep now instead of at the next minute. */
export const workerStarted = eventType('pharos/worker.started', { schema: z.object({}) });

/** Check what is due in one shard of one region, until a moment. */
export const checkShardDue = eventType('pharos/check.shard', {
  schema: z.object({ region: z.string(), shard: z.int(), shards: z.int(), until }),
});

/** Deliver what is due, until a moment. */
export const deliveriesDue = eventType('pharos/deliver.shard', { schema: z.object({ until }) });

/** Send the e-mail that is due, until a moment. */
export const mailDue = eventType('pharos/mail.due', { schema: z.object({ until }) });
