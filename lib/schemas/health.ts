import { z } from 'zod';

/** The answer of /live. */
export const liveSchema = z.strictObject({ status: z.literal('ok') }).meta({ id: 'Live' });

/** The answer of /health: 200 with ok, else 503 with what is missing. */
export const healthSchema = z
  .strictObject({
    status: z.enum(['ok', 'unavailable']),
    missing: z.array(z.enum(['database', 'engine', 'web'])).optional(),
  })
  .meta({ id: 'Health' });
