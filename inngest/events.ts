import { eventType } from 'inngest';
import { z } from 'zod';

/** A worker with this app has started: sweep now instead of at the next minute. */
export const appStarted = (app: string) => eventType(`pharos/${app}.started`, { schema: z.object({}) });
export type AppStarted = ReturnType<typeof appStarted>;

/** Run checks from now on, of the shards that have no owner. Per region, since its app receives no other events. */
export const checkShardDue = (region: string) =>
  eventType(`pharos/check.shard.${region}`, { schema: z.object({}) });

/** Run a drain until a moment. */
export const drainDue = (name: string) => eventType(name, { schema: z.object({ until: z.iso.datetime() }) });
