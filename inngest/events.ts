import { eventType } from 'inngest';
import { z } from 'zod';

const until = z.iso.datetime();

/** A worker with this app is up: sweep now instead of at the next minute. */
export const appStarted = (app: string) => eventType(`pharos/${app}.started`, { schema: z.object({}) });

/** Check what is due in one shard of a region, until a moment. Each region's has a name of its own: its app hears no other. */
export const checkShardDue = (region: string) =>
  eventType(`pharos/check.shard.${region}`, {
    schema: z.object({ shard: z.int(), shards: z.int(), until }),
  });

/** Deliver what is due, until a moment. */
export const deliveriesDue = eventType('pharos/deliver.shard', { schema: z.object({ until }) });

/** Send the e-mail that is due, until a moment. */
export const mailDue = eventType('pharos/mail.due', { schema: z.object({ until }) });
